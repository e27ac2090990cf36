import { parseBach } from './bach-commands.ts';
import { bachVerbs } from './bach-verbs.ts';
import type { Program } from './host.ts';
import { perform } from './perform.ts';

export const bach: Program = (argv, host) =>
  perform(() => parseBach(argv, { name: 'bach', verbs: bachVerbs, width: host.stdout.columns() }), host);
