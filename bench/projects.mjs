import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** A project of targets that only run `true`, as a Bachfile, a Makefile and a justfile, in a new folder. */
export function projectOfTrue(folder, count) {
  mkdirSync(folder, { recursive: true });
  const names = Array.from({ length: count }, (_, index) => `t${index}`);
  const shells = names.map((name) => `shell "${name}" {\n  command = ["true"]\n}\n`);
  writeFileSync(join(folder, 'Bachfile'), bachfile(shells, names));
  const rules = names.map((name) => `${name}:\n\t@true\n`);
  writeFileSync(join(folder, 'Makefile'), `.PHONY: all ${names.join(' ')}\nall: ${names.join(' ')}\n${rules.join('')}`);
  const recipes = names.map((name) => `${name}:\n  @true\n`);
  writeFileSync(join(folder, 'justfile'), `[parallel]\nall: ${names.join(' ')}\n${recipes.join('')}`);
  return folder;
}

/** Targets that run nothing, each after the one before it. */
export function chainProject(folder, count) {
  return projectOfNothing(folder, { count, dependenciesOf: (index) => (index === 0 ? [] : [`shell.t${index - 1}`]) });
}

/** Targets that run nothing, all after the first one. */
export function fanProject(folder, count) {
  return projectOfNothing(folder, { count, dependenciesOf: (index) => (index === 0 ? [] : ['shell.t0']) });
}

function projectOfNothing(folder, { count, dependenciesOf }) {
  mkdirSync(folder, { recursive: true });
  const names = Array.from({ length: count }, (_, index) => `t${index}`);
  const shells = names.map((name, index) => `shell "${name}" {\n  depends_on = [${dependenciesOf(index).join(', ')}]\n}\n`);
  writeFileSync(join(folder, 'Bachfile'), bachfile(shells, names));
  return folder;
}

export function bachfile(shells, names) {
  return `project "bench" {}\n${shells.join('')}group "all" {\n  targets = [${names.map((name) => `shell.${name}`).join(', ')}]\n}\n`;
}
