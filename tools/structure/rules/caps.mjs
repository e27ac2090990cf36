import { findingAt, findingIn } from '../finding.mjs';

const CAPS = { fileLines: 500, functionLines: 80, cyclomatic: 15, parameters: 4, imports: 20 };

/** Sizes past which code is divided. */
export function* caps(tree) {
  for (const module of tree.modules.values()) {
    yield* fileCaps(module);
    for (const each of module.functions) yield* functionCaps(module, each);
  }
}

function* fileCaps({ file, lineCount, imports }) {
  if (lineCount > CAPS.fileLines) {
    yield findingIn(file, { rule: 'file-lines', message: `${lineCount} lines; at most ${CAPS.fileLines}` });
  }
  const count = new Set(imports.map(({ source }) => source)).size;
  if (count <= CAPS.imports) return;
  yield findingIn(file, { rule: 'imports', message: `imports ${count} modules; at most ${CAPS.imports}` });
}

function* functionCaps(module, { name, start, lines, cyclomatic, parameters }) {
  if (lines > CAPS.functionLines) {
    const message = `${name} has ${lines} lines; at most ${CAPS.functionLines}`;
    yield findingAt(module, start, { rule: 'function-lines', message });
  }
  if (cyclomatic > CAPS.cyclomatic) {
    const message = `${name} has ${cyclomatic} paths; at most ${CAPS.cyclomatic}`;
    yield findingAt(module, start, { rule: 'cyclomatic', message });
  }
  if (parameters <= CAPS.parameters) return;
  const message = `${name} takes ${parameters} parameters; at most ${CAPS.parameters}, an object past three`;
  yield findingAt(module, start, { rule: 'parameters', message });
}
