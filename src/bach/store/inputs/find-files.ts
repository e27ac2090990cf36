import { cleanPath, relativePath } from '../../../kernel/paths/index.ts';
import { compileGlob, type Glob } from '../../../kernel/text/index.ts';
import { inputOutside, malformedInput } from './errors.ts';
import { isTouched, leaveOut } from './leave-out.ts';
import type { Slice, Work } from './slice.ts';
import { below, type ProjectTree } from './tree.ts';

/** One set of inputs, as a target has it. */
export interface InputRequest {
  /** Paths, folders and patterns, from the root. */
  readonly patterns: readonly string[];
  /**
   * Paths of what the target itself makes: they are no inputs although a pattern names them, nor is what is beneath
   * them, unless the pattern starts there: with `src` in both, the files in it are inputs.
   */
  readonly except: readonly string[];
}

/** Finds the files that paths, folders and patterns stand for; each is looked for once. */
export class FileFinder {
  readonly #root: string;
  readonly #tree: ProjectTree;
  readonly #ofPattern = new Map<string, readonly string[]>();
  readonly #ofPatterns = new Map<string, readonly string[]>();
  readonly #belowFolder = new Map<string, readonly string[]>();

  constructor(root: string, tree: ProjectTree) {
    this.#root = root;
    this.#tree = tree;
  }

  /**
   * From the root, sorted, each once; links that are not followed are among them. What is missing adds nothing. The
   * same patterns give the same array when nothing is left out. Throws `input-outside-root`, `malformed-input-pattern`.
   */
  *files({ patterns, except }: InputRequest, slice: Slice): Work<readonly string[]> {
    const files = yield* this.#allFiles(patterns, slice);
    const made = except.map((path) => insideRoot(this.#root, path)).filter((path) => path !== undefined);
    if (!isTouched(files, made)) return files;
    const kept = new Set<string>();
    for (const pattern of patterns) {
      const start = startOf(fromRoot(this.#root, pattern));
      for (const file of leaveOut(yield* this.#filesOf(pattern, slice), { except: made, start })) kept.add(file);
    }
    return [...kept].sort();
  }

  *#allFiles(patterns: readonly string[], slice: Slice): Work<readonly string[]> {
    const [only] = patterns;
    if (only !== undefined && patterns.length === 1) return yield* this.#filesOf(only, slice);
    const key = patterns.join('\0');
    const known = this.#ofPatterns.get(key);
    if (known !== undefined) return known;
    const found = new Set<string>();
    for (const pattern of patterns) {
      for (const file of yield* this.#filesOf(pattern, slice)) found.add(file);
    }
    const files = [...found].sort();
    this.#ofPatterns.set(key, files);
    return files;
  }

  *#filesOf(pattern: string, slice: Slice): Work<readonly string[]> {
    const known = this.#ofPattern.get(pattern);
    if (known !== undefined) return known;
    if (slice.isOver()) yield slice.rest();
    const path = fromRoot(this.#root, pattern);
    const glob = compileGlob(path);
    if (glob.fault !== undefined) throw malformedInput({ path: pattern, fault: glob.fault });
    const files = glob.isGlob ? yield* this.#matching(glob, slice) : yield* this.#standingAt(path === '.' ? '' : path, slice);
    this.#ofPattern.set(pattern, files);
    return files;
  }

  /** Looks only into folders that can lead to a match. */
  *#matching({ steps }: Glob, slice: Slice): Work<readonly string[]> {
    const found = new Set<string>();
    const met = new Set<string>();
    const pending = [{ path: '', at: 0 }];
    for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
      if (slice.isOver()) yield slice.rest();
      const { path, at } = next;
      // Of two `**` each way to divide the names leads here.
      if (met.has(`${at}/${path}`)) continue;
      met.add(`${at}/${path}`);
      const step = steps[at];
      if (step === undefined) for (const file of yield* this.#standingAt(path, slice)) found.add(file);
      else for (const after of this.#after(path, at, step)) pending.push(after);
    }
    return [...found].sort();
  }

  #after(path: string, at: number, step: Glob['steps'][number]): readonly { readonly path: string; readonly at: number }[] {
    if (step.kind === 'name') return [{ path: below(path, step.name), at: at + 1 }];
    const entries = [...this.#tree.list(path)];
    if (step.kind === 'pattern') {
      return entries.filter(([name]) => step.matches(name)).map(([name]) => ({ path: below(path, name), at: at + 1 }));
    }
    const folders = entries.filter(([, kind]) => kind === 'folder').map(([name]) => ({ path: below(path, name), at }));
    return [{ path, at: at + 1 }, ...folders];
  }

  *#standingAt(path: string, slice: Slice): Work<readonly string[]> {
    const seen = this.#tree.lookAt(path);
    if (seen === undefined) return [];
    return seen.kind === 'folder' ? yield* this.#below(path, slice) : [path];
  }

  /** A link to a folder that is met on the way is one of the files: following it could go round for ever. */
  *#below(folder: string, slice: Slice): Work<readonly string[]> {
    const known = this.#belowFolder.get(folder);
    if (known !== undefined) return known;
    const files: string[] = [];
    const pending = [folder];
    for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
      if (slice.isOver()) yield slice.rest();
      for (const [name, kind] of this.#tree.list(next)) (kind === 'folder' ? pending : files).push(below(next, name));
    }
    files.sort();
    this.#belowFolder.set(folder, files);
    return files;
  }
}

/** The folder or file that a walk for a pattern starts at. */
function startOf(pattern: string): string {
  const { isGlob, literalPrefix } = compileGlob(pattern);
  return isGlob ? literalPrefix : pattern;
}

/** A path or pattern as the tree wants it: cleaned, from the root. Throws `input-outside-root`. */
export function fromRoot(root: string, path: string): string {
  const inside = insideRoot(root, path);
  if (inside === undefined) throw inputOutside({ path, root });
  return inside;
}

function insideRoot(root: string, path: string): string | undefined {
  const clean = cleanPath(path);
  const inside = clean.startsWith('/') ? relativePath(root, clean) : clean;
  return inside === '..' || inside?.startsWith('../') === true ? undefined : inside;
}
