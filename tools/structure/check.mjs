import { arrows } from './rules/arrows.mjs';
import { behaviour } from './rules/behaviour.mjs';
import { caps } from './rules/caps.mjs';
import { doors } from './rules/doors.mjs';
import { language } from './rules/language.mjs';
import { purity } from './rules/purity.mjs';
import { readTree } from './tree.mjs';

const RULES = [arrows, doors, purity, caps, language, behaviour];

/** Checks every source file below `<root>/src`; findings come in the order of files and lines. */
export function checkTree(root) {
  const tree = readTree(root);
  const findings = RULES.flatMap((rule) => [...rule(tree)]);
  return { tree, findings: findings.sort(byPlace) };
}

function byPlace(a, b) {
  if (a.file !== b.file) return a.file < b.file ? -1 : 1;
  return a.line - b.line || a.column - b.column;
}
