/** One thing that breaks a rule, at a place in a file. */
export function findingAt(module, start, { rule, message }) {
  return { rule, file: module.file, ...module.lineAt(start), message };
}

/** One about a file or a folder as a whole. */
export function findingIn(file, { rule, message }) {
  return { rule, file, line: 1, column: 1, message };
}

export function formatFinding({ file, line, column, rule, message }) {
  return `${file}:${line}:${column}: ${rule}: ${message}`;
}
