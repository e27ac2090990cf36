/**
 * Checks that the source keeps the shape of the house (ARCHITECTURE.md).
 *
 * `node tools/structure.mjs [--figures] [path ...]`: with paths, only findings below them are printed; the whole
 * import graph is read all the same. `--figures` prints sizes beside their targets instead.
 */
import { checkTree } from './structure/check.mjs';
import { figuresTable } from './structure/figures.mjs';
import { formatFinding } from './structure/finding.mjs';
import { ROOT } from './setup/host.mjs';

const paths = process.argv.slice(2).filter((argument) => !argument.startsWith('--'));
process.exitCode = process.argv.includes('--figures') ? showFigures() : showFindings();

function showFigures() {
  process.stdout.write(figuresTable(checkTree(ROOT).tree));
  return 0;
}

function showFindings() {
  const { tree, findings } = checkTree(ROOT);
  const shown = findings.filter(({ file }) => paths.length === 0 || paths.some((path) => isBelow(file, path)));
  for (const finding of shown) process.stdout.write(`${formatFinding(finding)}\n`);
  const verdict = shown.length === 0 ? 'no finding' : `${shown.length} findings`;
  process.stderr.write(`structure: ${tree.modules.size} files, ${verdict}\n`);
  return shown.length === 0 ? 0 : 1;
}

function isBelow(file, path) {
  const folder = path.replace(/\/+$/, '');
  return file === folder || file.startsWith(`${folder}/`);
}
