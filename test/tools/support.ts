import { spawnSync } from 'node:child_process';
import { chmodSync, cpSync, existsSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { BESIDE } from '../../tools/entries.mjs';
import { temporaryFolder, writeFiles } from '../support/temp.ts';

/** The root of the repository. */
export const ROOT = join(import.meta.dirname, '../..');
const COPIED = ['bin', 'tools', 'package.json', 'package-lock.json', 'tsconfig.json', 'vitest.config.ts', 'vitest.faults.config.ts', '.oxlintrc.json'];

/**
 * A small checkout with our tools and a PATH of its own. `npm` on it is a stand-in, since the tests have no network:
 * it notes how it was called and links the packages that are installed here.
 */
export function checkout() {
  const folder = temporaryFolder();
  for (const path of COPIED) cpSync(join(ROOT, path), join(folder, path), { recursive: true });
  writeFiles(folder, Object.fromEntries(Object.values(BESIDE).map((file) => [file, 'export const beside = 1;\n'])));
  writeFiles(folder, {
    'src/cli/bach.ts': "process.stdout.write('first\\n');\n",
    'src/cli/drover.ts': "process.stdout.write('drover\\n');\n",
    'docs/reference/page.md': '# A page\n',
    'docs/schemas/one.schema.json': '{}\n',
    'path/npm': `#!/bin/sh\necho "$@" >> calls\nrm -rf node_modules\nln -s '${ROOT}/node_modules' node_modules\n`,
  });
  chmodSync(join(folder, 'path/npm'), 0o755);
  return {
    folder,
    env: { PATH: `${join(folder, 'path')}:/bin` },
    linkPackages: () => symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules')),
    npmCalls: () => (existsSync(join(folder, 'calls')) ? readFileSync(join(folder, 'calls'), 'utf8') : ''),
    bach: () => spawnSync(process.execPath, ['dist/bach.cjs'], { cwd: folder, encoding: 'utf8' }).stdout,
  };
}

export type Checkout = ReturnType<typeof checkout>;

export function setUp(clone: Checkout, ...argv: readonly string[]) {
  return runTool(clone, 'setup.mjs', ...argv);
}

/** Runs a program of `tools/` in a checkout. */
export function runTool({ folder, env }: Checkout, name: string, ...argv: readonly string[]) {
  const options = { cwd: folder, env, encoding: 'utf8' } as const;
  const { status, stdout, stderr } = spawnSync(process.execPath, [join('tools', name), ...argv], options);
  return { status, stdout, stderr };
}
