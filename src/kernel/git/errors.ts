import { defineError } from '../errors/index.ts';

interface AtPath {
  readonly path: string;
}

interface OfRef {
  readonly ref: string;
}

export const gitMissing = defineError<{ reason: string }>({
  code: 'git-missing',
  means: 'The program git could not be started. It is looked for in PATH.',
  message: ({ reason }) => `git cannot be started: ${reason}`,
  remedy: 'install git 2.34 or newer, or correct PATH',
});

export const gitTooOld = defineError<{ version: string; needed: string }>({
  code: 'git-too-old',
  means: 'The git in PATH lacks something that is needed. The floor for everything is 2.34.',
  message: ({ version, needed }) => `git ${version} is too old: ${needed} or newer is needed`,
  remedy: ({ needed }) => `install git ${needed} or newer, or put it first in PATH`,
});

export const gitFailed = defineError<{ what: string; where: string; said: string }>({
  code: 'git-failed',
  means: 'git refused something for a reason that has no code of its own; its own words are in the message.',
  message: ({ what, where, said }) => `git could not ${what} in ${where}: ${said}`,
  remedy: 'look at what git says; git fsck in that repository tells whether it is damaged',
});

export const gitTimedOut = defineError<{ what: string; where: string; limitMs: number }>({
  code: 'git-timed-out',
  means: 'A call of git took longer than it may and was ended. A slow disk or a held lock can be the reason.',
  message: ({ what, where, limitMs }) => `git did not ${what} in ${where} within ${limitMs} ms`,
  remedy: 'look whether the disk is slow or another git holds the repository, then run the command again',
});

export const gitEnded = defineError<{ what: string; where: string; signal: string }>({
  code: 'git-ended',
  means: 'git was ended by a signal that we did not send, for example because memory ran out.',
  message: ({ what, where, signal }) => `git was ended by ${signal} when asked to ${what} in ${where}`,
  remedy: 'look into the log of the system, then run the command again',
});

export const gitOutputTooLarge = defineError<{ what: string; where: string; maxBytes: number }>({
  code: 'git-output-too-large',
  means: 'git had more to say than is read at once, such as a very large file or change.',
  message: ({ what, where, maxBytes }) => `git had more than ${maxBytes} bytes to say when asked to ${what} in ${where}`,
  remedy: 'take the large files out of the change, or look at them with git itself',
});

export const notARepository = defineError<AtPath>({
  code: 'not-a-repository',
  means: 'A git repository was expected at this path or above it.',
  message: ({ path }) => `${path} is not in a git repository`,
  remedy: 'name a folder inside a repository, or make one with git init',
});

export const repositoryNotOwned = defineError<AtPath>({
  code: 'repository-not-owned',
  means: 'The repository belongs to another user. Its configuration could run programs as you, so git refuses it.',
  message: ({ path }) => `the repository at ${path} belongs to another user, so git does not trust it`,
  remedy: ({ path }) => `if you trust its owner: git config --global --add safe.directory ${JSON.stringify(path)}`,
});

export const repositoryElsewhere = defineError<AtPath & { topLevel: string }>({
  code: 'repository-elsewhere',
  means: 'The configuration of a repository (core.worktree) names a checkout that the given folder is not part of.',
  message: ({ path, topLevel }) => `the repository at ${path} has its checkout elsewhere (${topLevel})`,
  remedy: 'look at core.worktree in the configuration of this repository',
});

export const noCheckout = defineError<AtPath>({
  code: 'no-checkout',
  means: 'Something was asked that needs the files of a checkout, and the repository was opened without one.',
  message: ({ path }) => `${path} has no checkout`,
  remedy: 'name a folder inside a checkout of the repository',
});

export const indexLocked = defineError<AtPath>({
  code: 'git-locked',
  means: 'Another git command works here, or one was ended before it could remove its lock file. It is never removed for you.',
  message: ({ path }) => `${path} exists: another git command is at work here, or one was killed`,
  remedy: 'wait for the other command; when no git is running here any more, move that file aside',
});

export const worktreesBusy = defineError<AtPath>({
  code: 'worktrees-busy',
  means: 'Worktrees of one repository are added and removed one at a time, and somebody else was at it for too long. Nothing was changed.',
  message: ({ path }) => `another drover is adding or removing a worktree of ${path}`,
  remedy: 'wait until it is done, then run the command again',
});

export const effectUnknown = defineError<{ change: string; where: string; reason: string }>({
  code: 'git-effect-unknown',
  means: 'A call of git was cut off while it changed something, and whether the change was made could not be told. It may stand.',
  message: ({ change, where, reason }) => `whether ${change} in ${where} was changed is not known: ${reason}`,
  remedy: 'look with git what is there now, before the command is run again',
});

export const receiptNotWritten = defineError<{ change: string; where: string; reason: string }>({
  code: 'git-receipt-not-written',
  means: 'A change was made and stands, but that it was made could not be written down. Its receipt stays open.',
  message: ({ change, where, reason }) => `${change} in ${where} was changed, but its receipt could not be written: ${reason}`,
  remedy: 'see to the reason; the change itself need not be made again',
});

export const receiptsInReach = defineError<AtPath & { where: string }>({
  code: 'receipts-in-reach',
  means:
    'The receipts of what drover changes in a repository lie where an agent that works in it could write them. ' +
    'They would prove nothing about that agent.',
  message: ({ path, where }) => `the receipts for ${where} would be kept in ${path}, which an agent in that repository can write`,
  remedy: 'use a folder for state that is outside of the repository and of its checkouts',
});

export const receiptsChanged = defineError<AtPath>({
  code: 'receipts-changed',
  means: 'Receipts are only ever added. Those that were there when an agent was let in are not there any more as they were.',
  message: ({ path }) => `${path} was rewritten or shortened since an agent was let in`,
  remedy: 'look who writes in that folder besides drover; until then no change there can be told from that of an agent',
});

export const badRefName = defineError<OfRef>({
  code: 'bad-ref-name',
  means: 'A full name of a ref was expected, such as refs/heads/main, by the rules of git check-ref-format.',
  message: ({ ref }) => `${JSON.stringify(ref)} is not a name that a ref can have`,
  remedy: 'name the ref in full, e.g. refs/heads/main',
});

export const badGitText = defineError<{ text: string; reason: string }>({
  code: 'bad-git-text',
  means: 'A text for git (a name, a path, a message, a reason) held what git cannot be given as it is. Something else would have been stored.',
  message: ({ text, reason }) => `git cannot be given ${shortened(text)}: there is ${reason} in it`,
  remedy: 'look where that text comes from, and take the character out',
});

export const badObjectId = defineError<{ id: string }>({
  code: 'bad-object-id',
  means: 'The full name of a git object was expected: 40 or 64 hexadecimal digits in lower case.',
  message: ({ id }) => `${JSON.stringify(id)} is not the full name of a git object`,
  remedy: 'name the object by all its digits',
});

export const refBroken = defineError<{ said: string; where: string }>({
  code: 'ref-broken',
  means: 'A file of a ref holds something else than the name of an object, so nothing can be decided on it.',
  message: ({ said, where }) => `a ref in ${where} is damaged: ${said}`,
  remedy: 'look at that file below the git folder; git reflog tells what it held before',
});

export const refsUnsteady = defineError<{ where: string }>({
  code: 'refs-unsteady',
  means: 'Refs came and went while they were read, again and again, so that no listing of them could be relied upon.',
  message: ({ where }) => `the refs in ${where} change so fast that they cannot be listed`,
  remedy: 'look for a program that keeps making or removing refs there, then run the command again',
});

export const refIsSymbolic = defineError<OfRef & { target: string }>({
  code: 'ref-is-symbolic',
  means: 'A ref that only points to another one was to be moved. Moving it would cut that tie, or move the other one.',
  message: ({ ref, target }) => `${ref} only points to ${target}`,
  remedy: ({ target }) => `name ${target} instead`,
});

export const unknownRevision = defineError<{ revision: string; where: string }>({
  code: 'unknown-revision',
  means: 'A branch, tag or commit was named that the repository does not have.',
  message: ({ revision, where }) => `${where} has no commit that is called ${JSON.stringify(revision)}`,
  remedy: 'name a branch, a tag or a commit of this repository',
});

export const pathRefused = defineError<{ said: string }>({
  code: 'path-refused',
  means: 'A tree was to get a path that no checkout may have, such as one in a .git folder or above the root.',
  message: ({ said }) => `git takes no such path into a tree: ${said}`,
  remedy: 'use another name for that file',
});

export const objectMissing = defineError<{ id: string; where: string; wanted: string }>({
  code: 'object-missing',
  means: 'An object is not in the repository, is of another kind, or is damaged.',
  message: ({ id, where, wanted }) => `${where} has no readable ${wanted} ${id}`,
  remedy: 'git fsck in that repository tells what is missing or damaged',
});

export const worktreeUnknown = defineError<AtPath & { where: string }>({
  code: 'worktree-unknown',
  means: 'A worktree was named that the repository does not know. They are known by their absolute paths.',
  message: ({ path, where }) => `${where} has no worktree at ${path}`,
  remedy: 'git worktree list names those that exist',
});

export const worktreeMisled = defineError<AtPath & { where: string }>({
  code: 'worktree-misled',
  means:
    'The .git file of a worktree does not lead back to the repository that knows of it: it was rewritten, moved away, ' +
    'or is another kind of file; or several worktrees claim this place. Nothing is done there, since git would work on another repository.',
  message: ({ path, where }) => `the .git file in ${path} does not lead to ${where}, whose worktree it is`,
  remedy: 'look at that file; git worktree repair writes it anew, when nothing else was changed',
});

export const repositoryReplaced = defineError<AtPath>({
  code: 'repository-replaced',
  means: 'Where the git folder of a repository was when it was opened, a link or a file stands now. It would lead git to another repository.',
  message: ({ path }) => `${path} was a git folder when it was opened, and is none any more`,
  remedy: 'look what stands there; put the folder back, or start over in a new workspace',
});

export const placeTaken = defineError<AtPath>({
  code: 'place-taken',
  means: 'A new clone needs an absolute path at which nothing is yet.',
  message: ({ path }) => `${path} cannot be the place of a new clone: it exists, or is no absolute path`,
  remedy: 'name another place',
});

export const headDetached = defineError<AtPath>({
  code: 'head-detached',
  means: 'A commit was to be made in a checkout that stands on no branch, where it would be lost with the next checkout.',
  message: ({ path }) => `${path} stands on no branch`,
  remedy: 'put the checkout on a branch: git switch -c <name>',
});

export const repositoryTampered = defineError<{ where: string; files: readonly string[] }>({
  code: 'repository-tampered',
  means:
    'While an agent could write in a repository, files changed that make git run programs or lead it elsewhere. ' +
    'No git command runs there until a person has looked.',
  message: ({ where, files }) => `since an agent was let into ${where}, this changed: ${files.join('; ')}`,
  remedy: 'look at those files; put them back as they were, or start over in a new workspace',
});

export const snapshotTooLarge = defineError<AtPath & { most: number }>({
  code: 'configuration-too-large',
  means: 'The configuration, hooks and submodules of a repository are more files than are looked at.',
  message: ({ path, most }) => `${path} has more than ${most} files of configuration and hooks`,
  remedy: 'look for what fills the hooks or modules folder',
});

const MOST_SHOWN = 200;

function shortened(text: string): string {
  return text.length <= MOST_SHOWN ? JSON.stringify(text) : `${JSON.stringify(text.slice(0, MOST_SHOWN))}...`;
}
