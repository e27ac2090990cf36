import { findingAt } from '../finding.mjs';
import { placeOf } from '../rooms.mjs';

const SPEAKING = ['src/cli', 'src/kernel/terminal'];
const PROCESS_MEMBERS = new Set(['exit', 'exitCode', 'reallyExit', 'abort', 'stdout', 'stderr']);
const BARE_ERRORS = new Set(['Error', 'TypeError', 'RangeError', 'SyntaxError', 'ReferenceError', 'EvalError', 'URIError']);

/** Modules with one owner, and why nobody else opens them. */
const OWNED = {
  'node:child_process': { owner: 'src/kernel/process', reason: 'processes are started and ended in one place' },
  'node:sqlite': { owner: 'src/kernel/sql', reason: 'one SQLite library is loaded per process' },
  '@photostructure/sqlite': { owner: 'src/kernel/sql', reason: 'one SQLite library is loaded per process' },
  pg: { owner: 'src/kernel/sql', reason: 'databases are opened in one place' },
  commander: { owner: 'src/cli', reason: 'only the command line reads arguments' },
};

/** Who may write to the terminal, end the process, throw plain errors, and open the modules that have an owner. */
export function* behaviour(tree) {
  for (const module of tree.modules.values()) {
    const room = placeOf(module.file)?.path;
    if (!SPEAKING.includes(room)) yield* speech(module);
    yield* bareErrors(module);
    yield* ownedModules(module, room);
  }
}

function* speech(module) {
  for (const { name, property, start } of module.globals) {
    if (name !== 'console' && !(name === 'process' && PROCESS_MEMBERS.has(property))) continue;
    const what = property === undefined ? name : `${name}.${property}`;
    yield findingAt(module, start, { rule: 'output', message: `${what} belongs to ${SPEAKING.join(' and ')}` });
  }
  for (const { target, start } of module.imports.filter(({ kind }) => kind !== 'type')) {
    if (target.builtin !== 'node:console') continue;
    yield findingAt(module, start, { rule: 'output', message: `node:console belongs to ${SPEAKING.join(' and ')}` });
  }
}

function* bareErrors(module) {
  for (const { name, property, use, start } of module.globals) {
    if (!BARE_ERRORS.has(name) || property !== undefined || use === 'read') continue;
    yield findingAt(module, start, { rule: 'bare-error', message: `declare it with defineError instead of ${name}` });
  }
}

function* ownedModules(module, room) {
  for (const { target, start } of module.imports) {
    const owned = OWNED[target.builtin ?? target.package];
    if (owned === undefined || owned.owner === room) continue;
    yield findingAt(module, start, { rule: 'owner', message: `belongs to ${owned.owner}: ${owned.reason}` });
  }
}
