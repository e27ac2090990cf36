import type { Sink } from './sink.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/** `FORCE_COLOR` decides when it is set, then `NO_COLOR`, then whether a capable terminal is there. */
export function wantsColour(environment: Environment, sink: Pick<Sink, 'terminal'>): boolean {
  const forced = environment['FORCE_COLOR'];
  if (forced !== undefined) return forced !== '0' && forced !== 'false';
  if ((environment['NO_COLOR'] ?? '') !== '') return false;
  return sink.terminal && environment['TERM'] !== 'dumb';
}

/** True when the last row can be repainted. */
export function canRepaint(environment: Environment, sink: Pick<Sink, 'terminal'>): boolean {
  return sink.terminal && environment['TERM'] !== 'dumb';
}

/** The width to fill: what the terminal has, or less when `COLUMNS` asks for less. */
export function usableColumns(environment: Environment, sink: Pick<Sink, 'columns'>): number | undefined {
  const widths = [Number(environment['COLUMNS']), sink.columns() ?? 0].filter(isWidth);
  return widths.length === 0 ? undefined : Math.min(...widths);
}

/** Some pseudo terminals say that they have no columns at all. */
function isWidth(columns: number): boolean {
  return Number.isInteger(columns) && columns > 0;
}
