import { mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { droverHome } from '../support/drover-home.ts';

/** Each verb with the words that it needs. */
const VERBS = ['doctor', 'config show', 'explain', 'journal check', 'selftest crash', 'bach list', 'bach run', 'bach validate', 'bach runs list', 'bach logs R'];
const OF_ITS_WORDS = ['doctor', 'config show', 'selftest crash', 'bach list', 'bach validate', 'bach runs list', 'bach logs R'];
const ODD = 'a\nb\u001b[31m';

type Case = readonly [words: readonly string[], told: string];

const UNKNOWN = VERBS.flatMap((verb): readonly Case[] => [
  [[...verb.split(' '), '--no-such'], '"--no-such"'],
  [[...verb.split(' '), `--${ODD}`], '"--a\\nb\\u001b[31m"'],
]);
const EXTRA = OF_ITS_WORDS.flatMap((verb): readonly Case[] => [
  [[...verb.split(' '), ''], '""'],
  [[...verb.split(' '), ODD], '"a\\nb\\u001b[31m"'],
]);
const VALUES: readonly Case[] = [
  [['doctor', '--set'], '--set <name=value> needs a value'],
  [['config', 'show', '--set', ''], '--set ""'],
  [['config', 'show', '--set', `${ODD}=x`], '--set "a\\nb\\u001b[31m"'],
  [['doctor', '--set', 'notify.desktop=false', '--set', 'notify.desktop='], '--set notify.desktop'],
  [['selftest', 'crash', '--scenario', ''], '--scenario ""'],
  [['selftest', 'crash', '--scenario', '1', '--scenario', '-1'], '--scenario "-1"'],
  [['explain', ''], '""'],
  [['explain', ODD], '"a\\nb\\u001b[31m"'],
  [['journal', 'check', ''], '""'],
  [['journal', 'check', ODD], '"a\\nb\\u001b[31m"'],
  [['help'], '"help"'],
  [['', 'doctor'], '""'],
];

describe('a word that cannot be understood', () => {
  test.each([...UNKNOWN, ...EXTRA, ...VALUES])('%j is wrong usage, with the word and a remedy, and changes nothing', async (words, told) => {
    const home = droverHome();
    const before = home.contents();
    for (const argv of [words, ['--json', ...words]]) {
      const { exit, stdout, stderr } = await home.drover(argv[1] === 'bach' ? ['bach', '--json', ...argv.slice(2)] : argv);
      expect({ exit, stdout }).toEqual({ exit: 2, stdout: '' });
      expect(stderr).toMatch(/^[^\p{Cc}]+\n[^\p{Cc}]+\n$/u);
      expect(stderr).toContain(told);
    }
    expect(home.contents()).toBe(before);
  });
});

describe('a file of the user that cannot be used', () => {
  const FILE = 'home/.config/drover/config.toml';
  const FILES = [
    ['corrupt', (home: ReturnType<typeof droverHome>) => home.write(FILE, 'notify = [')],
    ['huge', (home: ReturnType<typeof droverHome>) => home.write(FILE, '#'.repeat(100_000))],
    ['a folder', ({ folder }: ReturnType<typeof droverHome>) => mkdirSync(join(folder, FILE), { recursive: true })],
    ['a link that leads nowhere', ({ folder, write }: ReturnType<typeof droverHome>) => {
      write('home/.config/drover/other', '');
      symlinkSync('nowhere', join(folder, FILE));
    }],
  ] as const;

  test.each(FILES.flatMap(([name, make]) => ['config show', 'journal check', 'bach list'].map((line) => [name, line, make] as const)))(
    '%s: %s names it, with a remedy, and changes nothing',
    async (_, line, make) => {
      const home = droverHome();
      make(home);
      const before = home.contents();
      for (const argv of [line.split(' '), [...line.split(' '), '--json']]) {
        const { exit, stdout, stderr } = await home.drover(argv);
        expect({ exit, stdout }).toEqual({ exit: 1, stdout: '' });
        expect(stderr).toMatch(/^.+\n.+\n$/);
        expect(stderr).toContain(join(home.folder, FILE));
      }
      expect(home.contents()).toBe(before);
    },
  );
});
