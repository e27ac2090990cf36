/** `npm run lint`: the linter, the shape of the house, the tables that documents hold, and the search for
 * unused code; all of them always run. */
import { join } from 'node:path';
import { runAll, tool } from './commands.mjs';
import { ROOT } from './setup/host.mjs';

const passed = await runAll([
  { name: 'oxlint', argv: tool('oxlint/bin/oxlint', '--deny-warnings', '-f', 'unix') },
  { name: 'structure', argv: [process.execPath, join(ROOT, 'tools/structure.mjs')] },
  { name: 'errors', argv: [process.execPath, join(ROOT, 'tools/error-table.mjs')] },
  { name: 'steps', argv: [process.execPath, join(ROOT, 'tools/step-table.mjs')] },
  { name: 'knip', argv: tool('knip/bin/knip.js', '--no-progress') },
]);
process.exitCode = passed ? 0 : 1;
