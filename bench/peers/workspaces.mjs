// The same work for each runner: so many packages, each with one input of 400 bytes and a task that copies it.
import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { bachfile } from '../projects.mjs';
import { PEER_MODULES } from './installed.mjs';

const FILLER = '.'.repeat(391);
const IGNORED = ['node_modules', 'out.txt', '.turbo', '.nx', '.moon/cache', '.bach'];

export function ourWorkspace(folder, size) {
  const packages = writeInputs(folder, size);
  const shells = packages.map((path, index) => ourShell(`t${index}`, path));
  writeFileSync(join(folder, 'Bachfile'), bachfile(shells, packages.map((_, index) => `t${index}`)));
  return folder;
}

function ourShell(name, path) {
  const [input, output] = [`${path}/in.txt`, `${path}/out.txt`];
  return `shell "${name}" {\n  command = ["cp", "${input}", "${output}"]\n  inputs  = ["${input}"]\n  outputs = ["${output}"]\n}\n`;
}

export function makeWorkspace(folder, size) {
  const packages = writeInputs(folder, size);
  const rules = packages.map((path) => `${path}/out.txt: ${path}/in.txt\n\t@cp $< $@\n`);
  const outputs = packages.map((path) => `${path}/out.txt`);
  writeFileSync(join(folder, 'Makefile'), `.PHONY: all\nall: ${outputs.join(' ')}\n${rules.join('')}`);
  return folder;
}

/** One npm workspace with a package for each task. */
export function turboWorkspace(folder, size) {
  const packages = writeInputs(folder, size);
  const named = packages.map((path, index) => ({ path, name: `p${index}`, version: '1.0.0' }));
  for (const { path, name, version } of named) {
    writeJson(join(folder, path, 'package.json'), { name, version, private: true, scripts: { build: 'cp in.txt out.txt' } });
  }
  const root = { name: 'bench', workspaces: ['packages/*'] };
  writeJson(join(folder, 'package.json'), { ...root, private: true, packageManager: 'npm@10.0.0' });
  const links = named.flatMap(({ path, name, version }) => [
    [path, { name, version }],
    [`node_modules/${name}`, { resolved: path, link: true }],
  ]);
  writeJson(join(folder, 'package-lock.json'), { name: 'bench', lockfileVersion: 3, requires: true, packages: { '': root, ...Object.fromEntries(links) } });
  writeJson(join(folder, 'turbo.json'), { tasks: { build: { inputs: ['in.txt'], outputs: ['out.txt'] } } });
  return folder;
}

/** A `project.json` for each task; Nx wants to find itself in the workspace. */
export function nxWorkspace(folder, size) {
  const target = {
    cache: true,
    command: 'cp in.txt out.txt',
    options: { cwd: '{projectRoot}' },
    inputs: ['{projectRoot}/in.txt'],
    outputs: ['{projectRoot}/out.txt'],
  };
  for (const [index, path] of writeInputs(folder, size).entries()) {
    writeJson(join(folder, path, 'project.json'), { name: `p${index}`, targets: { build: target } });
  }
  writeJson(join(folder, 'package.json'), { name: 'bench', private: true });
  writeJson(join(folder, 'nx.json'), { neverConnectToCloud: true, analytics: false });
  symlinkSync(PEER_MODULES, join(folder, 'node_modules'));
  return folder;
}

/** A `moon.yml` for each task. */
export function moonWorkspace(folder, size) {
  const text = "tasks:\n  build:\n    command: 'cp in.txt out.txt'\n    inputs: ['in.txt']\n    outputs: ['out.txt']\n";
  for (const path of writeInputs(folder, size)) writeFileSync(join(folder, path, 'moon.yml'), text);
  mkdirSync(join(folder, '.moon'));
  writeFileSync(join(folder, '.moon/workspace.yml'), "projects:\n  - 'packages/*'\ntelemetry: false\n");
  return folder;
}

/**
 * Stands for npm while a cache is filled: npm itself takes half a second to start for each package, which says nothing
 * about the runner and would take hours. A run from the cache starts neither.
 */
export function npmStandIn(folder) {
  const path = join(folder, 'npm');
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, '#!/bin/sh\nexec cp in.txt out.txt\n');
  chmodSync(path, 0o755);
  return folder;
}

function writeInputs(folder, size) {
  const packages = Array.from({ length: size }, (_, index) => `packages/p${index}`);
  for (const [index, path] of packages.entries()) {
    mkdirSync(join(folder, path), { recursive: true });
    writeFileSync(join(folder, path, 'in.txt'), `${String(index).padStart(8, '0')}${FILLER}\n`);
  }
  writeFileSync(join(folder, '.gitignore'), `${IGNORED.join('\n')}\n`);
  return packages;
}

function writeJson(path, value) {
  writeFileSync(path, `${JSON.stringify(value, null, 2)}\n`);
}
