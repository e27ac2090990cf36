import type { EnvironmentEntry, Project, Target } from '../../model/index.ts';
import { entriesText, environmentTexts } from './environment-text.ts';
import { inputReferences, isCacheable, outputPaths } from './evidence.ts';
import { operationText } from './operation-text.ts';
import { NUL, type Digest } from './written.ts';

export type FingerprintPart = 'dependencies' | 'env' | 'inputs' | 'operation' | 'outputs';

/**
 * Says in one word everything that the result of a target depends on. It is *firm* when all of that stands still. Of one
 * that is not, the hash is empty, and that of each part which does not stand still: so it equals no stored one.
 */
export interface Fingerprint {
  /** SHA-256 in hex, or empty: then nothing may be stored under it. */
  readonly hash: string;
  /** The hash of each part. */
  readonly parts: Readonly<Record<FingerprintPart, string>>;
}

/** A file as it was found. */
export interface SeenInput {
  /** From the root. */
  readonly path: string;
  /** SHA-256 of its content, in hex; nothing while it is being written to, or when its name lets nobody read it. */
  readonly hash: string | undefined;
  readonly isUndecodable?: true;
}

/** What was found of the files of a target. */
export interface Look {
  /** Sorted by path. Targets with the same inputs should share one array: then it is hashed once. */
  readonly inputs: readonly SeenInput[];
  /** The evidence among its outputs that is not there. */
  readonly missing: readonly string[];
}

export interface FingerprintsOptions {
  readonly project: Project;
  /** Entries of `.env`, then of `--env-file`. */
  readonly environmentFiles: readonly EnvironmentEntry[];
  readonly digest: Digest;
}

/**
 * The fingerprints of one run. Each rests on those of what the target depends on, so these have to be learned first.
 *
 * @example
 * const fingerprints = new Fingerprints({ project, environmentFiles, digest });
 * for (const need of fingerprints.unknownBefore(target)) fingerprints.learn(need, lookAt(need));
 * const { hash } = fingerprints.learn(target, lookAt(target));
 */
export class Fingerprints {
  readonly #project: Project;
  readonly #digest: Digest;
  readonly #environmentText: (own: string) => string;
  /** By name; empty where it is not firm. */
  readonly #known = new Map<string, string>();
  /** Of those without a result of their own, what may be another one when a command has ended. */
  readonly #loose = new Set<string>();
  #hasRun = false;
  /** Of those that have entries of their own, by the text of these. */
  readonly #environments = new Map<string, string>();
  readonly #sharedEnvironment: string;
  readonly #lists = new WeakMap<readonly SeenInput[], HashedList>();
  readonly #ofNothing: string;

  constructor({ project, environmentFiles, digest }: FingerprintsOptions) {
    const { environment, profiles } = project;
    this.#project = project;
    this.#digest = digest;
    this.#environmentText = environmentTexts({ environment, profiles, files: environmentFiles });
    this.#sharedEnvironment = digest(this.#environmentText(''));
    this.#ofNothing = digest('');
  }

  /**
   * What a target needs and nobody learned yet, each after what it needs itself: groups, targets without a command,
   * and whatever else did not have its turn.
   */
  unknownBefore(asked: Target): readonly Target[] {
    const isKnown = (name: string): boolean => this.#known.has(name);
    if (asked.dependsOn.every(isKnown) && asked.children.every(isKnown)) return [];
    const found: Target[] = [];
    const entered = new Set([asked.name]);
    // The path is a list, not the call stack: groups of groups may have any depth.
    const path = [{ target: asked, pending: needsOf(asked) }];
    for (let at = path.at(-1); at !== undefined; at = path.at(-1)) {
      const name = at.pending.pop();
      if (name === undefined) {
        found.push(at.target);
        path.pop();
        continue;
      }
      const target = entered.has(name) || isKnown(name) ? undefined : this.#project.targets.get(name);
      if (target !== undefined) path.push({ target, pending: needsOf(target) });
      entered.add(name);
    }
    return found.slice(0, -1);
  }

  /** The fingerprint by what is there now. What depends on the target rests on what was learned last. */
  learn(target: Target, { inputs, missing }: Look): Fingerprint {
    const dependencies = this.#dependencies(target);
    const env = this.#environment(target.environment);
    const files = this.#inputs(target, inputs);
    const operation = this.#digest(operationText(target, this.#project));
    const outputs = this.#outputs(target, missing);
    const isFirm = dependencies !== '' && files !== '';
    // One template: an array for each of thousands of targets costs as much as the hashing.
    const whole = `dependencies\0${dependencies}\0env\0${env}\0inputs\0${files}\0operation\0${operation}\0outputs\0${outputs}\0`;
    const hash = isFirm ? this.#digest(whole) : '';
    this.#known.set(target.name, hash);
    if (!isCacheable(target) && this.#isLoose(target)) this.#loose.add(target.name);
    return { hash, parts: { dependencies, env, inputs: files, operation, outputs } };
  }

  /**
   * A command has ended. What has a result is learned anew in its turn; a group that was learned before its members had
   * theirs, and whoever reads files without running anything, are unknown again.
   */
  ran(): void {
    for (const name of this.#loose) this.#known.delete(name);
    this.#loose.clear();
    this.#hasRun = true;
  }

  /** Nobody knows what the result of a target rests on: no result of what depends on it is kept either. */
  spoil({ name }: Pick<Target, 'name'>): void {
    this.#known.set(name, '');
  }

  /** Once something ran, only those are learned whose members had their turn: these stay what they are. */
  #isLoose({ inputs, dependsOn, children }: Target): boolean {
    const isLoose = (name: string): boolean => this.#loose.has(name);
    return !this.#hasRun || inputs.length > 0 || dependsOn.some(isLoose) || children.some(isLoose);
  }

  /** A group has no result of its own: it passes on what became of its members, a pipeline of its steps. */
  #dependencies({ dependsOn, children }: Target): string {
    if (dependsOn.length === 0 && children.length === 0) return this.#ofNothing;
    const names = children.length === 0 && dependsOn.length === 1 ? dependsOn : [...new Set([...dependsOn, ...children])].sort();
    let text = '';
    for (const name of names) {
      const hash = this.#known.get(name) ?? '';
      if (hash === '') return '';
      text += `${name}\0${hash}\0`;
    }
    return this.#digest(text);
  }

  #environment(entries: readonly EnvironmentEntry[]): string {
    if (entries.length === 0) return this.#sharedEnvironment;
    const own = entriesText(entries);
    const known = this.#environments.get(own);
    if (known !== undefined) return known;
    const hash = this.#digest(this.#environmentText(own));
    this.#environments.set(own, hash);
    return hash;
  }

  /** A long list is hashed once for all targets that share it. */
  #inputs(target: Target, files: readonly SeenInput[]): string {
    const references = inputReferences(target, this.#project).join(NUL);
    if (files.length < MANY) return this.#filesPart(references, files);
    const known = this.#lists.get(files);
    if (known?.references === references) return known.hash;
    const hash = this.#filesPart(references, files);
    this.#lists.set(files, { references, hash });
    return hash;
  }

  #filesPart(references: string, files: readonly SeenInput[]): string {
    let text = `${references}\0`;
    for (const { path, hash } of files) {
      if (hash === undefined) return '';
      text += `${path}\0${hash}\0`;
    }
    return this.#digest(text);
  }

  #outputs(target: Target, missing: readonly string[]): string {
    let text = `${outputPaths(target).join(NUL)}\0`;
    for (const path of missing) text += `missing\0${path}\0`;
    return this.#digest(text);
  }
}

/** Fewer files are hashed faster than they are found again. */
const MANY = 8;

interface HashedList {
  readonly references: string;
  readonly hash: string;
}

/** The first one last. */
function needsOf({ dependsOn, children }: Target): string[] {
  return [...dependsOn, ...children].reverse();
}
