import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdirSync, readdirSync, readFileSync, renameSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { bachProject } from '../support/bach-project.ts';
import { temporaryFolder, writeFiles } from '../support/temp.ts';

const ROOT = join(import.meta.dirname, '../..');

/** The launchers beside a `dist/` whose entries are the given texts. */
function launchersWith(entries: Readonly<Record<string, string>>): string {
  const folder = temporaryFolder();
  cpSync(join(ROOT, 'bin'), join(folder, 'bin'), { recursive: true });
  // Like the package: everything but bin/ is ESM by default.
  writeFiles(folder, { 'package.json': '{ "type": "module" }\n', ...entries });
  return folder;
}

describe.each(['bach', 'drover'])('bin/%s', (name) => {
  test('runs the bundled entry with its arguments and its exit code', () => {
    const folder = launchersWith({
      [`dist/${name}.cjs`]: 'process.stdout.write(process.argv.slice(2).join("|")); process.exitCode = 7;\n',
    });
    const { status, stdout, stderr } = spawnSync(join(folder, 'bin', name), ['a b', '--c'], { encoding: 'utf8' });
    expect({ status, stdout, stderr }).toEqual({ status: 7, stdout: 'a b|--c', stderr: '' });
  });

  test('keeps for the entry what Node knows as options of its own', () => {
    const entry = 'process.stdout.write(JSON.stringify([process.argv.slice(2), process.execArgv, process.env.ADDED ?? null]));';
    const folder = launchersWith({ [`dist/${name}.cjs`]: entry, '.env': 'ADDED=yes\n' });
    for (const argv of [['run', '--env-file', 'none'], ['--env-file=.env'], ['--env-file-if-exists', '.env', '--', '--check']]) {
      const { status, stdout } = spawnSync(join(folder, 'bin', name), argv, { cwd: folder, encoding: 'utf8' });
      expect({ status, stdout }).toEqual({ status: 0, stdout: JSON.stringify([argv, [], null]) });
    }
  });

  test('says in one line what to do before the first build', () => {
    const { status, stdout, stderr } = spawnSync(join(launchersWith({}), 'bin', name), [], { encoding: 'utf8' });
    expect({ status, stdout }).toEqual({ status: 1, stdout: '' });
    expect(stderr).toMatch(/^[^\n]*npm run build[^\n]*\n$/);
  });

  test('an error inside the entry is not taken for a missing build', () => {
    const folder = launchersWith({ [`dist/${name}.cjs`]: "require('no-such-module');\n" });
    const { status, stderr } = spawnSync(join(folder, 'bin', name), [], { encoding: 'utf8' });
    expect(status).toBe(1);
    expect(stderr).toContain("Cannot find module 'no-such-module'");
  });

  test('works through the symbolic link that npm makes', () => {
    const folder = launchersWith({ [`dist/${name}.cjs`]: "process.stdout.write('here');\n" });
    mkdirSync(join(folder, '.bin'));
    symlinkSync(join('..', 'bin', name), join(folder, '.bin', name));
    expect(spawnSync(join(folder, '.bin', name), [], { encoding: 'utf8' }).stdout).toBe('here');
  });

  test('a signal reaches the program itself', async () => {
    const entry = "process.on('SIGTERM', () => process.exit(5)); process.stdout.write(`${process.pid}\\n`); setInterval(() => {}, 1000);\n";
    const child = spawn(join(launchersWith({ [`dist/${name}.cjs`]: entry }), 'bin', name), { stdio: ['ignore', 'pipe', 'inherit'] });
    const [chunk] = (await once(child.stdout, 'data')) as [Buffer];
    expect(Number(chunk.toString('utf8'))).toBe(child.pid);
    child.kill('SIGTERM');
    expect(await once(child, 'exit')).toEqual([5, null]);
  });
});

describe('the files of dist/', () => {
  const CHUNK = "exports.count = (globalThis.count = (globalThis.count ?? 0) + 1); exports.say = () => 'said'; exports.place = __filename;\n";
  const ENTRY = "const a = () => require('./chunks/a.cjs'); process.stdout.write(`${a().say()} ${a().count}${a().count} ${require('node:path').basename(a().place)}`);\n";
  const said = 'said 11 a.cjs';
  const codeOf = (folder: string): string => join(folder, 'dist/code', `${process.version}-${process.arch}`);
  const start = (folder: string) => {
    const { status, stdout, stderr } = spawnSync(join(folder, 'bin/bach'), [], { encoding: 'utf8' });
    return { status, stdout, stderr };
  };
  const built = (): string => launchersWith({ 'dist/bach.cjs': ENTRY, 'dist/chunks/a.cjs': CHUNK });

  test('are loaded once each, and what V8 made of them is kept for the next start', () => {
    const folder = built();
    expect(start(folder)).toEqual({ status: 0, stdout: said, stderr: '' });
    expect(readdirSync(codeOf(folder)).toSorted()).toEqual(['a.cjs']);
    const kept = readFileSync(join(codeOf(folder), 'a.cjs'));
    expect(start(folder)).toEqual({ status: 0, stdout: said, stderr: '' });
    expect(readFileSync(join(codeOf(folder), 'a.cjs'))).toEqual(kept);
  });

  test.each([
    ['nothing', () => Buffer.alloc(0)],
    ['zeroes', (kept: Buffer) => Buffer.alloc(kept.length)],
    ['noise', () => Buffer.from('no code of any kind')],
    ['half of it', (kept: Buffer) => kept.subarray(0, kept.length / 2)],
  ])('mean the same where %s was kept of them', (_name, damaged) => {
    const folder = built();
    start(folder);
    const path = join(codeOf(folder), 'a.cjs');
    writeFileSync(path, damaged(readFileSync(path)));
    expect(start(folder)).toEqual({ status: 0, stdout: said, stderr: '' });
  });

  test('count as they are now, whatever was kept of an entry of the same length', () => {
    const folder = built();
    start(folder);
    writeFiles(folder, { 'dist/bach.cjs': ENTRY.replace('say()} $', 'say()}-$') });
    expect(start(folder).stdout).toBe(said.replace(' ', '-'));
  });

  test('are all there for a command that goes on, although they are taken away', () => {
    const take = "const fs = require('node:fs'); setTimeout(() => { fs.rmSync(`${__dirname}/chunks`, { recursive: true }); process.stdout.write(a().say()); }, 1500);";
    const list = "Object.defineProperty(exports, Symbol.for('late'), { value: [a] });";
    const folder = launchersWith({
      'dist/bach.cjs': `const a = () => require('./chunks/a.cjs'); ${list} ${take}`,
      'dist/chunks/a.cjs': `const a = () => require('./b.cjs'); ${list} exports.say = () => a().say();`,
      'dist/chunks/b.cjs': CHUNK,
    });
    expect(start(folder)).toEqual({ status: 0, stdout: 'said', stderr: '' });
  });

  test('that are gone too early are missed only by who needs them', () => {
    const list = "Object.defineProperty(exports, Symbol.for('late'), { value: [a] });";
    const entry = `const a = () => require('./chunks/none.cjs'); ${list} setTimeout(() => process.stdout.write('ended'), 1200);`;
    expect(start(launchersWith({ 'dist/bach.cjs': entry }))).toEqual({ status: 0, stdout: 'ended', stderr: '' });
  });

  test('are loaded anew by who asks again, where the first time failed', () => {
    const entry = `const a = () => require('./chunks/a.cjs'); const fs = require('node:fs'); const path = \`\${__dirname}/chunks/a.cjs\`;
      const tried = () => { try { return a().say(); } catch (error) { return error.part === path ? error.code : String(error); } };
      const first = [tried(), tried()]; fs.mkdirSync(\`\${__dirname}/chunks\`); fs.writeFileSync(path, "exports.say = () => 'said';");
      process.stdout.write([...first, tried()].join(' '));`;
    expect(start(launchersWith({ 'dist/bach.cjs': entry }))).toEqual({ status: 0, stdout: 'ENOENT ENOENT said', stderr: '' });
  });

  test('are read also where no descriptor is left, one after the other', () => {
    const entry = `const a = () => require('./chunks/a.cjs'); const b = () => require('./chunks/b.cjs'); const fs = require('node:fs');
      try { for (;;) fs.openSync('/dev/null'); } catch (error) { process.stdout.write([error.code, a().say(), b().say()].join(' ')); }`;
    const folder = launchersWith({ 'dist/bach.cjs': entry, 'dist/chunks/a.cjs': CHUNK, 'dist/chunks/b.cjs': CHUNK });
    const { status, stdout } = spawnSync('sh', ['-c', 'ulimit -n 64; exec "$0"', join(folder, 'bin/bach')], { encoding: 'utf8' });
    expect({ status, stdout }).toEqual({ status: 0, stdout: 'EMFILE said said' });
  });

  test('need no folder to keep anything in', () => {
    const folder = built();
    // A file in its place refuses everybody, root included.
    writeFiles(folder, { 'dist/code': '' });
    expect(start(folder)).toEqual({ status: 0, stdout: said, stderr: '' });
    expect(statSync(join(folder, 'dist/code')).size).toBe(0);
  });

  test('leave nothing half written', () => {
    const folder = built();
    mkdirSync(join(codeOf(folder), 'a.cjs'), { recursive: true });
    expect(start(folder)).toEqual({ status: 0, stdout: said, stderr: '' });
    expect(readdirSync(codeOf(folder)).filter((name) => name !== 'a.cjs')).toEqual([]);
  });
});

describe('a program whose files are taken away while it runs', () => {
  /** The build, and a project with a target that moves the build out of the way before the next one starts. */
  const taken = () => {
    const folder = temporaryFolder();
    for (const part of ['bin', 'dist', 'package.json']) cpSync(join(ROOT, part), join(folder, part), { recursive: true });
    symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
    const dist = join(folder, 'dist');
    const { folder: cwd } = bachProject(`shell "away" { command = ["mv", "${dist}", "${dist}.away"] }
shell "after" {
  depends_on = [shell.away]
  command    = ["sh", "-c", "exit 3"]
}
`);
    const run = () => spawnSync(join(folder, 'bin/bach'), ['run', 'shell/after'], { cwd, encoding: 'utf8' });
    return { run, back: () => renameSync(`${dist}.away`, dist) };
  };

  test('says so, or needs them no more, and never shows a stack trace', () => {
    const { run, back } = taken();
    for (const _again of [1, 2]) {
      const { status, stderr } = run();
      expect(status).toBe(1);
      // The second where the machine was so slow that all had been loaded before.
      expect(stderr).toMatch(/^(cannot load a part of this program: ENOENT[^\n]*|target "shell\/after" failed: exit status 3)\n[^\n]+\n$/);
      back();
    }
  });
});

describe('bach run --env-file, started as a user does', () => {
  const project = () => bachProject('shell "x" { command = ["printenv", "ADDED"] }\n');
  const start = (folder: string, argv: readonly string[]) =>
    spawnSync(join(ROOT, 'bin/bach'), argv, { cwd: folder, encoding: 'utf8' });

  test('a file that is missing is told by bach', () => {
    const { status, stderr } = start(project().folder, ['run', '--env-file', 'none', 'shell/x']);
    expect(status).toBe(1);
    expect(stderr).toMatch(/^cannot read [^\n]*none[^\n]*\n/);
  });

  test('a file counts from the root, also for who stands in a folder below', () => {
    const { folder, write } = project();
    write('local.env', 'ADDED=yes\n');
    write('below/README', '');
    const argv = ['-f', '../Bachfile', 'run', '--env-file', 'local.env', 'shell/x'];
    const { status, stdout, stderr } = start(join(folder, 'below'), argv);
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    expect(stdout).toMatch(/\[shell\/x\] yes\n/);
  });
});
