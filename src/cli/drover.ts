import { start } from './start.ts';

start('drover', async () => (await import('./drover-program.ts')).drover);
