import { existsSync } from 'node:fs';
import type { Repository } from '../contract.ts';
import { inGitDir } from '../repository.ts';

/** What a person or an agent has begun in a checkout and neither finished nor given up. */
export type Operation = 'rebase' | 'patches' | 'merge' | 'cherry-pick' | 'revert' | 'bisection';

/** Of several the one that must be ended first. */
const SIGNS: readonly (readonly [string, Operation])[] = [
  ['rebase-merge', 'rebase'],
  ['rebase-apply/applying', 'patches'],
  ['rebase-apply', 'rebase'],
  ['MERGE_HEAD', 'merge'],
  ['CHERRY_PICK_HEAD', 'cherry-pick'],
  ['REVERT_HEAD', 'revert'],
  ['sequencer', 'cherry-pick'],
  ['BISECT_LOG', 'bisection'],
];

/** By the files with which git itself remembers it. */
export function operationUnderWay(checkout: Repository): Operation | undefined {
  return SIGNS.find(([name]) => existsSync(inGitDir(checkout, name)))?.[1];
}
