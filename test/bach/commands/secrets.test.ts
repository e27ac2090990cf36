import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { bachProject, runIdIn, type BachProject } from '../../support/bach-project.ts';

const HOST = 'from-the-host-4711';
const FILE = 'from-the-file-4711';
const PROJECT = 'from-the-project-4711';
const TARGET = 'from-the-target-"4711"';
const TOKEN = 'ghp_0123456789abcdefghijABCDEFGHIJ012345';
const KNOWN = [HOST, FILE, PROJECT, TARGET];
const ALL = [...KNOWN, TOKEN];

const BACHFILE = `
project "test" {}
env { PROJECT_SECRET = "${PROJECT}" }
shell "leaky" {
  env { TARGET_SECRET = "from-the-target-\\"4711\\"" }
  command = ["sh", "leak.sh", "$HOST_TOKEN", "$API_KEY", "$PROJECT_SECRET", "$TARGET_SECRET"]
}
shell "gone" { command = ["$HOST_TOKEN"] }
`;

/** Prints each value as it is, in base64, in hex and in two writes. */
const LEAK = `
for value in "$@" ${TOKEN}; do
  echo "plain $value end"
  printf %s "$value" | base64
  printf %s "$value" | od -An -tx1 | tr -d ' \\n'
  printf '\\n%.7s' "$value"
  sleep 0.1
  printf '%s\\n' "$(printf %s "$value" | tail -c +8)"
done
exit 3
`;

const options = { env: { PATH: process.env['PATH'] ?? '', HOST_TOKEN: HOST } };

function project(): BachProject {
  const made = bachProject(BACHFILE);
  made.write('leak.sh', LEAK);
  made.write('.env', `API_KEY=${FILE}\n`);
  return made;
}

function formsOf(secret: string): readonly string[] {
  const bytes = Buffer.from(secret);
  return [secret, JSON.stringify(secret).slice(1, -1), bytes.toString('base64').replace(/.?=*$/, ''), bytes.toString('hex')];
}

function leaksIn(text: string): readonly string[] {
  return [...KNOWN.flatMap(formsOf), TOKEN].filter((form) => text.includes(form));
}

function stateOf({ at }: BachProject): string {
  const files = readdirSync(at('.bach'), { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  return files.map((entry) => readFileSync(join(entry.parentPath, entry.name), 'latin1')).join('\n');
}

describe('secrets of a run', () => {
  test('are in no line, no log and no row, whichever layer of the environment they come from', async () => {
    const bach = project();
    const run = await bach.bach(['run', 'shell/leaky'], options);
    expect({ exit: run.exit, stderr: run.stderr }).toMatchObject({ exit: 1, stderr: expect.stringContaining('bach logs') });
    expect(leaksIn(run.stdout + run.stderr)).toEqual([]);
    expect(run.stdout).toContain('] plain ****************** end\n');
    expect(run.stdout).toContain('failure excerpt (shell/leaky):');
    expect(leaksIn(stateOf(bach))).toEqual([]);

    const id = runIdIn(run.stdout);
    for (const argv of [['logs', id], ['logs', id, '--last', '0'], ['logs', id, '--json'], ['runs', 'list', '--json']]) {
      const shown = await bach.bach(argv, options);
      expect(shown.exit).toBe(0);
      expect(leaksIn(shown.stdout + shown.stderr)).toEqual([]);
    }
  });

  test('are in no message about a program that is named by one', async () => {
    const bach = project();
    const run = await bach.bach(['run', 'shell/gone'], options);
    expect(run.exit).toBe(1);
    expect(leaksIn(run.stdout + run.stderr + stateOf(bach))).toEqual([]);
    expect(run.stderr).toContain('******************');
  });

  test('are masked in a log that a killed run left as it was', async () => {
    const bach = project();
    const id = runIdIn((await bach.bach(['run', 'shell/leaky'], options)).stdout);
    const log = readdirSync(bach.at('.bach/runs', id)).find((name) => name.endsWith('.log')) ?? '';
    bach.write(join('.bach/runs', id, log), `${ALL.join('\n')}\n`);
    for (const argv of [['logs', id], ['logs', id, '--last', '0'], ['logs', id, '--json']]) {
      const { stdout } = await bach.bach(argv, options);
      expect(stdout).toContain('******************');
      expect(leaksIn(stdout)).toEqual([]);
    }
  });
});
