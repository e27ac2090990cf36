import { defineError } from '../kernel/errors/index.ts';

export const landedTreeDiffers = defineError<{ ref: string; commit: string; tree: string; checked: string }>({
  code: 'landed-tree-differs',
  means:
    'A branch was about to be moved to a commit whose files are not those that passed the checks. ' +
    'That is never done, whatever the reason; nothing was changed.',
  message: ({ ref, commit, tree, checked }) => `${ref} cannot move to ${commit}: its tree is ${tree}, and ${checked} was checked`,
  remedy: 'compare the two trees with git diff; then have the change prepared and checked anew',
});

export const checkInvalid = defineError<{ check: string; reason: string }>({
  code: 'check-invalid',
  means: 'A check has no name or no command, or a number in it that means nothing, such as a time limit below one millisecond.',
  message: ({ check, reason }) => `the check ${JSON.stringify(check)} cannot be used: ${reason}`,
  remedy: 'correct the check in the file that declares it',
});

export const checkFolderOutside = defineError<{ check: string; folder: string }>({
  code: 'check-folder-outside',
  means: 'A check was to run in a folder outside of the files that it looks at. Its folder is named relative to their root.',
  message: ({ check, folder }) => `the check ${JSON.stringify(check)} is to run in ${JSON.stringify(folder)}, which is no folder below the root of the files`,
  remedy: 'name a folder relative to the root of the repository, without leading out of it',
});

export const badWorkspaceId = defineError<{ id: string }>({
  code: 'bad-workspace-id',
  means: 'The id of a workspace becomes the name of a file and a part of the names of refs: letters, digits, dots, dashes and underscores, at most 100.',
  message: ({ id }) => `${JSON.stringify(id.slice(0, 200))} cannot be the id of a workspace`,
  remedy: 'begin with a letter or a digit, use no two dots in a row, and end neither in a dot nor in .lock',
});

export const workspaceMissing = defineError<{ id: string; path: string; reason: string }>({
  code: 'workspace-missing',
  means: 'A workspace is known by its record, but it is not at its place. A workspace that was moved by hand is not followed.',
  message: ({ id, path, reason }) => `the workspace ${id} is not at ${path}: ${reason}`,
  remedy: 'put it back to its place; what was kept of it is under refs/drover/keep/workspaces',
});

export const workspaceNotOurs = defineError<{ id: string; path: string; reason: string }>({
  code: 'workspace-not-ours',
  means: 'What stands at the place of a workspace does not carry its marker: it was put there by somebody else, or its git folder was changed. It is left alone.',
  message: ({ id, path, reason }) => `${path} is not the workspace ${id}: ${reason}`,
  remedy: 'look what is there; move it aside when it should be a workspace again',
});

export const workspaceRecordDamaged = defineError<{ path: string; reason: string }>({
  code: 'workspace-record-damaged',
  means: 'The file in which a workspace is written down cannot be understood. Nothing is guessed from it, since work could be lost.',
  message: ({ path, reason }) => `${path} is no record of a workspace: ${reason}`,
  remedy: 'look at the file; move it aside when the workspace it speaks of is gone',
});

export const workspaceHalfMade = defineError<{ id: string; path: string; reason: string }>({
  code: 'workspace-half-made',
  means: 'A workspace could not be made whole, and what there is of it holds something that cannot be kept, so that it stays.',
  message: ({ id, path, reason }) => `what was made of the workspace ${id} at ${path} cannot be taken back: ${reason}`,
  remedy: 'look what is there and move it aside; the next command clears the rest',
});
