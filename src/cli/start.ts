import { writeSync } from 'node:fs';
import { describeFailure } from './failure.ts';
import type { Program } from './host.ts';
import { versionText } from './version.ts';

/** Until the program is loaded, nothing that is secret can have been read. */
let masked = (text: string): string => text;

/** Runs an executable. `--version` alone is answered before anything else is loaded. */
export function start(name: string, load: () => Promise<Program>): void {
  const argv = process.argv.slice(2);
  if (argv.length === 1 && argv[0] === '--version' && printed(`${versionText(name)}\n`)) return;
  process.on('uncaughtException', endWith);
  run(load, argv).catch(endWith);
}

async function run(load: () => Promise<Program>, argv: readonly string[]): Promise<void> {
  const [program, { maskSecrets, runOnProcess }] = await Promise.all([load(), import('./process-host.ts')]);
  masked = maskSecrets;
  await runOnProcess(program, argv);
}

/** False when standard output did not take it at once: the long way tells what is wrong with it. */
function printed(text: string): boolean {
  try {
    return writeSync(1, text) === text.length;
  } catch {
    return false;
  }
}

/** After an error that nothing caught, the state of the program is unknown: say it and leave. */
function endWith(error: unknown): void {
  const { exit, text } = told(error);
  try {
    writeSync(2, `${text}\n`);
  } catch {
    // Standard error is closed or full; the exit code still tells.
  }
  process.exit(exit);
}

function told(error: unknown): { readonly exit: number; readonly text: string } {
  try {
    const { exit, lines } = describeFailure(error, process.env);
    return { exit, text: masked(lines.join('\n')) };
  } catch (missing) {
    // What describes and masks is a part of the program too. Of the two errors only this one is sure to hold no secret.
    const reason = missing instanceof Error ? missing.message : String(missing);
    return { exit: 1, text: `cannot load a part of this program: ${reason}\nrun the command again; when it stays, install the program again` };
  }
}
