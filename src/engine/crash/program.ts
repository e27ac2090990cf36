import { join } from 'node:path';
import { readBytes } from '../../kernel/files/index.ts';
import { crashProgramFailed } from '../errors.ts';
import { runChild, type CrashHost } from './child.ts';
import type { CrashScenario } from './scenario.ts';

const MOST_BYTES = 2 ** 20;

interface Listed {
  readonly name: string;
  readonly prepared: CrashScenario['prepared'];
}

/**
 * The scenarios of a program that understands `list <file>`, `prepare <scenario> <folder> <marker>` and
 * `run <scenario> <folder> <marker> <end state>`: a system brings its crash tests as one such program, so that nothing else of
 * the product reaches it.
 */
export async function scenariosOf(
  program: readonly [string, ...string[]],
  { folder, ...host }: CrashHost & { readonly folder: string },
): Promise<readonly CrashScenario[]> {
  const list = join(folder, 'scenarios.json');
  const end = await runChild({ argv: [...program, 'list', list], cwd: folder, log: join(folder, 'list.log') }, host);
  if (end.end !== 'exit 0') throw crashProgramFailed({ what: `${program.join(' ')} list:`, ...end });
  const listed = JSON.parse(Buffer.from(readBytes(list, { maxBytes: MOST_BYTES })).toString('utf8')) as readonly Listed[];
  return listed.map(({ name, prepared }) => ({
    name,
    prepared,
    prepare: ({ work, marker }) => [...program, 'prepare', name, work, marker],
    run: ({ work, marker, endState }) => [...program, 'run', name, work, marker, endState],
  }));
}
