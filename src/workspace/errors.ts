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
