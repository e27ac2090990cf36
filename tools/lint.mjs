/** `npm run lint`: the linter, the search for unused code, and the shape of the house; all three always run. */
import { join } from 'node:path';
import { runAll, tool } from './commands.mjs';
import { ROOT } from './setup/host.mjs';

const passed = await runAll([
  { name: 'oxlint', argv: tool('oxlint/bin/oxlint', '--deny-warnings', '-f', 'unix') },
  { name: 'structure', argv: [process.execPath, join(ROOT, 'tools/structure.mjs')] },
  { name: 'knip', argv: tool('knip/bin/knip.js', '--no-progress') },
]);
process.exitCode = passed ? 0 : 1;
