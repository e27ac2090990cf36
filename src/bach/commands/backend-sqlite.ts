import { SIGNAL_EXITS, type VerbContext, type VerbResult } from '../../kernel/terminal/index.ts';
import { serveBackend } from '../act/index.ts';
import { noStandardInput } from './errors.ts';

/** `bach backend sqlite`: the state of a project over standard input and output. */
export async function backendSqliteVerb(_input: object, context: VerbContext): Promise<VerbResult> {
  const { wire, stop } = context;
  if (wire === undefined) throw noStandardInput({});
  const fault = await serveBackend(wire, context);
  const signal = stop.signal();
  if (signal !== undefined) return { exit: SIGNAL_EXITS[signal] };
  return fault === undefined ? { exit: 0 } : { exit: 1, errors: [fault] };
}
