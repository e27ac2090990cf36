import { execFileSync } from 'node:child_process';

/** The mount is seen by this one program and ends with it. */
const SCRIPT = 'mount --bind "$1" "$1" && mount -o remount,bind,ro "$1" && shift && exec "$@"';

/** Words to put before a command, for which a folder then takes no writes: no right helps, not even root's. */
export function readOnly(folder: string): readonly string[] {
  return ['unshare', '--mount', 'sh', '-c', SCRIPT, 'sh', folder];
}

export function reasonAgainstMounts(): string | undefined {
  if (process.getuid?.() !== 0) return 'only root mounts a folder read-only';
  try {
    execFileSync('unshare', ['--mount', 'sh', '-c', 'mount --bind /tmp /tmp'], { stdio: 'ignore' });
    return undefined;
  } catch {
    return 'this machine lets nobody mount';
  }
}
