import { tmpdir } from 'node:os';
import { describeSystemError } from '../../kernel/errors/index.ts';
import { definedVariables, detectContainment, type ContainmentReport, type LayerReport } from '../../kernel/process/index.ts';
import { DROVER_KEYS } from '../settings/index.ts';
import { fail, ok, warn, type Check, type Finding, type Patient } from './check.ts';

const BETTER = 'install bubblewrap, or let this user make user namespaces';

/** Which containment started programs get here, and whether that is what the configuration asks for. */
export const containment: Check = {
  name: 'containment',
  run: async (patient) => {
    const report = await detected(patient);
    if ('status' in report) return report;
    const { best, layers } = report;
    return judgeContainment(layers.filter(({ layer, available }) => layer === best || !available), await wish(patient));
  },
};

/** The ways are tried in a temporary folder. */
async function detected({ env, clock, signal }: Patient): Promise<ContainmentReport | Finding> {
  try {
    return await detectContainment({ env: definedVariables(env), clock, signal });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).syscall !== 'mkdtemp') throw error;
    return fail(describeSystemError(error, { action: 'make a folder in', path: tmpdir() }).message, 'set TMPDIR to a folder that exists and that you can write');
  }
}

type Wish = 'full' | 'best' | 'partial';

/** A configuration that cannot be used asks for nothing; its own check tells that. */
async function wish({ config }: Patient): Promise<Wish> {
  const found = await config().catch(() => undefined);
  return found?.get(DROVER_KEYS.processContainment) ?? DROVER_KEYS.processContainment.fallback;
}

/** `layers`: the one that is used, and those that do not work. Exported for its test. */
export function judgeContainment(layers: readonly LayerReport[], wanted: Wish): Finding {
  const used = layers.find(({ available }) => available);
  if (used?.containment === 'full') return ok(`${used.layer}: nothing that is started can stay behind${noteOf(used)}`);
  const detail = [`${used?.layer ?? 'none'}: a program that hides on purpose can stay behind`, ...layers.flatMap(reasonOf)].join('\n');
  if (wanted === 'full') return fail(`process.containment asks for full\n${detail}`, BETTER);
  return wanted === 'partial' ? ok(detail) : warn(detail, BETTER);
}

function noteOf({ reason }: LayerReport): string {
  return reason === undefined ? '' : ` (${reason})`;
}

function reasonOf({ layer, available, reason = 'it does not work here' }: LayerReport): readonly string[] {
  return available ? [] : [`not ${layer}: ${reason}`];
}
