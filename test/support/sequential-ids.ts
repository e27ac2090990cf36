import type { IdSource } from '../../src/kernel/ids/index.ts';

/** Gives `<prefix>1`, `<prefix>2` and so on. */
export function sequentialIds(prefix: string): IdSource {
  let given = 0;
  return {
    next() {
      given += 1;
      return `${prefix}${given}`;
    },
  };
}
