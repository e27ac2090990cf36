import { parseDuration } from '../../kernel/text/index.ts';
import { attributeOf, blocksOf, checkBody, checkLabels } from './block-reader.ts';
import { environmentList, environmentOf, mergeEnvironments, type EnvironmentScope } from './environment.ts';
import { stringOf, stringsOf, type Reading } from './expressions.ts';
import type { Findings } from './findings.ts';
import type { Attribute, Block, Scope } from './hcl/index.ts';
import { outputsOf } from './outputs.ts';
import type { EnvironmentEntry, Operation, Target, TargetKind } from './project.ts';
import { referencesOf, type Reference } from './references.ts';
import { LATER_VARIABLES, TARGET_SCHEMAS } from './schema.ts';

const COSTS = ['low', 'medium', 'high'];
const NANOSECONDS_PER_MILLISECOND = 1e6;
const CHILDREN = { group: 'targets', pipeline: 'steps' } as const;

export interface TargetScope {
  /** What general attributes may name. */
  readonly general: Scope;
  /** What the values of `env` may name. */
  readonly environment: EnvironmentScope;
  readonly findings: Findings;
}

/** A decoded target with the places of its references, which are checked once all targets are known. */
export interface DecodedTarget {
  readonly target: Target;
  readonly dependsOn: readonly Reference[];
  readonly children: readonly Reference[];
}

/** Reads one `shell`, `group` or `pipeline` block; nothing when its label is faulty. */
export function decodeTarget(kind: TargetKind, block: Block, scope: TargetScope): DecodedTarget | undefined {
  const schema = TARGET_SCHEMAS[kind];
  checkBody(block.body, schema, scope.findings);
  if (!checkLabels(block, schema, scope.findings)) return undefined;
  const name = targetName(kind, block, scope.findings);
  if (name === undefined) return undefined;
  const reader = new TargetReader(name, block, scope);
  const dependsOn = reader.references('depends_on');
  const children = kind === 'shell' ? [] : reader.references(CHILDREN[kind]);
  const operation = reader.operation();
  const target: Target = {
    name,
    kind,
    description: reader.text('description'),
    cost: reader.cost(),
    dependsOn: namesOf(dependsOn),
    children: namesOf(children),
    lock: reader.text('lock'),
    timeoutMs: reader.timeoutMs(),
    operation,
    runnable: operation !== undefined,
    workdir: reader.text('workdir'),
    environment: reader.environment(),
    outputs: outputsOf(attributeOf(block.body, 'outputs'), `target ${JSON.stringify(name)} outputs`, scope.findings),
    range: scope.findings.rangeOf(block.header),
  };
  return { target, dependsOn, children };
}

function namesOf(references: readonly Reference[]): readonly string[] {
  return [...new Set(references.map(({ name }) => name))];
}

/** Names stand in lines, paths and references, so they hold something and nothing that breaks a line. */
function targetName(kind: TargetKind, block: Block, findings: Findings): string | undefined {
  const label = block.labels[0];
  if (label === undefined) return undefined;
  if (label.value !== '' && !/\p{Cc}/u.test(label.value)) return `${kind}/${label.value}`;
  findings.error(label, `${kind} name must not be empty or hold control characters`);
  return undefined;
}

class TargetReader {
  readonly #subject: string;
  readonly #block: Block;
  readonly #scope: TargetScope;

  constructor(name: string, block: Block, scope: TargetScope) {
    this.#subject = `target ${JSON.stringify(name)}`;
    this.#block = block;
    this.#scope = scope;
  }

  text(attribute: string): string {
    const found = attributeOf(this.#block.body, attribute);
    return found === undefined ? '' : (stringOf(found.expression, this.#reading(attribute)) ?? '');
  }

  references(attribute: string): readonly Reference[] {
    const found = attributeOf(this.#block.body, attribute);
    if (found === undefined) return [];
    return referencesOf(found.expression, `${this.#subject} ${attribute}`, this.#scope.findings);
  }

  cost(): string {
    const found = attributeOf(this.#block.body, 'cost');
    const cost = this.text('cost');
    if (found === undefined || cost === '' || COSTS.includes(cost)) return cost;
    const message = `${this.#subject} has invalid cost ${JSON.stringify(cost)}; want low, medium, or high`;
    this.#scope.findings.error(found.expression, message);
    return '';
  }

  timeoutMs(): number | undefined {
    const found = attributeOf(this.#block.body, 'timeout');
    const text = this.text('timeout');
    if (found === undefined || text === '') return undefined;
    const duration = parseDuration(text);
    if (duration !== undefined && duration > 0n) return Number(duration) / NANOSECONDS_PER_MILLISECOND;
    const quoted = JSON.stringify(text);
    const reason =
      duration === undefined
        ? `timeout ${quoted} is invalid: want a duration such as 30s, 5m or 1h`
        : 'timeout must be greater than zero';
    this.#scope.findings.error(found.expression, `${this.#subject} ${reason}`);
    return undefined;
  }

  operation(): Operation | undefined {
    const command = this.#given('command');
    const shell = this.#given('shell');
    if (command !== undefined && shell !== undefined) {
      this.#scope.findings.error(shell.nameSpan, `${this.#subject} must use command or shell, not both`);
      return undefined;
    }
    const script = this.text('shell');
    const [program, ...rest] = command === undefined ? [] : this.#words(command);
    this.#refuseLaterVariables(command ?? shell, [script, program ?? '', ...rest]);
    if (script !== '') return { kind: 'shell', script };
    if (program === undefined) return undefined;
    if (program !== '') return { kind: 'command', argv: [program, ...rest] };
    if (command !== undefined) this.#scope.findings.error(command.expression, `${this.#subject} command must not start with an empty string`);
    return undefined;
  }

  environment(): readonly EnvironmentEntry[] {
    const list = attributeOf(this.#block.body, 'env');
    const { entries } = environmentOf(blocksOf(this.#block.body, 'env'), this.#scope.environment);
    return list === undefined ? entries : mergeEnvironments(entries, environmentList(list, this.#scope.environment));
  }

  #refuseLaterVariables(attribute: Attribute | undefined, texts: readonly string[]): void {
    const variable = LATER_VARIABLES.exec(texts.join('\n'))?.[0];
    if (attribute !== undefined && variable !== undefined) this.#scope.findings.later(attribute.expression, variable);
  }

  /** Null means that it is not set. */
  #given(name: string): Attribute | undefined {
    const found = attributeOf(this.#block.body, name);
    return found?.expression.kind === 'null' ? undefined : found;
  }

  #words(attribute: Attribute): readonly string[] {
    return stringsOf(attribute.expression, this.#reading(attribute.name)) ?? [];
  }

  #reading(attribute: string): Reading {
    return { subject: `${this.#subject} ${attribute}`, scope: this.#scope.general, findings: this.#scope.findings };
  }
}
