import { formatOrigin, type Origin, type Setting } from '../../kernel/config/index.ts';
import type { VerbContext, VerbResult } from '../../kernel/terminal/index.ts';
import { loadSettings } from '../settings/index.ts';
import type { ConfigShowInput } from './inputs.ts';

/** `drover config show`: every setting as it is in the end, and with `--origin` where it comes from. */
export async function configShowVerb({ origin, flags }: ConfigShowInput, context: VerbContext): Promise<VerbResult> {
  const { config } = await loadSettings(context, flags);
  const [settings, warnings] = await Promise.all([config.settings(), config.warnings()]);
  const json = { settings: settings.map((each) => asDocument(each, origin ? each.origins : undefined)), files: config.files, warnings };
  return { exit: 0, json, text: (origin ? withOrigins(settings) : settings.map(lineOf)).join('\n'), errors: warnings };
}

/** TOML, so that a line can be copied into a file. */
function lineOf({ name, value }: Setting): string {
  return value === undefined ? `# ${name} is not set` : `${name} = ${JSON.stringify(value)}`;
}

/** Beyond this a long value would push all comments to the right. */
const WIDEST_COLUMN = 60;

function withOrigins(settings: readonly Setting[]): readonly string[] {
  const widths = settings.map((each) => lineOf(each).length).filter((width) => width <= WIDEST_COLUMN);
  const width = Math.max(0, ...widths);
  return settings.map((each) => `${lineOf(each).padEnd(width)}  # ${each.origins.map(formatOrigin).join(', ')}`);
}

function asDocument({ name, value, means }: Setting, origins: readonly Origin[] | undefined) {
  return { name, value: value ?? null, means, ...(origins === undefined ? {} : { origins }) };
}
