import { defineError } from '../errors/index.ts';

interface AtPath {
  readonly path: string;
}

export const lockDamaged = defineError<AtPath>({
  code: 'lock-damaged',
  means: 'A lock is a file without content, and this one holds something. Who holds it cannot be told, so that it counts neither as held nor as free.',
  message: ({ path }) => `${path} is not a lock file, so it cannot tell who holds it`,
  remedy: 'move the file aside when nothing is running here any more',
});

export const lockDisturbed = defineError<AtPath>({
  code: 'lock-disturbed',
  means: 'Nobody holds the lock, and another process looked at it for so long that it could not be taken.',
  message: ({ path }) => `${path} could not be taken although nobody holds it: another process keeps looking at it`,
  remedy: 'run the command again; look for a stopped process that has this file open',
});

export const lockLost = defineError<AtPath>({
  code: 'lock-lost',
  means: 'The file of a lock was removed, renamed or replaced while the lock was held, or the lock was given free already: another process can hold the one that is at its path now.',
  message: ({ path }) => `${path} is no longer the lock that this process holds`,
  remedy: 'leave lock files alone while something runs; look for another process that is at work here, then run the command again',
});

interface OfLease {
  readonly name: string;
}

/** How a lease went to somebody else. */
export interface Loss extends OfLease {
  readonly epoch: number;
  readonly epochNow: number;
  /** `undefined` when it is nobody's. */
  readonly heldBy: string | undefined;
  /** Why nobody can tell who has it, where that is so. */
  readonly reason?: string;
}

export const leaseLost = defineError<Loss>({
  code: 'lease-lost',
  means: 'A lease ran out, because this process was stopped or slow, and another one took it over, or its database was removed; what it wanted to write was refused.',
  message: ({ name, epoch, epochNow, heldBy, reason }) => {
    if (reason !== undefined) return `the lease of ${name} (epoch ${epoch}) is lost: ${reason}`;
    return heldBy === undefined
      ? `the lease of ${name} (epoch ${epoch}) was given up (epoch ${epochNow})`
      : `the lease of ${name} (epoch ${epoch}) was taken over by ${heldBy} (epoch ${epochNow})`;
  },
  remedy: 'look at what the other holder does, or run the command again',
});

export const leaseRequestInvalid = defineError<{ readonly reason: string }>({
  code: 'lease-request-invalid',
  means: 'A lease was asked for with a name, a holder, a token or a time that cannot be one; a fault of the program. Nothing was written.',
  message: ({ reason }) => `a lease cannot be had like this: ${reason}`,
  remedy: 'report this message',
});

export const leaseLapsed = defineError<OfLease & { reason: string }>({
  code: 'lease-lapsed',
  means: 'A lease could not be renewed before it ran out, so that another process may have taken it over.',
  message: ({ name, reason }) => `the lease of ${name} could not be renewed in time: ${reason}`,
  remedy: 'check whether the database can be reached, then run the command again',
});

export const engineHung = defineError<OfLease & { silentMs: number }>({
  code: 'engine-hung',
  means: 'The program did nothing at all for so long that its lease was no longer renewed.',
  message: ({ name, silentMs }) => `the lease of ${name} was not renewed, because this process did not answer for ${Math.round(silentMs / 1000)} s`,
  remedy: 'run the command again; when it stays, report what the process was doing',
});

export const leaseKeeperFailed = defineError<OfLease & { reason: string }>({
  code: 'lease-keeper-failed',
  means: 'The thread that renews a lease ended by itself.',
  message: ({ name, reason }) => `the lease of ${name} is no longer renewed: ${reason}`,
  remedy: 'run the command again; when it stays, report this message',
});

export const leaseWorkerMissing = defineError<AtPath>({
  code: 'lease-worker-missing',
  means: 'A file that belongs to the program is not beside it.',
  message: ({ path }) => `there is no ${path}, which renews leases`,
  remedy: 'install the program again',
});
