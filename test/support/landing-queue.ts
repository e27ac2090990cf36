import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { QueuedChange, QueueState, Strategy } from '../../src/workspace/index.ts';
import { commitInCheckout, put, runGit, stageWith, WHO, type Stage } from './git-repository.ts';
import type { Random } from './seeded-random.ts';

const STRATEGIES: readonly Strategy[] = ['squash', 'merge', 'rebase', 'ff'];
const SHARED_FILES = ['f0', 'f1', 'f2', 'f3'];
const DIRT = { 'untracked/notes': 'mine', 'ignored.log': 'mine too' };

/** A repository whose person works on, with a queue of changes cut from older and newer commits of it. */
export interface QueueScene extends Stage {
  readonly run: string;
  readonly changes: readonly QueuedChange[];
  /** Commits of the person that were on main at some time; none may ever be lost. */
  readonly personal: string[];
}

/** So many changes, each with a file of its own and mostly an edit that may conflict with others. */
export async function queueScene(random: Random, count: number): Promise<QueueScene> {
  const stage = await stageWith(Object.fromEntries(SHARED_FILES.map((name) => [name, 'one\ntwo\nthree\n'])));
  const scene: QueueScene = { ...stage, run: join(stage.home, 'run'), changes: [], personal: [stage.tip] };
  const changes = Array.from({ length: count }, (_, at) => changeOf(scene, random, `u${at}`));
  put(join(stage.folder, '.git/info/exclude'), '*.log\n');
  for (const [path, text] of Object.entries(DIRT)) put(join(stage.folder, path), text);
  return { ...scene, changes };
}

function changeOf({ folder, personal }: QueueScene, random: Random, key: string): QueuedChange {
  if (random.chance(0.3)) personal.push(commitInCheckout(folder, { [`p-${key}`]: 'person\n' }, `person ${key}`));
  const base = personal[random.below(personal.length)] ?? '';
  runGit(folder, ['checkout', '-q', '-b', key, base]);
  const edits = Array.from({ length: 1 + random.below(2) }, (_, at) => (at === 0 ? { [`new/${key}`]: `${key}\n` } : editOf(random, key)));
  const tip = edits.map((files) => commitInCheckout(folder, files, `Land ${key}`)).at(-1) ?? base;
  runGit(folder, ['checkout', '-q', 'main']);
  const strategy = STRATEGIES[random.below(STRATEGIES.length)] ?? 'squash';
  return { strategy, change: { key, tip, message: `Land ${key}\n`, author: { name: 'Agent', email: 'agent@drover.test' } } };
}

function editOf(random: Random, key: string): Readonly<Record<string, string>> {
  const lines = ['one', 'two', 'three'];
  lines[random.below(lines.length)] = `by ${key}`;
  return { [SHARED_FILES[random.below(SHARED_FILES.length)] ?? 'f0']: `${lines.join('\n')}\n` };
}

/** What a person commits while the queue works; git may be busy, and then they try later. */
export function personCommits(scene: QueueScene, name: string): void {
  put(join(scene.folder, `p-${name}`), 'person\n');
  try {
    runGit(scene.folder, ['add', `p-${name}`]);
    runGit(scene.folder, ['commit', '-q', '-m', `person ${name}`, '--', `p-${name}`]);
    scene.personal.push(runGit(scene.folder, ['rev-parse', 'HEAD']));
  } catch (error) {
    if (!String(error).includes('index.lock')) throw error;
    rmSync(join(scene.folder, `p-${name}`));
  }
}

export interface QueueEnd {
  readonly killed: boolean;
  readonly said: string;
}

/** Lands the queue, or goes on with it, in a process of its own that may be killed at one of its durable points. */
export function runQueue(scene: QueueScene, program: string, env: Readonly<Record<string, string>> = {}): QueueEnd {
  const { folder, repository, run, changes } = scene;
  const queue = { ref: 'refs/heads/main', who: WHO, changes };
  const args = [program, folder, repository.git.receiptsFolder ?? '', run, JSON.stringify(queue)];
  const { signal, status, stdout, stderr } = spawnSync(process.execPath, args, { env: { ...repository.git.env, ...env }, encoding: 'utf8' });
  if (signal === null && status !== 0) throw new Error(`the queue failed: ${stderr}`);
  return { killed: signal !== null, said: stdout };
}

/** Everything that is not as it has to be, in words; empty where all is well. */
export function violationsOf(scene: QueueScene): readonly string[] {
  const { folder, run, changes, personal } = scene;
  const { stages } = JSON.parse(readFileSync(join(run, 'queue.json'), 'utf8')) as QueueState;
  const has = (commit: string): boolean => runGit(folder, ['rev-list', 'main']).split('\n').includes(commit);
  const subjects = runGit(folder, ['log', '--first-parent', '--format=%s', 'main']).split('\n');
  const found: string[] = [];
  for (const commit of personal) if (!has(commit)) found.push(`the person's ${commit} is lost`);
  for (const { change, strategy } of changes) {
    const { key } = change;
    const stage = stages[key];
    const isThere = existsSync(join(folder, 'new', key));
    const times = subjects.filter((subject) => subject === `Land ${key}`).length;
    if (stage === undefined || stage.at === 'queued' || stage.at === 'prepared') found.push(`${key} was left at ${stage?.at}`);
    else if ((stage.at !== 'stopped') !== isThere) found.push(`${key} is ${stage.at}, and its file is ${isThere ? '' : 'not '}there`);
    if (stage?.at === 'landed' && !has(stage.commit)) found.push(`${key} was told landed, and ${stage.commit} is not in main`);
    if (stage?.at === 'landed' && runGit(folder, ['rev-parse', `${stage.commit}^{tree}`]) !== stage.tree) found.push(`${key} landed another tree`);
    if (strategy === 'squash' && times > 1) found.push(`${key} landed ${times} times`);
  }
  return [...found, ...disorderIn(scene)];
}

function disorderIn({ folder }: QueueScene): readonly string[] {
  const found: string[] = [];
  for (const [path, text] of Object.entries(DIRT)) if (readFileSync(join(folder, path), 'utf8') !== text) found.push(`${path} was touched`);
  const status = runGit(folder, ['status', '--porcelain', '--untracked-files=all']);
  if (status !== '?? untracked/notes') found.push(`the checkout is not clean: ${status}`);
  if (existsSync(join(folder, '.git/index.lock'))) found.push('the index is locked');
  return found;
}
