import { describe, expect, test } from 'vitest';
import { registerSteps, type StepRows } from '../../src/engine/index.ts';
import { stepTable } from '../../src/engine/registry.ts';
import { registeredSteps } from '../../src/engine/toy/step-rows.ts';
import { handlers, type Bench, type Shapes } from './support/bench-run.ts';

const write = { write: 'a | file', leaves: 'a file', repairedBy: 'nobody' };
const rows: StepRows<Shapes> = { work: [write, { ...write, write: 'second' }], rest: [write] };

/** What only a program that was not compiled could hand over. */
const register = (given: object, declared: object) => registerSteps<Shapes, Bench>('test', { handlers: given as never, rows: declared as never });

describe('registering', () => {
  test('names the kinds of a system', () => {
    expect(registerSteps('test', { handlers: handlers({}), rows })).toEqual({
      system: 'test',
      kinds: [
        { kind: 'rest', writes: rows.rest },
        { kind: 'work', writes: rows.work },
      ],
    });
    expect(registeredSteps.kinds.map(({ kind }) => kind)).toEqual(['claim', 'run', 'commit', 'move', 'finish']);
  });

  test.each([
    ['a kind without reconcile', { work: { perform: () => undefined } }, { work: [write] }, '"work" has no reconcile'],
    ['a kind without perform', { work: { reconcile: () => undefined } }, { work: [write] }, '"work" has no perform'],
    ['a kind without a row', handlers({}), { rest: [write] }, '"work" has no row'],
    ['a kind with an empty row', handlers({}), { ...rows, work: [] }, '"work" has no row'],
    ['a row without a handler', handlers({}), { ...rows, old: [write] }, '"old" has a row and no handler'],
  ])('refuses %s', (_name, given, declared, message) => {
    expect(() => register(given, declared)).toThrow(expect.objectContaining({ code: 'step-table-gap', message: expect.stringContaining(message) }));
  });

  test('a kind without reconcile or without a row does not compile', () => {
    const { work } = handlers({});
    // @ts-expect-error: rest has no handler
    const lacking: Parameters<typeof registerSteps<Shapes, Bench>>[1]['handlers'] = { work };
    // @ts-expect-error: reconcile is missing
    const halfDone: (typeof lacking)['work'] = { perform: work.perform };
    // @ts-expect-error: work has no rows
    const rowless: StepRows<Shapes> = { rest: [write] };
    expect([lacking, halfDone, rowless]).toHaveLength(3);
  });
});

test('the table has a row for each write, in order, between those of the engine', () => {
  const table = stepTable([registerSteps('test', { handlers: handlers({}), rows })]).split('\n');
  expect(table.map((row) => row.split(' | ').slice(0, 2).join(' | '))).toEqual([
    '| step | durable write',
    '|---|---|---|---|',
    '| every step, first | intent in the step log',
    '| test: rest | a \\| file',
    '| test: work | a \\| file',
    '| test: work | second',
    '| every step, last | receipt in the step log',
  ]);
});
