import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const PACKAGE = /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/;
const LICENCE_FILE = /^licen[cs]e(?:\.\w+)?$/i;

/**
 * The licence text of every package that the given modules come from, each under its name and version.
 * Throws for a package without one: what we may not pass on must not be bundled.
 */
export function licencesOf(modules) {
  const folders = new Set(modules.flatMap((module) => PACKAGE.exec(module)?.[0] ?? []));
  return [...folders].sort().map((folder) => licenceOf(folder)).join('\n');
}

function licenceOf(folder) {
  const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  const file = readdirSync(folder).find((entry) => LICENCE_FILE.test(entry));
  if (file === undefined) throw new Error(`${name} is bundled and has no licence file in ${folder}`);
  const title = `${name} ${version} (${license})`;
  return `${title}\n${'-'.repeat(title.length)}\n\n${readFileSync(join(folder, file), 'utf8').trim()}\n`;
}
