import type { Traversal } from './syntax/index.ts';

/** A traversal as the words it is written with: `shell.build-release` gives `shell` and `build-release`. */
export function wordsOf({ root, steps }: Traversal): readonly string[] {
  return [root, ...steps.map((step) => (step.kind === 'attribute' ? step.name : step.key.text))];
}
