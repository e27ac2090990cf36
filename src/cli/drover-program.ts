import { parseDrover } from './drover-commands.ts';
import type { Program } from './host.ts';
import { perform } from './perform.ts';

export const drover: Program = (argv, host) =>
  perform(() => parseDrover(argv, { width: host.stdout.columns(), self: host.self }), host);
