import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const KINDS = ['verb', 'flag', 'key', 'message', 'exit', 'shape', 'transition'];
const TEXTS = ['id', 'kind', 'where', 'rule'];

/** Reads the rules of one system; what is wrong with the file comes back as lines. */
export function readRules(root, file, system) {
  const { rules = [], closed = [] } = JSON.parse(readFileSync(join(root, file), 'utf8'));
  const faults = [
    ...rules.flatMap((rule, index) => faultsOf(rule, system).map((fault) => `${rule.id ?? `rule ${index + 1}`}: ${fault}`)),
    ...repeated(rules.map(({ id }) => id)).map((id) => `${id}: declared twice`),
    ...closed.filter((part) => rules.every((rule) => rule.part !== part)).map((part) => `closed part ${part} has no rules`),
  ];
  return { rules, closed, problems: faults.map((fault) => `${file}: ${fault}`) };
}

function faultsOf(rule, system) {
  const missing = TEXTS.filter((key) => typeof rule[key] !== 'string' || rule[key].trim() === '');
  if (missing.length > 0) return missing.map((key) => `${key} is missing`);
  const faults = [];
  if (!rule.id.startsWith(`${system}-`) || !/^[a-z0-9]+(-[a-z0-9]+)+$/.test(rule.id)) faults.push(`want ${system}- and kebab words`);
  if (!KINDS.includes(rule.kind)) faults.push(`kind ${JSON.stringify(rule.kind)} is none of ${KINDS.join(', ')}`);
  if (!Number.isInteger(rule.part)) faults.push('part must be a whole number');
  return faults;
}

function repeated(ids) {
  return [...new Set(ids.filter((id, index) => ids.indexOf(id) !== index))];
}
