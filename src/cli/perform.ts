import { createRedaction, secretsFrom, type Redaction, type SecretNames } from '../kernel/redact/index.ts';
import {
  createReporter,
  listenForStop,
  neverStops,
  type Reporter,
  type StopRequest,
  type VerbContext,
  type VerbResult,
} from '../kernel/terminal/index.ts';
import type { Call } from './call.ts';
import { currentFolderGone } from './errors.ts';
import { describeFailure } from './failure.ts';
import type { Host } from './host.ts';
import { configuredSecretNames, NO_SECRET_NAMES } from './secret-names.ts';

/**
 * Understands a command line, runs its verb and shows the answer: a text or one JSON document on standard output,
 * errors on standard error. Answers the exit code once everything was written.
 */
export async function perform(parse: () => Call | Promise<Call>, host: Host): Promise<number> {
  const call = await understood(parse);
  if (!call.stoppable) return performOnce(call, host, neverStops());
  const { stop, close } = listenForStop(host.signals);
  const run: Call['run'] = (context) => call.run(context).finally(close);
  return performOnce({ ...call, run }, host, stop);
}

/** A command line that is wrong becomes a call that fails, so that there is one way to show an error. */
async function understood(parse: () => Call | Promise<Call>): Promise<Call> {
  try {
    return await parse();
  } catch (error) {
    return { run: () => Promise.reject(error), json: false, stoppable: false };
  }
}

async function performOnce(asked: Call, host: Host, stop: StopRequest): Promise<number> {
  const { stdout, stderr, env, clock } = host;
  const { call, secretNames } = await configured(asked, host);
  const redaction = createRedaction(secretsFrom({ env, ...secretNames }));
  const out = createReporter({ stdout, stderr, env, clock, redaction, release: stop.immediate });
  const exit = await showAnswer({ call, host, stop, out, redaction, secretNames });
  const failure = await out.finish();
  if (failure === undefined) return exit;
  show({ exit, errors: describeFailure(failure, env).lines }, out);
  await out.finish();
  return exit === 0 ? failure.exit : exit;
}

/** Where the configuration cannot be used, what it would mask is not known: a call that would show it is refused. */
async function configured(call: Call, host: Host): Promise<{ readonly call: Call; readonly secretNames: SecretNames }> {
  if (call.settings === undefined) return { call, secretNames: NO_SECRET_NAMES };
  try {
    return { call, secretNames: await configuredSecretNames(host) };
  } catch (error) {
    const refused: Call = { ...call, run: () => Promise.reject(error) };
    return { call: call.settings === 'tell' ? call : refused, secretNames: NO_SECRET_NAMES };
  }
}

interface Performance {
  readonly call: Call;
  readonly host: Host;
  readonly stop: StopRequest;
  readonly out: Reporter;
  readonly redaction: Redaction;
  readonly secretNames: SecretNames;
}

async function showAnswer({ call, redaction, ...rest }: Performance): Promise<number> {
  const { out } = rest;
  try {
    const result = await call.run(contextOf(rest));
    out.progress(undefined);
    show(call.json ? asDocument(result, redaction) : result, out);
    return result.exit;
  } catch (error) {
    const { exit, lines } = describeFailure(error, rest.host.env);
    show({ exit, errors: lines }, out);
    return exit;
  }
}

/** The folder is asked for only by a verb that uses it: help needs none. */
function contextOf({ host, stop, out, secretNames }: Omit<Performance, 'call' | 'redaction'>): VerbContext {
  const { env, clock, stdin, stdout } = host;
  const wire = stdin === undefined ? {} : { wire: { input: stdin, output: stdout } };
  return { env, clock, out, stop, secretNames, ...wire, get cwd() { return currentFolder(host); } };
}

function currentFolder(host: Host): string {
  try {
    return host.cwd();
  } catch (error) {
    throw currentFolderGone(undefined, error);
  }
}

function asDocument(result: VerbResult, { redactValue }: Redaction): VerbResult {
  const { exit, json, errors = [] } = result;
  return json === undefined ? { exit, errors } : { exit, errors, text: JSON.stringify(redactValue(json), null, 2) };
}

function show({ text = '', errors = [] }: VerbResult, out: Reporter): void {
  if (text !== '') for (const row of text.replace(/\n$/, '').split('\n')) out.line('', row);
  for (const error of errors) out.notice(error);
}
