import { isHeld, tryLock } from '../../../../src/kernel/lock/index.ts';
import { sqliteLibrary } from '../../../../src/kernel/sql/driver.ts';

/** Looks at the lock of the first argument and tries to take it without the rights of root, and prints what it met. */
const path = process.argv[2] ?? '';
sqliteLibrary();
if (process.getuid?.() === 0) {
  process.setgid?.(65_534);
  process.setuid?.(65_534);
}

function met(work: () => unknown): unknown {
  try {
    return work();
  } catch (error) {
    const { code, message } = error as { code?: string; message?: string };
    return { code, message };
  }
}

process.stdout.write(JSON.stringify({ look: met(() => isHeld(path)), take: met(() => tryLock(path)) }));
