import { describe, expect, test } from 'vitest';
import { droverHome } from '../support/drover-home.ts';

const BACHFILE = `
project "test" {}
env { PROJECT_CODE = "from-the-project-4711" }
shell "leak" { command = ["echo", "$HOST_CODE", "$CACHE_KEY", "$PROJECT_CODE"] }
`;
const CONFIG = 'home/.config/drover/config.toml';
const env = { HOST_CODE: 'from-the-host-4711', CACHE_KEY: 'from-the-cache-4711' };

function home() {
  const made = droverHome();
  made.write('project/Bachfile', BACHFILE);
  return made;
}

/** What a run shows and what it keeps, with their names taken out. */
async function leaked(made: ReturnType<typeof home>) {
  const { exit, stdout } = await made.drover(['bach', 'run', 'shell/leak'], { env });
  expect(exit).toBe(0);
  // The project's own value stands in its Bachfile.
  const kept = made.contents().replace(JSON.stringify(BACHFILE), '');
  return ['from-the-host-4711', 'from-the-cache-4711', 'from-the-project-4711'].map((value) => [stdout.includes(value), kept.includes(value)]);
}

describe('the configuration of secrets', () => {
  test('without one, names alone decide', async () => {
    expect(await leaked(home())).toEqual([
      [true, true],
      [false, false],
      [true, true],
    ]);
  });

  test('adds variables and takes others out, in what is shown and in what is kept', async () => {
    const made = home();
    made.write(CONFIG, 'redact.extra = ["HOST_CODE", "PROJECT_CODE"]\nredact.except = ["CACHE_KEY"]\n');
    expect(await leaked(made)).toEqual([
      [false, false],
      [true, true],
      [false, false],
    ]);
  });

  test('may come from a project', async () => {
    const made = home();
    made.write('project/.drover/config.toml', 'redact.extra = ["HOST_CODE"]\n');
    expect((await leaked(made))[0]).toEqual([false, false]);
  });

  test('may come from a variable', async () => {
    const { stdout } = await home().drover(['bach', 'run', 'shell/leak'], { env: { ...env, DROVER_REDACT_EXTRA: 'PROJECT_CODE' } });
    expect(stdout).not.toContain('from-the-project-4711');
    expect(stdout).toContain('from-the-host-4711');
  });

  test('that cannot be used refuses what it might have masked, and lets the doctor look', async () => {
    const made = home();
    made.write(CONFIG, 'redact.extra = 7\n');
    const before = made.contents();
    const { exit, stdout, stderr } = await made.drover(['bach', 'run', 'shell/leak', '--json'], { env });
    expect({ exit, stdout }).toEqual({ exit: 1, stdout: '' });
    expect(stderr).toMatch(/config\.toml:1:\d+: redact\.extra: expected .*\n.+\n$/);
    expect(made.contents()).toBe(before);
    expect((await made.drover(['explain', 'disk-full'], { env })).exit).toBe(0);
    expect((await made.drover(['bach', '--help'], { env })).exit).toBe(0);
  });
});
