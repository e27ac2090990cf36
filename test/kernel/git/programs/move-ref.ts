import { findGit, moveRef, openRepository } from '../../../../src/kernel/git/index.ts';
import { systemClock } from '../../../../src/kernel/time/index.ts';

/** Moves a branch, to be killed while it does. */
const [folder = '', ref = '', from = '', to = ''] = process.argv.slice(2);
const git = await findGit({ clock: systemClock(), env: process.env, marker: 'crash-test' });
const repository = await openRepository(git, folder);
const who = { name: 'Drover Test', email: 'test@drover.test' };
await moveRef(repository, { ref, from, to, who, reason: 'crash test' });
