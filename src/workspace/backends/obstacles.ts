import { displayPath, type Obstacle, type RemovalOutcome } from '../../kernel/git/index.ts';
import type { WorkspaceRemoval } from '../contract.ts';

const WORDS: Readonly<Record<Obstacle['reason'], string>> = {
  repository: 'is a repository of its own',
  mount: 'is another file system',
  'not-kept': 'cannot be kept',
  'too-large': 'is ignored, and more than is kept',
  changed: 'was written meanwhile',
};

const MOST_NAMED = 5;

type Refusal = Extract<RemovalOutcome, { readonly kind: 'refused' }>;

export function removalOf(refusal: Refusal): WorkspaceRemoval {
  return { kind: 'refused', reason: reasonOf(refusal), paths: refusal.obstacles.map(({ path }) => path) };
}

export function reasonOf({ obstacles }: Refusal): string {
  const named = obstacles.slice(0, MOST_NAMED).map(({ reason, path }) => `${path === '' ? 'its git folder' : displayPath(path)} ${WORDS[reason]}`);
  const more = obstacles.length > MOST_NAMED ? `, and ${obstacles.length - MOST_NAMED} more` : '';
  return `${named.join(', ')}${more}`;
}
