import type { Verb, VerbResult } from '../../kernel/terminal/index.ts';
import { allErrors, errorCodes, errorsOf, type ErrorEntry } from '../explain/index.ts';
import { unknownErrorCode } from './errors.ts';
import type { ExplainInput } from './inputs.ts';

/** `drover explain`: what an error means and what to do, by its code; all codes without one. */
export const explainVerb: Verb<ExplainInput> = ({ code }) => Promise.resolve(code === undefined ? all() : one(code));

function all(): VerbResult {
  const errors = allErrors();
  const width = Math.max(...errors.map((each) => each.code.length));
  const lines = errors.map(({ code, means }) => `${code.padEnd(width)}  ${firstSentence(means)}`);
  return { exit: 0, json: { errors: errors.map(asDocument) }, text: lines.join('\n') };
}

function one(code: string): VerbResult {
  const errors = errorsOf(code);
  if (errors.length === 0) throw unknownErrorCode({ code, known: errorCodes() });
  return { exit: 0, json: { errors: errors.map(asDocument) }, text: errors.map(pageOf).join('\n\n') };
}

function pageOf({ code, exit, means, message, remedy, rooms }: ErrorEntry): string {
  const rows = [
    ...(message === undefined ? [] : [`says:   ${indented(message)}`]),
    ...(remedy === undefined ? [] : [`to do:  ${indented(remedy)}`]),
    `exit:   ${exit}`,
    `from:   ${rooms.join(', ')}`,
  ];
  return `${code}\n\n${means}\n\n${rows.join('\n')}`;
}

function indented(text: string): string {
  return text.replaceAll('\n', '\n        ');
}

function firstSentence(text: string): string {
  return /^.*?[.:](?= |$)/s.exec(text)?.[0].replace(/:$/, '.') ?? text;
}

function asDocument({ code, exit, means, message, remedy, rooms }: ErrorEntry) {
  return { code, exit, means, message: message ?? null, remedy: remedy ?? null, rooms };
}
