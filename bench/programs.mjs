import { join } from 'node:path';

/** The file that users start, with the node that it finds. */
export const BACH = join(import.meta.dirname, '../bin/bach');
export const NODE = 'node';
/** At once, everywhere. */
export const WIDTH = '2';
