import { writeSync } from 'node:fs';
import { replaceFile } from '../../../../src/kernel/files/index.ts';

/**
 * Replaces a file (first argument) as a writer (second) for each count from the third to the fourth, and prints each. It
 * does not come past the fifth: it replaces again and again by the count after that, without a word of it, until it is
 * killed, or nobody listens any more.
 */
const [path = '', writer = '', from = '', to = '', last = to] = process.argv.slice(2);
for (let count = Number(from); count <= Number(to); ) {
  await replaceFile(path, JSON.stringify({ writer: Number(writer), count, text: 'x'.repeat(3000 + count) }));
  const isPast = count > Number(last);
  writeSync(1, isPast ? '\n' : `${count}\n`);
  if (!isPast) count += 1;
}
