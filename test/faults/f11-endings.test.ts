// F11 and FC-20. Slow: forty programs that do not want to end, on each containment that works here, a second of grace each.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { BEHAVIOURS, type Behaviour } from '../support/process/behaviours.ts';
import { killAll, layersHere, ownSeconds, runningWith } from '../support/process/layers.ts';
import { faultCount } from '../support/fault-counts.ts';
import { collector, useWorkbench } from '../support/process/workbench.ts';
import type { ContainmentLayer } from '../../src/kernel/process/index.ts';

const bench = useWorkbench();
const { works } = await layersHere();
const rounds = faultCount({ ci: 1, full: 5 });
const AT_ONCE = 10;
const GRACE_MS = 1_000;

test('there are forty behaviours, each under a name of its own', () => {
  expect(new Set(BEHAVIOURS.map(({ name }) => name)).size).toBe(40);
});

/** Runs one behaviour, asks it to end once it is there, and looks for what is left by its own argument. */
async function endOf({ name, script }: Behaviour, layer: ContainmentLayer, index: number) {
  const seconds = ownSeconds();
  const out = collector();
  const log = { path: join(bench().folder, `${layer}-${index}.log`) };
  const argv = ['sh', '-c', script.replaceAll('$S', `sleep ${seconds}`), 'sh', seconds] as const;
  const child = bench().run(argv, { ...out, log, containment: layer, graceMs: GRACE_MS });
  await Promise.race([out.seen('ready'), child.exit]);
  child.stop();
  const end = await child.exit;
  const survivors = runningWith(seconds);
  killAll(survivors);
  return { name, end, survivors, printed: readFileSync(log.path, 'latin1') };
}

describe.each(works)('in %s', (layer) => {
  test.each(Array.from({ length: rounds }, (_, round) => round + 1))('everything is gone when the exit is told, round %i', { timeout: 300_000 }, async () => {
    const seen: string[] = [];
    for (let from = 0; from < BEHAVIOURS.length; from += AT_ONCE) {
      const some = BEHAVIOURS.slice(from, from + AT_ONCE);
      const ends = await Promise.all(some.map((behaviour, index) => endOf(behaviour, layer, from + index)));
      for (const [index, { name, end, survivors, printed }] of ends.entries()) {
        seen.push(name);
        expect({ name, isReady: printed.includes('ready') }).toEqual({ name, isReady: true });
        expect({ name, kind: end.kind, left: end.left }).toEqual({ name, kind: expect.stringMatching(/^(exited|signalled)$/) as string, left: [] });
        const mayEscape = some[index]?.escapes === true && layer === 'group';
        if (mayEscape) expect(end.caveat).toContain('escaped');
        else expect({ name, survivors }).toEqual({ name, survivors: [] });
      }
    }
    expect(seen.length).toBe(BEHAVIOURS.length);
  });
});
