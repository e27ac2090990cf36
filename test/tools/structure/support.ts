import { dirname } from 'node:path';
import { checkTree, type Finding } from '../../../tools/structure/check.mjs';
import { temporaryFolder, writeFiles } from '../../support/temp.ts';

type Files = Readonly<Record<string, string>>;

/** Checks a tree made of these files; every folder below `src` gets a README unless the tree has one. */
export function check(files: Files): readonly Finding[] {
  const folder = temporaryFolder();
  const readmes = Object.keys(files).map((file) => [`${dirname(file)}/README.md`, '# A room\n'] as const);
  writeFiles(folder, { ...Object.fromEntries(readmes), ...files });
  return checkTree(folder).findings;
}

/** The findings as `rule file:line:column`, the form in which tests compare them. */
export function places(files: Files): readonly string[] {
  return check(files).map(({ rule, file, line, column }) => `${rule} ${file}:${line}:${column}`);
}

/** The rules broken by one file whose place in the house is right. */
export function rulesBroken(text: string, file = 'src/engine/index.ts'): readonly string[] {
  return check({ [file]: text }).map(({ rule }) => rule);
}
