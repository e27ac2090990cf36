'use strict';

const { existsSync } = require('node:fs');
const { join } = require('node:path');
const { Chunks } = require('./chunks.js');

/**
 * Loads the bundled entry into this very process, so that signals, the exit code and the terminal are the
 * program's own and no second process stands in between.
 *
 * The launchers start `node --`: otherwise Node 20 takes `--env-file` among the program's arguments for its own.
 */
exports.launch = (name) => {
  const dist = join(__dirname, '..', 'dist');
  const entry = join(dist, `${name}.cjs`);
  if (existsSync(entry)) return new Chunks(dist).start(entry);
  process.stderr.write(`${name}: ${entry} is missing; run \`npm run build\` first\n`);
  process.exitCode = 1;
};
