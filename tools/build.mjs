/**
 * Bundles the entries of the command line into `dist/`, after installing what is locked where that is missing.
 *
 * `node tools/build.mjs [--release]`: the entries call themselves `dev`, or by the version of package.json with
 * `--release`, which is how `npm pack` builds.
 */
import { mkdirSync, readdirSync, readFileSync, renameSync, rmdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ENTRIES, EXTERNAL } from './entries.mjs';
import { onlyAscii } from './setup/ascii.mjs';
import { provideDependencies } from './setup/dependencies.mjs';
import { inputsDigest } from './setup/digest.mjs';
import { isAlive, isMain, ROOT } from './setup/host.mjs';
import { lateRequires } from './setup/late-requires.mjs';
import { licencesOf } from './setup/licences.mjs';
import { REFERENCE_FOLDERS, referenceFiles } from './setup/reference.mjs';
import { warmUp } from './setup/warm-up.mjs';

const TOOLS = ['tools/build.mjs', 'tools/entries.mjs', 'tools/setup/ascii.mjs', 'tools/setup/late-requires.mjs', 'tools/setup/licences.mjs', 'tools/setup/reference.mjs'];
const INPUTS = ['src', ...REFERENCE_FOLDERS, 'package.json', 'package-lock.json', ...TOOLS];
const RENAME_ATTEMPTS = 10;

if (isMain(import.meta.url)) {
  const version = process.argv.includes('--release') ? packageVersion() : 'dev';
  process.exitCode = (await provideDependencies()) && (await build(version)) ? 0 : 1;
  if (version === 'dev' && process.exitCode === 0) warmUp(ROOT);
}

/** True when `dist/` is missing, made from other inputs, or a release. */
export function isStale() {
  return readStamp() !== stampOf('dev');
}

/** Resolves to false, with the reason on standard error, when the sources do not build; `dist` then stays as it was. */
export async function build(version = 'dev') {
  try {
    await replaceDist(version);
    return true;
  } catch (error) {
    process.stderr.write(`build: ${error.message}\n`);
    return false;
  }
}

/** Writes into a folder of its own below `dist.next`, then swaps it with `dist`: readers never see half a build. */
async function replaceDist(version) {
  // Taken first: an edit during the build makes the result stale, as it should.
  const stamp = stampOf(version);
  removeAbandoned();
  const next = join(ROOT, 'dist.next', String(process.pid));
  await bundle(next, definitions(version, stamp));
  writeFileSync(join(next, 'stamp'), `${stamp}\n`);
  moveIntoPlace(next, `${next}.old`);
  removeWhenEmpty(join(ROOT, 'dist.next'));
}

async function bundle(folder, define) {
  // Loaded here, because setup asks for the stamp before node_modules exists.
  const { rolldown } = await import('rolldown');
  const bundler = await rolldown({
    cwd: ROOT,
    input: ENTRIES,
    platform: 'node',
    external: EXTERNAL,
    transform: { target: 'node20', define },
    logLevel: 'warn',
    // Nothing happens when a source is loaded, so that each start loads only the files whose names it uses.
    treeshake: { moduleSideEffects: (id) => !id.startsWith(join(ROOT, 'src/')) },
    plugins: [lateRequires, onlyAscii],
  });
  const { output } = await bundler.write({
    dir: folder,
    format: 'cjs',
    entryFileNames: '[name].cjs',
    chunkFileNames: 'chunks/[name]-[hash].cjs',
    exports: 'named',
    // Without a group the bundler puts its helpers into some large chunk, which every verb then loads for their sake.
    codeSplitting: { groups: [{ name: 'command-line', test: /node_modules\/commander\// }] },
  });
  await bundler.close();
  const modules = output.flatMap((chunk) => chunk.moduleIds ?? []);
  writeFileSync(join(folder, 'THIRD-PARTY-LICENSES'), licencesOf(modules));
}

/** What stands in the sources as a name and in the program as a value. */
function definitions(version, stamp) {
  return {
    __DROVER_VERSION__: JSON.stringify(version),
    __DROVER_BUILD__: JSON.stringify(stamp),
    __BACH_REFERENCE__: JSON.stringify(referenceFiles(ROOT)),
  };
}

function packageVersion() {
  return JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')).version;
}

function stampOf(version) {
  return `${version} ${inputsDigest(ROOT, INPUTS)}`;
}

function readStamp() {
  try {
    return readFileSync(join(ROOT, 'dist', 'stamp'), 'utf8').trim();
  } catch {
    // No stamp means no whole build, which is what the caller asks about.
    return undefined;
  }
}

/** Another build may swap at the same moment; then one of the two renames fails and the swap is tried again. */
function moveIntoPlace(next, old) {
  const target = join(ROOT, 'dist');
  for (let attempt = 1; ; attempt++) {
    try {
      moveAway(target, old);
      renameSync(next, target);
      rmSync(old, { recursive: true, force: true });
      return;
    } catch (error) {
      if (attempt === RENAME_ATTEMPTS) throw error;
    }
  }
}

function moveAway(target, old) {
  rmSync(old, { recursive: true, force: true });
  try {
    renameSync(target, old);
  } catch (error) {
    if (error.code !== 'ENOENT') throw error;
  }
}

/** What a killed build left behind; folders of living builds stay. */
function removeAbandoned() {
  const parent = join(ROOT, 'dist.next');
  mkdirSync(parent, { recursive: true });
  for (const name of readdirSync(parent)) {
    if (!isAlive(Number.parseInt(name, 10))) rmSync(join(parent, name), { recursive: true, force: true });
  }
}

function removeWhenEmpty(folder) {
  try {
    rmdirSync(folder);
  } catch (error) {
    if (error.code !== 'ENOTEMPTY' && error.code !== 'ENOENT') throw error;
  }
}
