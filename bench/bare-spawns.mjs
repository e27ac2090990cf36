// Starts `true` so many times, two at once, with nothing around it: the floor of any runner written for Node.
import { spawn } from 'node:child_process';

const [count = '1000', width = '2'] = process.argv.slice(2);
let left = Number(count);

function next() {
  if (left-- <= 0) return;
  spawn('true', [], { detached: true, stdio: 'ignore' }).on('exit', next);
}

for (let lane = 0; lane < Number(width); lane++) next();
