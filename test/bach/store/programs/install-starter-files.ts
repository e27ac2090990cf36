// Makes the starter files in the folder that is named, and says `done` or the code of the error.
import { join } from 'node:path';
import { installStarterFiles, STARTER_INSTRUCTIONS, starterBachfile } from '../../../../src/bach/store/starter-files.ts';
import { isDroverError } from '../../../../src/kernel/errors/index.ts';

const [, , folder = ''] = process.argv;
const files = [
  { path: join(folder, 'Bachfile'), content: starterBachfile('/x/shop') },
  { path: join(folder, 'AGENTS.md'), content: STARTER_INSTRUCTIONS },
];
const said = await installStarterFiles(files).then(
  () => 'done',
  (error: unknown) => (isDroverError(error) ? error.code : String(error)),
);
process.stdout.write(`${said}\n`);
