import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'rolldown';
import { beforeAll, describe, expect, test } from 'vitest';
import type { CompletionInput } from '../../../src/bach/commands/completion.ts';
import { everyCommand, type CommandWords } from '../../../src/bach/commands/completion-words.ts';
import { pack } from '../../../src/bach/store/kept/pack.ts';
import { unpack } from '../../../src/bach/store/kept/unpack.ts';
import { checkBachfile } from '../../../src/bach/commands/load-project.ts';
import * as later from '../../../src/bach/model/later/schemas.ts';
import * as schemas from '../../../src/bach/model/schema.ts';
import type { BlockSchema } from '../../../src/bach/model/schema.ts';
import { readReference, referenceFiles } from '../../../src/bach/store/index.ts';
import { parseBach } from '../../../src/cli/bach-commands.ts';
import type { Program } from '../../../src/cli/host.ts';
import { perform } from '../../../src/cli/perform.ts';
import { neverStops, type VerbContext } from '../../../src/kernel/terminal/index.ts';
import { formatDiagnostic } from '../../../src/kernel/text/index.ts';
import { systemClock } from '../../../src/kernel/time/index.ts';
import { referenceFiles as embedded } from '../../../tools/setup/reference.mjs';
import { stubVerbs, type Called } from '../../cli/fixtures/stub-verbs.ts';
import { bachProject } from '../../support/bach-project.ts';
import { runCli } from '../../support/cli.ts';

const ROOT = join(import.meta.dirname, '../../..');
const files = referenceFiles();
const { sections, assets } = readReference(files);
const pages = files.filter(({ path }) => path.endsWith('.md'));
const everything = pages.map(({ text }) => text).join('\n');

/** The sections that have to tell what a block takes. */
const TOLD_IN: Readonly<Record<string, readonly string[]>> = {
  FILE_SCHEMA: [],
  PROJECT_SCHEMA: ['project'],
  BACKEND_SCHEMA: ['backend'],
  VARIABLE_SCHEMA: ['variables'],
  ENVIRONMENT_SCHEMA: ['environment'],
  PROFILE_SCHEMA: ['profiles'],
  INPUT_SCHEMA: ['inputs'],
  RESOURCE_SCHEMA: ['resources'],
  PROMPT_SCHEMA: ['prompts'],
  PLUGIN_SCHEMA: ['plugins'],
  ALIAS_SCHEMA: ['aliases'],
  'TARGET_SCHEMAS.shell': ['common-fields', 'shell-targets'],
  'TARGET_SCHEMAS.image': ['common-fields', 'image-targets'],
  'TARGET_SCHEMAS.group': ['common-fields', 'group-targets'],
  'TARGET_SCHEMAS.pipeline': ['common-fields', 'pipeline-targets'],
  'TARGET_SCHEMAS.agent': ['common-fields', 'agent-targets'],
  RETRY_SCHEMA: ['retry'],
  COMPLETION_SCHEMA: ['completion-contracts'],
  PROVIDER_SCHEMA: ['providers'],
  AGENT_TEMPLATE_SCHEMA: ['agent-templates'],
  WORKSPACE_SCHEMA: ['agent-templates'],
  GIT_SCHEMA: ['agent-templates'],
  IMPROVE_SCHEMA: ['agent-targets'],
  POLICY_SCHEMA: ['policies'],
  GATE_SCHEMA: ['policies'],
  QUALITY_SCHEMA: ['quality'],
  REPORT_SCHEMA: ['quality'],
  REGO_SCHEMA: ['quality'],
  FACTORY_SCHEMA: ['factories'],
  WORKFLOW_SCHEMA: ['factories'],
  'PHASE_SCHEMAS.plan': ['factories'],
  'PHASE_SCHEMAS.implement': ['factories'],
  'PHASE_SCHEMAS.merge': ['factories'],
  'PHASE_SCHEMAS.deploy': ['factories'],
  'PHASE_SCHEMAS.verify': ['factories'],
  TRIGGERS_SCHEMA: ['factories'],
  MANUAL_SCHEMA: ['factories'],
  TRIGGER_SCHEMA: ['factories'],
  ROUTE_SCHEMA: ['factories'],
};

/** Every schema that the two tables export, by its name there. */
function allSchemas(): readonly (readonly [string, BlockSchema])[] {
  return Object.entries({ ...schemas, ...later }).flatMap(([name, value]) => {
    if (name.endsWith('_SCHEMA')) return [[name, value as BlockSchema] as const];
    if (!name.endsWith('_SCHEMAS')) return [];
    return Object.entries(value).map(([kind, schema]) => [`${name}.${kind}`, schema as BlockSchema] as const);
  });
}

function textOf(slugs: readonly string[]): string {
  if (slugs.length === 0) return everything;
  return sections.filter(({ slug }) => slugs.includes(slug)).map(({ whole }) => whole).join('\n');
}

/** `word` or `word <label>`, as code. */
function isTold(word: string, text: string): boolean {
  return new RegExp(`\`${word}( "?[\\w.]+"?)?\``).test(text) || new RegExp(`^ *${word}( "[\\w.]+")* (=|\\{)`, 'm').test(text);
}

describe('the pages tell all that the language has', () => {
  test('each schema has its sections', () => {
    expect(allSchemas().map(([name]) => name).toSorted()).toEqual(Object.keys(TOLD_IN).toSorted());
    for (const slugs of Object.values(TOLD_IN)) for (const slug of slugs) expect(sections.map((section) => section.slug)).toContain(slug);
  });

  test.each(allSchemas())('%s', (name, { attributes, blocks }) => {
    const text = textOf(TOLD_IN[name] ?? []);
    expect([...attributes, ...blocks].filter((word) => !isTold(word, text))).toEqual([]);
  });

  test.each(['git_short_sha', 'git_dirty_suffix', 'file_hash'])('function %s', (name) => {
    expect(everything).toContain(`\`${name}(`);
  });

  test('what a later release runs is said to be checked only', () => {
    expect(textOf(['blocks-of-later-releases'])).toMatch(/decoded and checked now[^]*does not run/);
    for (const heading of ['agent-targets', 'agent-templates', 'policies', 'quality', 'factories', 'providers']) {
      expect(sections.find(({ slug }) => slug === heading)?.file).toBe('docs/reference/later.md');
    }
  });
});

describe('the pages tell all that the command line has', () => {
  const commands: CommandWords[] = [];

  beforeAll(async () => {
    const called: Called[] = [];
    const program: Program = (argv, host) => perform(() => parseBach(argv, { name: 'bach', verbs: stubVerbs(called), width: undefined }), host);
    await runCli(program, ['completion', 'bash']);
    const [{ input } = { input: undefined }] = called;
    commands.push(...everyCommand((input as CompletionInput).program));
  });

  test('each command', () => {
    const untold = commands.filter(({ path }) => !new RegExp(`\`${['bach', ...path].join(' ')}\\b`).test(everything));
    expect(untold.map(({ path }) => path)).toEqual([]);
    expect(commands.length).toBeGreaterThan(8);
  });

  test('each option, also by its short name', () => {
    const untold = commands.flatMap(({ path, flags }) =>
      flags.flatMap(({ names }) => names.filter((name) => !new RegExp(`\`${name}(\`| <)`).test(everything)).map((name) => [...path, name].join(' '))),
    );
    expect(untold).toEqual([]);
  });
});

const INPUT = { file: 'Bachfile', vars: [], profiles: [], json: false, verbose: false };

function contextIn(cwd: string): VerbContext {
  const silent = { line: () => {}, record: () => {}, progress: () => {}, raw: () => {}, notice: () => {}, drained: async () => {} };
  return { cwd, env: {}, out: silent, clock: systemClock(), secretNames: { extra: [], except: [] }, stop: neverStops() };
}

describe('the pages are right in themselves', () => {
  test('a slug leads to one section', () => {
    const slugs = [...sections, ...assets].map(({ slug }) => slug);
    expect(slugs.filter((slug, index) => slug === '' || slugs.indexOf(slug) !== index)).toEqual([]);
  });

  test.each(pages.map(({ path, text }) => [path, text] as const))('%s begins with its title and links to what is there', (path, text) => {
    expect(text).toMatch(/^# [^\n]+\n/);
    const links = [...text.matchAll(/\]\(([^)#]+)\)/g)].map(([, link = '']) => link);
    expect(links.filter((link) => !existsSync(join(ROOT, path, '..', link)))).toEqual([]);
  });

  const examples = pages.flatMap(({ path, text }) => [...text.matchAll(/```hcl\n([^]*?)```/g)].map(([, code = ''], index) => [path, index, code] as const));

  test.each(examples)('%s, example %i is valid without a warning', async (_path, _index, code) => {
    const { folder } = bachProject(code);
    const { project, diagnostics } = await checkBachfile(INPUT, contextIn(folder), { fileHash: async () => ({ value: '0123456789ab' }) });
    expect(diagnostics.map(formatDiagnostic)).toEqual([]);
    expect(project).toBeDefined();
    // As `.bach/cache` has it.
    expect(unpack(pack(project) ?? '')).toStrictEqual(project);
  });

  test.each(assets.map(({ file, content }) => [file, content] as const))('%s is a schema of 2020-12', (_file, content) => {
    expect(JSON.parse(content)).toMatchObject({ $schema: 'https://json-schema.org/draft/2020-12/schema', additionalProperties: false });
  });
});

describe('the program has the pages in it', () => {
  test('what the build puts in is what the checkout has', () => {
    expect(embedded(ROOT)).toEqual(files);
  });

  test('a bundle reads no file for them', async () => {
    const define = { __BACH_REFERENCE__: JSON.stringify([{ path: 'docs/reference/x.md', text: '# X `${y}` "z"\n' }]) };
    const input = join(ROOT, 'src/bach/store/reference-pages.ts');
    const { output } = await build({ input, platform: 'node', transform: { define }, write: false, output: { format: 'esm' } });
    const code = output[0].code;
    expect(code).not.toContain('readFileSync');
    const bundled = (await import(`data:text/javascript,${encodeURIComponent(code)}`)) as { referenceFiles: () => unknown };
    expect(bundled.referenceFiles()).toEqual([{ path: 'docs/reference/x.md', text: '# X `${y}` "z"\n' }]);
  });
});
