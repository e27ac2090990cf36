// Starts `true` so many times, so many at once, with nothing around it: the floor of any runner written for Node.
// With a size in megabytes it first grows to that size, since a larger process takes longer to fork.
import { spawn } from 'node:child_process';

const [count = '1000', width = '2', megabytes = '0'] = process.argv.slice(2);
const ballast = [];
let left = Number(count);

while (process.memoryUsage.rss() < Number(megabytes) * 2 ** 20) ballast.push(Buffer.alloc(2 ** 20, 1));
for (let lane = 0; lane < Number(width); lane++) next();

function next() {
  if (left-- <= 0) return;
  spawn('true', [], { detached: true, stdio: 'ignore' }).on('exit', next);
}
