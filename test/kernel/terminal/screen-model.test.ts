import fc from 'fast-check';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createReporter } from '../../../src/kernel/terminal/index.ts';
import { MemorySink } from '../../support/memory-sink.ts';

const FAKED = ['setTimeout', 'setInterval', 'setImmediate', 'clearTimeout', 'clearInterval', 'clearImmediate'] as const;
beforeEach(() => void vi.useFakeTimers({ toFake: [...FAKED] }));
afterEach(() => void vi.useRealTimers());

const ERASE_TO_END = '\x1b[K';

/** Rows of an endless terminal that knows newline, carriage return and erase-to-end. */
function rowsAfter(bytes: string): readonly string[] {
  return bytes.split('\n').map((row) => row.split('\r').reduce(overwritten, ''));
}

function overwritten(row: string, piece: string): string {
  const erases = piece.startsWith(ERASE_TO_END);
  const shown = erases ? piece.slice(ERASE_TO_END.length) : piece;
  return erases ? shown : shown + row.slice(shown.length);
}

type Step =
  | { readonly do: 'line' | 'notice' | 'bytes'; readonly text: string }
  | { readonly do: 'progress'; readonly done: number }
  | { readonly do: 'clear' }
  | { readonly do: 'pass'; readonly milliseconds: number };

const text = fc.string({ maxLength: 30 });
const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ do: fc.constantFrom('line', 'notice', 'bytes'), text }),
  fc.record({ do: fc.constant('progress'), done: fc.nat({ max: 99 }) }),
  fc.record({ do: fc.constant('clear') }),
  fc.record({ do: fc.constant('pass'), milliseconds: fc.integer({ min: 0, max: 300 }) }),
);

test('whatever comes in whatever order, each line stands once and whole, and nothing is left at the end', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 40 }), async (steps) => {
      const screen = new MemorySink({ terminal: true, columns: 80 });
      const out = createReporter({ stdout: screen, stderr: screen, env: { NO_COLOR: '1' }, clock: { mono: () => 0 } });
      const expected: string[] = [];
      for (const each of steps) {
        if ('text' in each) expected.push(each.text);
        perform(each);
      }
      await out.finish();
      expect(rowsAfter(screen.text)).toEqual([...expected, '']);

      function perform(each: Step): void {
        if (each.do === 'line') out.line('', each.text);
        if (each.do === 'notice') out.notice(each.text);
        if (each.do === 'bytes') out.raw('stdout', Buffer.from(`${each.text}\n`));
        if (each.do === 'progress') out.progress({ done: each.done, total: 100, running: [] });
        if (each.do === 'clear') out.progress(undefined);
        if (each.do === 'pass') vi.advanceTimersByTime(each.milliseconds);
      }
    }),
    { seed: 20260616, numRuns: 500 },
  );
});

test('the model sees a line that was not erased', () => {
  expect(rowsAfter('1/3 a\r\x1b[Kone\n1/3 a')).toEqual(['one', '1/3 a']);
  expect(rowsAfter('a b long\rone\n')).toEqual(['one long', '']);
});
