/**
 * `npm run check -- <room> ...`: types, lint and tests of one or more rooms (`kernel/process`, `bach/model`), for
 * the minutes between two edits. Rooms inside a room have checks of their own. `npm run lint` and `npm test` judge the whole.
 */
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { runAll, tool } from './commands.mjs';
import { ROOT } from './setup/host.mjs';

const rooms = process.argv.slice(2).map((room) => room.replace(/^(src|test)\//, '').replace(/\/+$/, ''));
process.exitCode = await check();

async function check() {
  const unknown = rooms.find((room) => !existsSync(join(ROOT, 'src', room)) && !existsSync(join(ROOT, 'test', room)));
  if (rooms.length === 0 || unknown !== undefined) return usage(unknown);
  const folders = rooms.flatMap((room) => [`src/${room}`, `test/${room}`]).filter((path) => existsSync(join(ROOT, path)));
  const isOurs = (line) => folders.some((folder) => line.startsWith(`${folder}/`) || line.startsWith(`${folder}(`));
  const looks = [
    { name: 'types', argv: tool('typescript/bin/tsc', '-p', '.', '--pretty', 'false'), keep: isOurs },
    { name: 'oxlint', argv: tool('oxlint/bin/oxlint', '--deny-warnings', '-f', 'unix', ...folders) },
    { name: 'structure', argv: [process.execPath, join(ROOT, 'tools/structure.mjs'), ...folders] },
  ];
  const tests = folders.filter((folder) => folder.startsWith('test/'));
  const inner = rooms.flatMap(roomsWithin).flatMap((room) => ['--exclude', `test/${room}/**`]);
  // A room that only holds others together may have no tests of its own.
  const argv = tool('vitest/vitest.mjs', 'run', ...tests, ...inner, ...(inner.length > 0 ? ['--passWithNoTests'] : []));
  const all = tests.length === 0 ? looks : [...looks, { name: 'tests', argv }];
  return (await runAll(all)) ? 0 : 1;
}

/** The outermost rooms below a room; a folder without a door, such as a whole system, is checked with all it holds. */
function roomsWithin(room) {
  const isRoom = (path) => existsSync(join(ROOT, 'src', path, 'index.ts'));
  if (!isRoom(room)) return [];
  const folders = readdirSync(join(ROOT, 'src', room), { withFileTypes: true }).filter((entry) => entry.isDirectory());
  return folders.map(({ name }) => `${room}/${name}`).filter(isRoom);
}

function usage(unknown) {
  if (unknown !== undefined) process.stderr.write(`check: there is no room src/${unknown}\n`);
  process.stderr.write('usage: npm run check -- <room> ...   for example kernel/process or bach/model\n');
  return 2;
}
