import { existsSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { bachProject } from '../../support/bach-project.ts';

const FILE = `
shell "docs-generate" {
  command = ["gen", "$HOME", "$(RUN_DIRECTORY)/log"]
  inputs  = ["docs/reference", "cmd/gen"]
  outputs = ["docs/reference.md"]
}
shell "build" {
  shell   = <<-EOT
    mkdir -p dist
    cp $HOME dist
  EOT
  inputs  = ["internal", "docs", "cmd"]
  outputs = { bin = "dist/bach" }
}
image "app" {
  image  = "example/app"
  tags   = ["a", "b"]
  push   = true
  inputs = ["dist"]
}
group "all" {
  targets = [shell.build]
  inputs  = ["dist"]
}
`;

describe('bach provenance', () => {
  test('who makes a file, who reads it, and how to make it anew', async () => {
    const project = bachProject(FILE);
    const { exit, stdout, stderr } = await project.bach(['provenance', 'docs/reference.md']);
    expect({ exit, stderr }).toEqual({ exit: 0, stderr: '' });
    expect(stdout.split('\n')).toEqual([
      'docs/reference.md',
      'generated: true',
      'source: false',
      'generated_by:',
      '  - shell/docs-generate',
      '    operation: gen  $(RUN_DIRECTORY)/log',
      '    regenerate: bach run shell/docs-generate',
      'consumed_by:',
      '  - shell/build',
      '    operation: sh -c mkdir -p dist\\ncp  dist\\n',
      'status: unknown',
      '',
    ]);
    expect(existsSync(project.at('.bach'))).toBe(false);
  });

  test('several paths, a blank line between; a group has no operation; an image has all its commands', async () => {
    const { stdout } = await bachProject(FILE).bach(['provenance', 'dist/x', './internal/a.go', 'README.md']);
    const parts = stdout.trimEnd().split('\n\n');
    expect(parts[0]?.split('\n')).toEqual([
      'dist/x',
      'generated: false',
      'source: true',
      'generated_by: []',
      'consumed_by:',
      '  - group/all',
      '  - image/app',
      '    operation: docker build --file Dockerfile --tag example/app:a --tag example/app:b . && docker push example/app:a && docker push example/app:b',
      'status: unknown',
    ]);
    expect(parts[1]).toMatch(/^internal\/a\.go\ngenerated: false\nsource: true\n/);
    expect(parts[2]?.split('\n')).toEqual([
      'README.md',
      'generated: false',
      'source: false',
      'generated_by: []',
      'consumed_by: []',
      'status: unknown',
      'note: no declared producers or consumers',
    ]);
    expect(parts).toHaveLength(3);
  });

  test('one document for all paths', async () => {
    const { stdout } = await bachProject(FILE).bach(['provenance', '--json', 'docs/reference.md', 'unknown']);
    expect(JSON.parse(stdout)).toEqual({
      paths: [
        {
          path: 'docs/reference.md',
          generated: true,
          source: false,
          producers: [
            {
              target: 'shell/docs-generate',
              operation: 'gen  $(RUN_DIRECTORY)/log',
              regenerate_command: 'bach run shell/docs-generate',
              outputs: ['docs/reference.md'],
              inputs: ['cmd/gen', 'docs/reference'],
            },
          ],
          consumers: [
            {
              target: 'shell/build',
              operation: 'sh -c mkdir -p dist\ncp  dist\n',
              regenerate_command: 'bach run shell/build',
              outputs: ['dist/bach'],
              inputs: ['cmd', 'docs', 'internal'],
            },
          ],
          status: 'unknown',
          reasons: [],
        },
        { path: 'unknown', generated: false, source: false, producers: [], consumers: [], status: 'unknown', reasons: [] },
      ],
    });
  });

  test('an absolute path is told from the root where it lies in it, else as it is', async () => {
    const project = bachProject(FILE);
    const { stdout } = await project.bach(['provenance', '--json', project.at('dist', 'bach'), '/elsewhere//x']);
    const { paths } = JSON.parse(stdout) as { paths: readonly { path: string; generated: boolean }[] };
    expect(paths.map(({ path, generated }) => [path, generated])).toEqual([['dist/bach', true], ['/elsewhere/x', false]]);
  });

  test.each([[['provenance']], [['provenance', '--json']]])('%j is wrong use', async (argv) => {
    expect(await bachProject(FILE).bach(argv)).toEqual({
      exit: 2,
      stdout: '',
      stderr: 'provenance requires at least one path\nusage: bach provenance <path> [path ...]\n',
    });
  });
});
