import { defineError } from '../kernel/errors/index.ts';

export const landedTreeDiffers = defineError<{ ref: string; commit: string; tree: string; checked: string }>({
  code: 'landed-tree-differs',
  means:
    'A branch was about to be moved to a commit whose files are not those that passed the checks. ' +
    'That is never done, whatever the reason; nothing was changed.',
  message: ({ ref, commit, tree, checked }) => `${ref} cannot move to ${commit}: its tree is ${tree}, and ${checked} was checked`,
  remedy: 'compare the two trees with git diff; then have the change prepared and checked anew',
});
