import { replaceFile } from '../../../../src/kernel/files/index.ts';

/** Replaces the file named by the first argument by 256 KiB, and prints what became of it. */
try {
  await replaceFile(process.argv[2] ?? '', 'x'.repeat(262_144));
  process.stdout.write('replaced');
} catch (error) {
  process.stdout.write((error as Error).message);
}
