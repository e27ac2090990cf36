import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** A project of targets that only run `true`, as a Bachfile and as a Makefile, in a new folder. */
export function projectOfTrue(folder, count) {
  mkdirSync(folder, { recursive: true });
  const names = Array.from({ length: count }, (_, index) => `t${index}`);
  const shells = names.map((name) => `shell "${name}" {\n  command = ["true"]\n}\n`);
  const all = `group "all" {\n  targets = [${names.map((name) => `shell.${name}`).join(', ')}]\n}\n`;
  writeFileSync(join(folder, 'Bachfile'), `project "bench" {}\n${shells.join('')}${all}`);
  const rules = names.map((name) => `${name}:\n\t@true\n`);
  writeFileSync(join(folder, 'Makefile'), `.PHONY: all ${names.join(' ')}\nall: ${names.join(' ')}\n${rules.join('')}`);
  return folder;
}
