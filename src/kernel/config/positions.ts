import type { AST } from 'toml-eslint-parser';
import { placeAt, type Place } from './place.ts';

/** Where each key of a file is first written. */
export interface Positions {
  of(path: readonly string[]): Place | undefined;
}

/** Finds the places of a text that is TOML. The reader for it is loaded only here: values alone need no places. */
export async function positionsIn(text: string): Promise<Positions> {
  const { parseTOML } = await import('toml-eslint-parser');
  const starts = new Map<string, Place>();
  const note: Note = (path, { line, column }) => {
    const key = keyOf(path);
    if (!starts.has(key)) starts.set(key, { line, column: column + 1 });
  };
  try {
    noteEach(parseTOML(text).body[0].body, [], note);
  } catch {
    // The two readers may differ about a text; then what is found out about it is told without places.
  }
  return {
    of: (path) => {
      const start = starts.get(keyOf(path));
      return start === undefined ? undefined : placeAt(text, start);
    },
  };
}

type Note = (path: readonly string[], start: { readonly line: number; readonly column: number }) => void;

function noteEach(nodes: readonly (AST.TOMLKeyValue | AST.TOMLTable)[], above: readonly string[], note: Note): void {
  for (const node of nodes) {
    const path = noteKey(node.key, above, note);
    if (node.type === 'TOMLTable') noteEach(node.body, path, note);
    else if (node.value.type === 'TOMLInlineTable') noteEach(node.value.body, path, note);
  }
}

/** Every part of `a.b.c` is a place of its own. */
function noteKey({ keys }: AST.TOMLKey, above: readonly string[], note: Note): readonly string[] {
  const path = [...above, ...keys.map((key) => (key.type === 'TOMLBare' ? key.name : key.value))];
  for (const [index, key] of keys.entries()) note(path.slice(0, above.length + index + 1), key.loc.start);
  return path;
}

/** A name may hold any character, so that nothing can stand between two of them. */
function keyOf(path: readonly string[]): string {
  return JSON.stringify(path);
}
