import { describe, expect, test } from 'vitest';
import { readReference, slugOf } from '../../../src/bach/store/reference-pages-sections.ts';
import { bach } from '../../../src/cli/bach-program.ts';
import { runCli, type CliResult } from '../../support/cli.ts';
import { temporaryFolder } from '../../support/temp.ts';

function reference(...words: readonly string[]): Promise<CliResult> {
  return runCli(bach, ['reference', ...words], { cwd: temporaryFolder() });
}

interface Answer {
  readonly sections: readonly { readonly file: string; readonly slug: string; readonly heading: string; readonly text: string }[];
  readonly assets: readonly { readonly file: string; readonly slug: string; readonly title: string; readonly content: string }[];
}

async function answerTo(...words: readonly string[]): Promise<Answer> {
  const { exit, stdout, stderr } = await reference(...words, '--json');
  expect({ exit, stderr }).toEqual({ exit: 0, stderr: '' });
  return JSON.parse(stdout) as Answer;
}

describe('without a query', () => {
  test('the headings below their file, then the schemas', async () => {
    const { exit, stdout, stderr } = await reference();
    expect({ exit, stderr }).toEqual({ exit: 0, stderr: '' });
    const lines = stdout.split('\n');
    expect(lines[0]).toBe('Reference topics:');
    const [file, shell, assets, schema] = ['targets.md', /^ {2}shell-targets +Shell Targets$/, 'Embedded assets:', /^ {2}quality-plugin-report-schema +Quality plugin report$/].map(
      (wanted) => lines.findIndex((line) => (typeof wanted === 'string' ? line === wanted : wanted.test(line))),
    );
    expect(file).toBeGreaterThan(0);
    expect(shell).toBeGreaterThan(file ?? 0);
    expect(assets).toBeGreaterThan(shell ?? 0);
    expect(schema).toBeGreaterThan(assets ?? 0);
  });

  test('as a document', async () => {
    const { stdout } = await reference('--json');
    const { topics, assets } = JSON.parse(stdout) as { topics: readonly object[]; assets: readonly object[] };
    expect(topics).toContainEqual({ file: 'docs/reference/targets.md', slug: 'shell-targets', heading: 'Shell Targets', level: 2 });
    expect(assets).toContainEqual({
      file: 'docs/schemas/quality-plugin-report.schema.json',
      slug: 'quality-plugin-report-schema',
      title: 'Quality plugin report',
    });
  });

  test.each([[['']], [[' ', ' ']]])('%j is no query', async (words) => {
    expect((await reference(...words)).stdout).toBe((await reference()).stdout);
  });
});

describe('a query', () => {
  test.each([
    [['shell-targets'], ['shell-targets']],
    [['Shell', 'Targets'], ['shell-targets']],
    [['SHELL  TARGETS'], ['shell-targets']],
    [['project'], ['project']],
    [['plugins'], ['plugins']],
    [['completion-con'], ['completion-contracts']],
    [['group-t'], ['group-targets']],
  ])('%j names sections by heading, slug, or the beginning of a slug', async (words, slugs) => {
    const { sections, assets } = await answerTo(...words);
    expect(sections.map(({ slug }) => slug)).toEqual(slugs);
    expect(assets).toEqual([]);
  });

  test('a section comes with its subsections, and once', async () => {
    const { stdout } = await reference('plugins');
    expect(stdout).toMatch(/^# Plugins\n/);
    expect(stdout.match(/^## Graph Plugins$/gm)).toHaveLength(1);
    expect(stdout).toContain('\n## Quality Plugins\n');
    const inner = await reference('graph-plugins');
    expect(inner.stdout).toMatch(/^## Graph Plugins\n/);
    expect(inner.stdout).not.toContain('## Quality Plugins');
  });

  test.each(['quality-plugin-report-schema', 'quality-plugin-report.schema.json', 'docs/schemas/quality-plugin-report.schema.json', 'Quality Plugin Report'])(
    '%s names the schema, and only that',
    async (name) => {
      const { sections, assets } = await answerTo(name);
      expect(sections).toEqual([]);
      expect(assets.map(({ slug }) => slug)).toEqual(['quality-plugin-report-schema']);
    },
  );

  test('a schema is printed under its title, as a fenced block that is valid JSON', async () => {
    const { stdout } = await reference('quality-plugin-report-schema');
    const [, body = ''] = /^# Quality plugin report\n\n```json\n([^]*)\n```\n$/.exec(stdout) ?? [];
    expect(JSON.parse(body)).toMatchObject({ type: 'object', anyOf: [{ required: ['metrics'] }, { required: ['findings'] }] });
  });

  test('a part of the name of a schema finds it, beside a section that is named so', async () => {
    const { sections, assets } = await answerTo('backend');
    expect(sections.map(({ slug }) => slug)).toEqual(['backend']);
    expect(assets.map(({ slug }) => slug)).toEqual(['backend-evidence-ref-v1-schema', 'backend-run-v1-schema']);
  });

  test('other words are looked for in the text, and only the innermost section is printed', async () => {
    const { sections } = await answerTo('kill', 'five', 'SECONDS');
    expect(sections.map(({ slug }) => slug)).toEqual(['timeouts']);
    const { sections: many } = await answerTo('OCI_BUILDER');
    expect(many.map(({ text }) => text.split('\n')[0])).toEqual(['## Image Targets']);
  });

  test('nothing found is exit code 1, with the query as it was given and the nearest topic', async () => {
    const told = 'see the headings there are with: bach reference\n';
    expect(await reference('Xyzzy', 'plugh')).toEqual({ exit: 1, stdout: '', stderr: `no reference entries matched "Xyzzy plugh"\n${told}` });
    const near = await reference('shell-tragets');
    expect(near).toEqual({ exit: 1, stdout: '', stderr: `no reference entries matched "shell-tragets"; did you mean "shell-targets"?\n${told}` });
    expect(await reference('xyzzy', '--json')).toMatchObject({ exit: 1, stdout: '' });
  });
});

describe('pages are cut at their headings', () => {
  const text = '# One\n\nfirst\n\n```hcl\n# vim: set ft=hcl :\n```\n\n## Two  Words!\nsecond\n### Three\nthird\n#four\n## Five\n';
  const { sections } = readReference([{ path: 'docs/reference/x.md', text }]);

  test('but not at a comment inside a block, nor without a blank', () => {
    expect(sections.map(({ slug, level }) => [slug, level])).toEqual([['one', 1], ['two-words', 2], ['three', 3], ['five', 2]]);
  });

  test('own text ends at the next heading, whole text at one that is as high', () => {
    expect(sections.map(({ own }) => own.split('\n').at(-1))).toEqual(['```', 'second', '#four', '## Five']);
    expect(sections.map(({ whole }) => whole.split('\n').at(-1))).toEqual(['## Five', '#four', '#four', '## Five']);
  });

  test('a schema without title is called like its file', () => {
    const { assets } = readReference([{ path: 'docs/schemas/x-v1.schema.json', text: '{}\n' }]);
    expect(assets).toEqual([{ file: 'docs/schemas/x-v1.schema.json', slug: 'x-v1-schema', title: 'x-v1.schema.json', content: '{}' }]);
  });

  test.each([['Fingerprints and Cache', 'fingerprints-and-cache'], ['  A.b_c  ', 'a-b-c'], ['!', '']])('%j is %j', (heading, slug) => {
    expect(slugOf(heading)).toBe(slug);
  });
});
