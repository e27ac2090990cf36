import { hash } from 'node:crypto';
import { describeSystemError } from '../../kernel/errors/index.ts';
import { afterSuccess, evidencePaths, Fingerprints, inputSearch, isCacheable, staleReasons, type CacheVerdict, type Fingerprint, type SeenInput } from '../decide/index.ts';
import type { EnvironmentEntry, Project, Target } from '../model/index.ts';
import { InputReader, NOTHING_KEPT, OutputReader, type CacheChanges, type CacheRecords, type OtherRuns, type OutputRecord, type RunStore, type SeenOutput, type StatePlace, type TargetState } from '../store/index.ts';
import type { Freshness, KeptResults, Standing } from './freshness.ts';
import type { RunRequest } from './run-context.ts';

/** Of a run, or of a dry run, which has none and may have no state. */
export function cacheOf({ project, place, environmentFiles, force }: RunRequest, { store, runId = '', others }: Remembering): ProjectCache {
  // Read first: what changes in between makes the stamp an old one.
  const cacheStamp = others === undefined ? undefined : store?.cacheStamp();
  const records = store?.cacheRecords() ?? NOTHING_KEPT;
  const partsOf = (target: string): TargetState['parts'] => store?.fingerprintParts(target) ?? {};
  const forgetOutputs = async (target: string, paths: readonly string[]): Promise<void> => store?.forgetOutputs(target, paths);
  return new ProjectCache({ project, place, environmentFiles, force, records, cacheStamp, partsOf, forgetOutputs, runId, others });
}

interface Remembering {
  readonly store: RunStore | undefined;
  readonly runId?: string;
  readonly others?: OtherRuns;
}

export interface CacheOptions {
  readonly project: Project;
  readonly place: StatePlace;
  /** Of the run that looks; nothing is kept for a dry run. */
  readonly runId: string;
  /** None for a dry run. */
  readonly others: OtherRuns | undefined;
  /** Entries of `.env`, then of `--env-file`. */
  readonly environmentFiles: readonly EnvironmentEntry[];
  /** Nothing is fresh. */
  readonly force: boolean;
  readonly records: CacheRecords;
  /** Of the records; none for a dry run. */
  readonly cacheStamp: string | undefined;
  /** The parts of a stored fingerprint. */
  readonly partsOf: (target: string) => TargetState['parts'];
  readonly forgetOutputs: (target: string, paths: readonly string[]) => Promise<void>;
}

/** What was seen of the files of one target. */
interface Sight {
  readonly inputs: readonly SeenInput[];
  readonly outputs: readonly SeenOutput[];
}

/** By what a target was judged. */
interface Judged {
  readonly inputs: readonly SeenInput[];
  /** The fingerprints of what it rests on, as one. */
  readonly dependencies: string;
}

const NO_FILES: Sight = { inputs: [], outputs: [] };

/**
 * What earlier runs have made of a project, and whether it still stands. What was looked at once is not looked at again
 * until a command ends.
 */
export class ProjectCache implements Freshness {
  readonly #options: CacheOptions;
  readonly #fingerprints: Fingerprints;
  readonly #inputs: InputReader;
  readonly #outputs: OutputReader;
  /** By target; of this moment, since no command has ended after the look. */
  #sights = new Map<string, Sight>();
  /** Told before the first target had its turn. */
  #early = new Map<string, CacheVerdict>();
  readonly #judgedBy = new Map<string, Judged>();
  #states: TargetState[] = [];
  #changedOutputs = new Map<string, readonly OutputRecord[]>();
  #hasLearned = true;
  /** Of everything that this run made. */
  readonly #made = new Map<string, readonly OutputRecord[]>();

  constructor(options: CacheOptions) {
    const { project, place, environmentFiles, records } = options;
    this.#options = options;
    this.#fingerprints = new Fingerprints({ project, environmentFiles, digest: (text) => hash('sha256', text, 'hex') });
    this.#inputs = new InputReader(place, records.hashes);
    this.#outputs = new OutputReader(place);
  }

  get told(): readonly string[] {
    return this.#inputs.told;
  }

  async prepare(targets: readonly Target[], signal: AbortSignal): Promise<'nothing-runs' | 'something-runs'> {
    this.#sights = await this.#lookAt(targets.filter(hasFiles), signal);
    for (const target of targets.filter(({ runnable }) => runnable)) {
      const verdict = this.#judgeBy(this.#sights, target);
      this.#early.set(target.name, verdict);
      if (verdict.kind !== 'fresh') return 'something-runs';
    }
    return 'nothing-runs';
  }

  judge(target: Target): CacheVerdict | undefined {
    const early = this.#early.get(target.name);
    if (early !== undefined) return early;
    if (!isCacheable(target)) return { kind: 'not-cacheable' };
    return this.#unseenOf(target, this.#sights).length === 0 ? this.#judgeBy(this.#sights, target) : undefined;
  }

  async judgeAnew(target: Target, signal: AbortSignal): Promise<CacheVerdict> {
    // Another map stands there when a command ends meanwhile: for those after it this is no longer the truth.
    const sights = this.#sights;
    // It also makes more of those unknown that the target rests on.
    for (let targets = this.#unseenOf(target, sights); targets.length > 0; targets = this.#unseenOf(target, sights)) {
      await this.#seeInto(sights, targets, signal);
    }
    return this.#judgeBy(sights, target);
  }

  logOf(target: string): string {
    return this.#options.records.results.get(target)?.logPath ?? '';
  }

  async starts(target: Target): Promise<void> {
    const { name } = target;
    if (evidencePaths(target).length > 0) this.#options.others?.begin(name);
    const paths = this.#outputs.notSeenWhole(this.#options.records.outputs.get(name) ?? []);
    if (paths.length > 0) await this.#options.forgetOutputs(name, paths);
  }

  ran({ name }: Pick<Target, 'name'>): void {
    this.#options.others?.end(name);
    this.#fingerprints.ran();
    this.#inputs.forget();
    this.#sights = new Map();
    this.#early = new Map();
  }

  async succeeded(target: Target, signal: AbortSignal): Promise<string | undefined> {
    if (!isCacheable(target)) return undefined;
    try {
      return await this.#keep(target, signal);
    } catch (error) {
      this.#fingerprints.spoil(target);
      if (signal.aborted) return 'not cached: the run was stopped before its files were looked at';
      return `not cached: ${describeSystemError(error, { action: 'look at the files of', path: target.name }).message}`;
    }
  }

  takeKept(): KeptResults {
    const kept = { states: this.#states, outputs: this.#changedOutputs };
    this.#states = [];
    this.#changedOutputs = new Map();
    return kept;
  }

  async changes(signal: AbortSignal): Promise<CacheChanges> {
    try {
      await this.#settle(signal);
    } catch (error) {
      // It only spares the next run a look: who stops this one does not wait for it.
      if (!signal.aborted) throw error;
    }
    const changes = { ...this.takeKept(), hashes: this.#inputs.changes() };
    const { states, outputs, hashes } = changes;
    this.#hasLearned = states.length + outputs.size + hashes.put.size + hashes.drop.length > 0;
    return changes;
  }

  standing(): Standing | undefined {
    const { cacheStamp, records } = this.#options;
    if (cacheStamp === undefined || this.#hasLearned || this.told.length > 0) return undefined;
    const outputs: OutputRecord[] = [];
    for (const [target, sight] of this.#sights) {
      // What only is there, without being known, says nothing about the next time.
      if (sight.outputs.some(({ state }) => state !== 'same')) return undefined;
      outputs.push(...recordsOf(sight.outputs, records.outputs.get(target) ?? []));
    }
    const tree = this.#inputs.answers;
    return tree && { cacheStamp, sights: { tree, outputs } };
  }

  async #settle(signal: AbortSignal): Promise<void> {
    for (const [target, records] of this.#made) {
      signal.throwIfAborted();
      const settled = await this.#outputs.settle(records, signal);
      if (settled.some((record, index) => record !== records[index])) this.#changedOutputs.set(target, settled);
    }
  }

  /** The target and all that has to be learned before it, as far as they have files that nobody looked at. */
  #unseenOf(target: Target, sights: ReadonlyMap<string, Sight>): readonly Target[] {
    return unseen([...this.#fingerprints.unknownBefore(target), target], sights);
  }

  async #seeInto(sights: Map<string, Sight>, targets: readonly Target[], signal: AbortSignal): Promise<void> {
    for (const [name, sight] of await this.#lookAt(targets, signal)) sights.set(name, sight);
  }

  #learnBefore(target: Target, sights: ReadonlyMap<string, Sight>): void {
    for (const need of this.#fingerprints.unknownBefore(target)) this.#learn(need, sights.get(need.name) ?? NO_FILES);
  }

  #judgeBy(sights: ReadonlyMap<string, Sight>, target: Target): CacheVerdict {
    if (!isCacheable(target)) return { kind: 'not-cacheable' };
    this.#learnBefore(target, sights);
    const sight = sights.get(target.name) ?? NO_FILES;
    const fingerprint = this.#learn(target, sight);
    this.#judgedBy.set(target.name, { inputs: sight.inputs, dependencies: fingerprint.parts.dependencies });
    const reasons = this.#reasons(target, fingerprint, sight);
    if (reasons.length === 0) {
      this.#renew(target, sight);
      return { kind: 'fresh', fingerprint: fingerprint.hash };
    }
    // What depends on it has its turn when the outputs are there.
    this.#fingerprints.learn(target, { inputs: sight.inputs, missing: [] });
    return { kind: 'stale', fingerprint: fingerprint.hash, reasons };
  }

  #learn(target: Target, { inputs, outputs }: Sight): Fingerprint {
    const missing = outputs.filter(({ state }) => state === 'missing').map(({ path }) => path);
    return this.#fingerprints.learn(target, { inputs, missing });
  }

  #reasons({ name }: Target, fingerprint: Fingerprint, { outputs }: Sight): ReturnType<typeof staleReasons> {
    const { records, partsOf, force } = this.#options;
    const result = records.results.get(name);
    const stored = result && { fingerprint: result.fingerprint, parts: () => partsOf(name) };
    return staleReasons({ isForced: force, fingerprint, stored, outputs });
  }

  /** What had to be read to tell is written down, so that the next run need not. */
  #renew({ name }: Target, { outputs }: Sight): void {
    if (outputs.every(({ renewed }) => renewed === undefined)) return;
    const stored = this.#options.records.outputs.get(name) ?? [];
    const renewed = new Map(outputs.map((output) => [output.path, output.renewed]));
    this.#changedOutputs.set(name, stored.map((record) => renewed.get(record.path) ?? record));
  }

  async #keep(target: Target, signal: AbortSignal): Promise<string | undefined> {
    const paths = evidencePaths(target);
    const outputs = await this.#outputs.record(paths, signal);
    const [inputs = []] = await this.#inputs.read([inputSearch(target, this.#options.project)], signal);
    const there = new Set(outputs.map(({ path }) => path));
    const now = { inputs, missing: paths.filter((path) => !there.has(path)) };
    const sights = new Map<string, Sight>();
    const needs = (): readonly Target[] => unseen(this.#fingerprints.unknownBefore(target), sights);
    for (let targets = needs(); targets.length > 0; targets = needs()) await this.#seeInto(sights, targets, signal);
    this.#learnBefore(target, sights);
    const judged = this.#judgedBy.get(target.name);
    const { kept, line } = afterSuccess(this.#fingerprints, target, { before: judged?.inputs ?? [], restedOn: judged?.dependencies, now });
    if (kept === undefined) return line;
    if (paths.length > 0 && this.#options.others?.make(target.name) === true) {
      this.#fingerprints.spoil(target);
      return 'not cached: another run makes it at the same time';
    }
    this.#note(target.name, kept, outputs);
    return line;
  }

  #note(target: string, { hash: fingerprint, parts }: Fingerprint, outputs: readonly OutputRecord[]): void {
    const { place, runId } = this.#options;
    this.#states.push({ target, fingerprint, parts, completedAt: place.clock.wall(), runId });
    this.#changedOutputs.set(target, outputs);
    this.#made.set(target, outputs);
  }

  async #lookAt(targets: readonly Target[], signal: AbortSignal): Promise<Map<string, Sight>> {
    const { project, records } = this.#options;
    const inputs = await this.#inputs.read(targets.map((target) => inputSearch(target, project)), signal);
    const requests = targets.map((target) => ({ paths: evidencePaths(target), records: records.outputs.get(target.name) ?? [] }));
    const outputs = await this.#outputs.lookAt(requests, signal);
    return new Map(targets.map(({ name }, index) => [name, { inputs: inputs[index] ?? [], outputs: outputs[index] ?? [] }]));
  }
}

function recordsOf(seen: readonly SeenOutput[], records: readonly OutputRecord[]): readonly OutputRecord[] {
  return records.filter(({ path }) => seen.some((output) => output.path === path));
}

function unseen(targets: readonly Target[], sights: ReadonlyMap<string, Sight>): readonly Target[] {
  return targets.filter((each) => hasFiles(each) && !sights.has(each.name));
}

function hasFiles(target: Target): boolean {
  return target.kind !== 'agent' && (target.inputs.length > 0 || target.outputs.length > 0);
}
