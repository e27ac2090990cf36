import { writeSync } from 'node:fs';
import { replaceFile } from '../../../../src/kernel/files/index.ts';

/** Replaces a file (first argument) as a writer (second) for each count from the third to the fourth, and prints each. */
const [path = '', writer = '', from = '', to = ''] = process.argv.slice(2);
for (let count = Number(from); count <= Number(to); count += 1) {
  await replaceFile(path, JSON.stringify({ writer: Number(writer), count, text: 'x'.repeat(3000 + count) }));
  writeSync(1, `${count}\n`);
}
