import { randomBytes } from 'node:crypto';
import type { Clock } from '../time/index.ts';
import type { IdSource } from './source.ts';
import { uuidv7 } from './uuid.ts';

/** Ids for everything that needs a new name on this machine: UUIDs of version 7. */
export function systemIds(clock: Pick<Clock, 'wall'>): IdSource {
  return uuidv7({ clock, randomBytes });
}
