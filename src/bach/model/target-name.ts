import type { TargetKind } from './project.ts';

const TARGET_KINDS: readonly TargetKind[] = ['shell', 'image', 'group', 'pipeline', 'agent'];

export function isTargetKind(word: string): word is TargetKind {
  return TARGET_KINDS.some((kind) => kind === word);
}

/** A target as users may name it on the command line, in canonical form: `shell.test` becomes `shell/test`. */
export function canonicalName(name: string): string {
  const dot = name.indexOf('.');
  if (dot < 0 || name.slice(0, dot).includes('/')) return name;
  return `${name.slice(0, dot)}/${name.slice(dot + 1)}`;
}

export type ParsedReference =
  | { readonly name: string }
  /** `obsolete`: the form `type/name` of the command line. */
  | { readonly message: string; readonly obsolete: boolean };

/** Reads `type.name` of a Bachfile; the message says what is wrong with it. */
export function parseReference(text: string): ParsedReference {
  const quoted = JSON.stringify(text);
  const slash = text.indexOf('/');
  const dot = text.indexOf('.');
  if (slash >= 0 && (dot < 0 || slash < dot)) {
    const dotted = text.replace('/', '.');
    return { obsolete: true, message: `obsolete target reference ${quoted}: use type.name, for example ${dotted}` };
  }
  if (dot <= 0 || dot === text.length - 1) {
    return { obsolete: false, message: `invalid target reference ${quoted}: use type.name, for example shell.test` };
  }
  const kind = text.slice(0, dot);
  if (isTargetKind(kind)) return { name: canonicalName(text) };
  return { obsolete: false, message: `invalid target reference ${quoted}: unknown target type ${JSON.stringify(kind)}` };
}

/** Longer file names are cut: a file system takes 255 bytes, and an ending is still to come. */
const LONGEST_FILE_NAME = 200;

/**
 * File names of these targets: `shell/test-api` becomes `shell__test-api`, for its run directory, and with `.log` for
 * its log. Names that would meet, also where letters of either case are one, or that are too long get a number.
 */
export function fileNamesOf(targets: readonly string[]): ReadonlyMap<string, string> {
  const taken = new Set<string>();
  const names = new Map<string, string>();
  for (const target of targets) {
    const name = freeName(target.replace(/[/\\]/g, '__').replace(/[: ]/g, '_'), taken);
    for (const used of namesOnDisk(name)) taken.add(used);
    names.set(target, name);
  }
  return names;
}

function freeName(wanted: string, taken: ReadonlySet<string>): string {
  const name = cutToBytes(wanted, LONGEST_FILE_NAME);
  let candidate = name;
  for (let number = 2; namesOnDisk(candidate).some((used) => taken.has(used)); number++) candidate = `${name}-${number}`;
  return candidate;
}

function namesOnDisk(name: string): readonly string[] {
  const folded = name.toLowerCase();
  return [folded, `${folded}.log`];
}

function cutToBytes(text: string, most: number): string {
  const bytes = new TextEncoder().encode(text);
  if (bytes.length <= most) return text;
  return new TextDecoder().decode(bytes.subarray(0, most)).replace(/\uFFFD+$/, '');
}
