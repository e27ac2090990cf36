import { start } from './start.ts';

start('bach', async () => (await import('./bach-program.ts')).bach);
