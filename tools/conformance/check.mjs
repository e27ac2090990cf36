import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { namedRules } from './named-rules.mjs';
import { readRules } from './rules.mjs';

const FOLDER = 'test/conformance';

/**
 * Compares the rules of every system below `<root>/test/conformance` with the titles of the tests beside them.
 * Answers each part of each system with its rules and those not proved, and everything that must be put right.
 */
export function checkConformance(root) {
  const systems = systemsOf(root).map((name) => readSystem(root, name));
  const problems = systems.flatMap(problemsOf);
  return { parts: systems.flatMap(partsOf), problems };
}

function systemsOf(root) {
  const folders = readdirSync(join(root, FOLDER), { withFileTypes: true }).filter((entry) => entry.isDirectory());
  const names = folders.map(({ name }) => name).sort();
  return names.filter((name) => readdirSync(join(root, FOLDER, name)).includes('rules.json'));
}

function readSystem(root, name) {
  const folder = `${FOLDER}/${name}`;
  const { rules, closed, problems } = readRules(root, `${folder}/rules.json`, name);
  const named = namedRules(root, folder);
  return { name, rules, closed, problems, named, proved: new Set(named.map(({ id }) => id)) };
}

function problemsOf({ rules, closed, problems, named, proved }) {
  const known = new Set(rules.map(({ id }) => id));
  const unknown = named.filter(({ id }) => !known.has(id));
  const open = rules.filter(({ id, part }) => closed.includes(part) && !proved.has(id));
  return [
    ...problems,
    ...unknown.map(({ id, file, line }) => `${file}:${line}: unknown rule ${JSON.stringify(id)}`),
    ...open.map(({ id, part }) => `${id}: not proved, though part ${part} is closed`),
  ];
}

function partsOf({ name, rules, proved }) {
  const parts = [...new Set(rules.map(({ part }) => part))].sort((a, b) => a - b);
  return parts.map((part) => {
    const own = rules.filter((rule) => rule.part === part);
    return { system: name, part, rules: own.length, notProved: own.filter(({ id }) => !proved.has(id)) };
  });
}
