// F11 and FC-20. Slow: more than forty programs that do not want to end, on each containment that works here, a second of grace each.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { BEHAVIOURS, type Behaviour } from '../support/process/behaviours.ts';
import { killAll, layersHere, ownSeconds, runningWith } from '../support/process/layers.ts';
import { faultCount } from '../support/fault-counts.ts';
import { testUnless } from '../support/needs.ts';
import { collector, useWorkbench } from '../support/process/workbench.ts';
import type { ContainmentLayer } from '../../src/kernel/process/index.ts';

const bench = useWorkbench();
const { layers, full } = await layersHere();
const rounds = faultCount({ ci: 1, full: 5 });
const AT_ONCE = 10;
const GRACE_MS = 1_000;

test('there are 43 behaviours, each under a name of its own', () => {
  expect(new Set(BEHAVIOURS.map(({ name }) => name)).size).toBe(43);
});

testUnless(full.length > 0 ? undefined : 'no full containment here', 'what hides on purpose is held by a full containment', () => {
  expect(BEHAVIOURS.flatMap(({ escapes = [] }) => escapes).filter((layer) => full.includes(layer))).toEqual([]);
});

/** Runs one behaviour, asks it to end once it is there, and looks for what is left by its own argument. */
async function endOf({ name, script }: Behaviour, layer: ContainmentLayer, index: number) {
  const seconds = ownSeconds();
  const out = collector();
  const log = { path: join(bench().folder, `${layer}-${index}.log`) };
  const argv = ['sh', '-c', script.replaceAll('$S', `sleep ${seconds}`).replaceAll('$E', String(process.pid)), 'sh', seconds] as const;
  const child = bench().run(argv, { ...out, log, containment: layer, graceMs: GRACE_MS });
  await Promise.race([out.seen('ready'), child.exit]);
  child.stop();
  const end = await child.exit;
  const survivors = runningWith(seconds);
  killAll(survivors);
  return { name, end, survivors, printed: readFileSync(log.path, 'latin1') };
}

describe.each(layers)('in $layer', ({ layer, available, reason }) => {
  const why = available ? undefined : `${layer}: ${reason}`;
  for (let round = 1; round <= rounds; round += 1) testUnless(why, `everything is gone when the exit is told, round ${round}`, allEnd);

  async function allEnd(): Promise<void> {
    const seen: string[] = [];
    for (let from = 0; from < BEHAVIOURS.length; from += AT_ONCE) {
      const some = BEHAVIOURS.slice(from, from + AT_ONCE);
      const ends = await Promise.all(some.map((behaviour, index) => endOf(behaviour, layer, from + index)));
      for (const [index, { name, end, survivors, printed }] of ends.entries()) {
        seen.push(name);
        expect({ name, isReady: printed.includes('ready') }).toEqual({ name, isReady: true });
        expect({ name, kind: end.kind, left: end.left }).toEqual({ name, kind: expect.stringMatching(/^(exited|signalled)$/) as string, left: [] });
        const mayEscape = some[index]?.escapes?.includes(layer) === true;
        if (mayEscape) expect(end.caveat).toContain('escaped');
        else expect({ name, survivors }).toEqual({ name, survivors: [] });
      }
    }
    expect(seen.length).toBe(BEHAVIOURS.length);
  }
});
