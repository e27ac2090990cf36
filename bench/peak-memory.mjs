// Loaded before a program whose largest resident size is to be known: writes it, in megabytes, when the program ends.
import { writeFileSync } from 'node:fs';

const path = process.env.BENCH_PEAK_FILE;
// Whatever it starts is another program.
delete process.env.BENCH_PEAK_FILE;
delete process.env.NODE_OPTIONS;

process.on('exit', () => {
  if (path !== undefined) writeFileSync(path, String(process.resourceUsage().maxRSS / 1024));
});
