import { readFileSync } from 'node:fs';

const BOOT_ID = '/proc/sys/kernel/random/boot_id';

/**
 * Names this run of the machine: the same in every process until it is started again, and never twice.
 * `undefined` where the system has no such name (macOS, no `/proc`): there nothing tells a reboot for certain.
 */
export function bootId(): string | undefined {
  try {
    return readFileSync(BOOT_ID, 'utf8').trim();
  } catch {
    // Not Linux, or a sandbox without this file: what needs the name knows how to do without.
    return undefined;
  }
}
