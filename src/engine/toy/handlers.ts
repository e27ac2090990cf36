import { readTail, replaceFile } from '../../kernel/files/index.ts';
import { commitTree, gitPath, isAncestor, moveRef, readCommit, writeBlob, writeTree, type Repository } from '../../kernel/git/index.ts';
import { detectContainment, start } from '../../kernel/process/index.ts';
import type { Handlers, Intent, Receipt, StepContext } from '../contract.ts';
import { failed, notDone, ok } from '../receipts.ts';
import { onAbort } from '../stop.ts';
import { MOVED_ON, type ToySteps } from './model.ts';
import { recordSession } from './sessions.ts';
import { BRANCH, exists, pathsOf, readJson, tipOf, type ToyWorld } from './world.ts';

/** The same work gives the same commits, so that two runs can be compared. */
const TOY = { name: 'Toy', email: 'toy@localhost', date: { seconds: 1_700_000_000, offsetMinutes: 0 } };
const GRACE_MS = 200;
/** Of what a program printed, in bytes: its end is what becomes a file. */
const MOST_OUTPUT = 64 * 1024;

type Context = StepContext<ToyWorld>;

export const toyHandlers: Handlers<ToySteps, ToyWorld> = {
  claim: {
    async perform({ input: { unit } }, { world: { folder } }) {
      await replaceFile(pathsOf(folder).claim(unit), `${unit}\n`);
      return ok(null);
    },
    async reconcile({ input: { unit } }, { world: { folder } }) {
      return exists(pathsOf(folder).claim(unit)) ? ok(null) : notDone('there is no claim');
    },
  },
  run: {
    perform: runProgram,
    async reconcile({ input: { unit, attempt } }, { world: { folder } }) {
      // The program itself was ended with its holder; only a whole result counts.
      const isWhole = exists(pathsOf(folder).result(unit)) && resultOf(folder, unit).attempt === attempt;
      return isWhole ? ok(null) : notDone('there is no result');
    },
  },
  commit: {
    perform: commitResult,
    // Nothing leads to the objects yet: written again they are the same ones.
    reconcile: async () => notDone('nothing refers to the commit'),
  },
  move: { perform: moveBranch, reconcile: lookAtBranch },
  finish: {
    async perform({ input: { unit, mark } }, { world: { folder } }) {
      await replaceFile(pathsOf(folder).mark(unit), `${mark}\n`);
      return ok(null);
    },
    async reconcile({ input: { unit } }, { world: { folder } }) {
      return exists(pathsOf(folder).mark(unit)) ? ok(null) : notDone('there is no mark');
    },
  },
};

async function runProgram(step: Intent<ToySteps, 'run'>, { world, signal, stopping }: Context): Promise<Receipt<null>> {
  const { unit, attempt, argv } = step.input;
  const { folder, host, redaction } = world;
  const paths = pathsOf(folder);
  const env = { PATH: host.env['PATH'] ?? '' };
  await detectContainment({ env, clock: host.clock });
  // One for each intent: what a program that was cut off had printed is none of the next one's.
  const log = paths.log(step.sequence);
  const session = await recordSession(step, { world, log });
  const child = start(
    {
      argv,
      origin: 'project',
      cwd: folder,
      env,
      marker: host.marker,
      log: { path: log },
      scrub: redaction.createScrubber(),
      containment: 'best',
      record: paths.session(unit),
      graceMs: GRACE_MS,
    },
    { clock: host.clock },
  );
  const silences = [onAbort(stopping, () => child.stop()), onAbort(signal, () => child.kill())];
  const exit = child.exit.finally(() => silences.forEach((silence) => silence()));
  const [end] = await Promise.all([exit, session.started(child)]);
  await session.end(end);
  if (end.stopped !== undefined) return notDone('the program was stopped');
  if (end.kind !== 'exited') return failed('not-run', end.kind === 'signalled' ? end.signal : end.error.message);
  if (end.code !== 0) return failed('exit', `the program of ${unit} ended with ${end.code}`);
  const { bytes } = await readTail(log, { maxBytes: MOST_OUTPUT });
  const output = Buffer.from(bytes).toString('utf8');
  await replaceFile(paths.result(unit), JSON.stringify({ attempt, output }));
  return ok(null);
}

async function commitResult({ input }: Intent<ToySteps, 'commit'>, { world }: Context): Promise<Receipt<{ commit: string }>> {
  const { repository, folder } = world;
  const { unit, base } = input;
  const blob = await writeBlob(repository, resultOf(folder, unit).output);
  const parent = await readCommit(repository, base);
  const tree = await writeTree(repository, [{ path: gitPath(`${unit}.txt`), kind: 'file', id: blob }], { base: parent.tree });
  const commit = await commitTree(repository, { tree, parents: [base], author: TOY, committer: TOY, message: `Add ${unit}\n` });
  return ok({ commit });
}

async function moveBranch({ input: { from, to } }: Intent<ToySteps, 'move'>, { world }: Context): Promise<Receipt<null>> {
  await world.person?.();
  const outcome = await moveRef(world.repository, { ref: BRANCH, from, to, who: TOY, reason: 'toy: land' });
  // A holder before us, stopped until now, may have moved it to this very commit.
  return outcome.kind === 'moved' ? ok(null) : whetherLanded(world.repository, { to, tip: await tipOf(world.repository) });
}

async function lookAtBranch({ input: { from, to } }: Intent<ToySteps, 'move'>, { world }: Context): Promise<Receipt<null>> {
  const tip = await tipOf(world.repository);
  return tip === from ? notDone('the branch was not moved') : whetherLanded(world.repository, { to, tip });
}

/** Somebody may have committed on top of ours. */
async function whetherLanded(repository: Repository, { to, tip }: { to: string; tip: string | undefined }): Promise<Receipt<null>> {
  const isIn = tip !== undefined && (await isAncestor(repository, { ancestor: to, descendant: tip }));
  return isIn ? ok(null) : failed(MOVED_ON, `the branch holds ${tip ?? 'nothing'} by now`);
}

function resultOf(folder: string, unit: string): { readonly attempt: number; readonly output: string } {
  return readJson(pathsOf(folder).result(unit)) as { attempt: number; output: string };
}
