import { defineError } from '../errors/index.ts';

interface AtPath {
  readonly path: string;
}

export const lockDamaged = defineError<AtPath>({
  code: 'lock-damaged',
  message: ({ path }) => `${path} is not a lock file, so it cannot tell who holds it`,
  remedy: 'move the file aside when nothing is running here any more',
});

export const lockDisturbed = defineError<AtPath>({
  code: 'lock-disturbed',
  message: ({ path }) => `${path} could not be taken although nobody holds it: another process keeps looking at it`,
  remedy: 'run the command again; look for a stopped process that has this file open',
});
