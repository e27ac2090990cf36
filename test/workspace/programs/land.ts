import { findGit, openRepository } from '../../../src/kernel/git/index.ts';
import { systemClock } from '../../../src/kernel/time/index.ts';
import { landChange, type Change, type Strategy } from '../../../src/workspace/index.ts';

/** What is to land on main; the program prints what became of it, and is killed on its way. */
export interface LandOrder {
  readonly change: Change;
  readonly strategy: Strategy;
}

const [folder = '', receiptsFolder = '', text = ''] = process.argv.slice(2);
const who = { name: 'Drover Test', email: 'test@drover.test' };
const order = JSON.parse(text) as LandOrder;
const git = await findGit({ clock: systemClock(), env: process.env, marker: 'crash-test', receiptsFolder });
const repository = await openRepository(git, folder);
const outcome = await landChange(repository, { ...order, ref: 'refs/heads/main', who, signal: AbortSignal.timeout(60_000) });
process.stdout.write(JSON.stringify(outcome));
