import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { isAbsolute, join, relative } from 'node:path';
import { describe, expect, test } from 'vitest';
import { bachProject } from '../support/bach-project.ts';
import { temporaryFolder, writeFiles } from '../support/temp.ts';

const ROOT = join(import.meta.dirname, '../..');
/** Modules that only a run, or another verb than `list`, needs. */
const OF_OTHER_VERBS = /^src\/(bach\/(act\/|commands\/(run|logs|runs-list|validate)\.ts)|kernel\/process\/)/;

/** Notes every file that `require` or our own loader loads, and through hooks, which do not see those, every one that `import` does. */
const PRELOAD = {
  'preload.cjs': `
const fs = require('node:fs');
const { appendFileSync, readFileSync } = fs;
const Module = require('node:module');
const { pathToFileURL } = require('node:url');
const { load } = Module.prototype;
Module.prototype.load = function (file) {
  appendFileSync(process.env.LOADED, file + '\\n');
  return load.call(this, file);
};
fs.readFileSync = function (file, ...rest) {
  if (/\\.cjs$/.test(file) && !/[\\\\/]dist[\\\\/]code[\\\\/]/.test(file)) appendFileSync(process.env.LOADED, file + '\\n');
  return readFileSync.call(this, file, ...rest);
};
const { getBuiltinModule } = process;
process.getBuiltinModule = function (name) {
  const found = getBuiltinModule.call(this, name);
  if (found !== undefined) appendFileSync(process.env.LOADED, name + '\\n');
  return found;
};
Module.register('./hooks.mjs', pathToFileURL(__filename));
`,
  'hooks.mjs': `
import { appendFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
export async function load(url, context, next) {
  if (url.startsWith('file:')) appendFileSync(process.env.LOADED, fileURLToPath(url) + '\\n');
  return next(url, context);
}
`,
};

/** The database, as a package or as a part of newer releases of Node. */
const DATABASE = /node_modules\/@photostructure\/sqlite\/|^node:sqlite$/;

interface Loaded {
  /** Paths in the checkout. */
  readonly files: readonly string[];
  /** The modules that the bundler put into them. */
  readonly modules: readonly string[];
  readonly database: boolean;
  readonly figures: string;
}

interface Start {
  readonly program?: 'bach' | 'drover';
  readonly cwd: string;
}

/** What an executable loads for one command line. */
function loadedBy(argv: readonly string[], { program = 'bach', cwd }: Start): Loaded {
  const folder = temporaryFolder();
  writeFiles(folder, { ...PRELOAD, loaded: '' });
  const env = { ...process.env, NODE_OPTIONS: `--require=${join(folder, 'preload.cjs')}`, LOADED: join(folder, 'loaded') };
  const { status, stderr } = spawnSync(join(ROOT, 'bin', program), argv, { cwd, env, encoding: 'utf8' });
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  const names = [...new Set(readFileSync(join(folder, 'loaded'), 'utf8').trimEnd().split('\n'))];
  const paths = names.filter((name) => isAbsolute(name) && !name.startsWith(folder));
  const modules = paths.filter((path) => path.endsWith('.cjs')).flatMap((path) => modulesIn(path));
  const bytes = paths.reduce((sum, path) => sum + statSync(path).size, 0);
  const files = paths.map((path) => relative(ROOT, path));
  const figures = `${program} ${argv.join(' ')}: ${files.length} files, ${modules.length} modules, ${bytes} bytes\n${files.join('\n')}`;
  return { files, modules, database: names.some((name) => DATABASE.test(name)), figures };
}

function modulesIn(chunk: string): readonly string[] {
  return [...readFileSync(chunk, 'utf8').matchAll(/^\/\/#region (.+)$/gm)].map(([, module = '']) => module);
}

test('every file of dist/ is read as single bytes', () => {
  const files = ['bach.cjs', 'drover.cjs', ...readdirSync(join(ROOT, 'dist/chunks')).map((name) => `chunks/${name}`)];
  const others = files.filter((file) => readFileSync(join(ROOT, 'dist', file)).some((byte) => byte > 0x7f));
  expect({ others, some: files.length > 20 }).toEqual({ others: [], some: true });
});

// The figures stand on both sides, so that a failure shows them.
describe('what a command loads', () => {
  test.each(['bach', 'drover'] as const)('%s --version is answered by the entry alone', (program) => {
    const { files, modules, figures } = loadedBy(['--version'], { program, cwd: temporaryFolder() });
    const rooms = [...new Set(modules.map((module) => module.replace(/\/[^/]+$/, '')))].toSorted();
    const later = modules.filter((module) => /^src\/cli\/(\w+-program|\w+-commands|perform|process-host)\.ts$/.test(module));
    expect({ first: files.slice(0, 4), rooms, later, figures }).toEqual({
      first: [`bin/${program}`, 'bin/launch.js', 'bin/chunks.js', `dist/${program}.cjs`],
      rooms: ['src/cli'],
      later: [],
      figures,
    });
  });

  test('list loads no database and nothing of the verbs that it is not', () => {
    const { files, modules, database, figures } = loadedBy(['list'], { cwd: bachProject('shell "x" {}\n').folder });
    const packages = files.filter((path) => path.includes('node_modules/'));
    const others = modules.filter((module) => OF_OTHER_VERBS.test(module));
    const itself = modules.includes('src/bach/commands/list.ts');
    expect({ itself, packages, database, others, figures }).toEqual({ itself: true, packages: [], database: false, others: [], figures });
  });

  test('the same look sees what a run loads', () => {
    const { modules, database, figures } = loadedBy(['run', 'shell/x'], { cwd: bachProject('shell "x" { command = ["true"] }\n').folder });
    const others = modules.some((module) => OF_OTHER_VERBS.test(module));
    expect({ database, others, figures }).toEqual({ database: true, others: true, figures });
  });

  test.each([
    ['explain disk-full', 'src/desk/commands/explain.ts', /^src\/(bach|kernel\/(config|files|journal|lock|process|sql))\//],
    ['config show', 'src/desk/commands/config-show.ts', /^src\/(bach|desk\/(doctor|explain|journals)|kernel\/(journal|lock|process|sql))\/|toml-eslint-parser/],
  ])('drover %s loads its own verb and no database', (line, verb, foreign) => {
    const { modules, database, figures } = loadedBy(line.split(' '), { program: 'drover', cwd: temporaryFolder() });
    const others = modules.filter((module) => foreign.test(module));
    expect({ itself: modules.includes(verb), database, others, figures }).toEqual({ itself: true, database: false, others: [], figures });
  });
});
