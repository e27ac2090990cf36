import type { Command } from 'commander';
import type { BachVerbs } from './bach-verbs.ts';
import { describe, type Choose } from './command-line.ts';

interface BackendCommands {
  /** How the user calls the program. */
  readonly name: string;
  readonly verbs: BachVerbs;
  readonly choose: Choose;
}

/** The command that serves the state of a project to other programs; it reads no Bachfile. */
export function addBackendCommands(program: Command, { name, verbs, choose }: BackendCommands): void {
  const backend = describe(program.command('backend'), {
    purpose: 'Serve the state of a project to other programs.',
    example: `${name} backend sqlite`,
  });
  describe(backend.command('sqlite'), {
    purpose: 'Answer bach.backend.v1 messages on standard input until its end.',
    example: `${name} backend sqlite < requests > answers`,
  }).action(() => {
    // It shows nothing that a configuration could have masked, and whoever starts it may give it none of a user's folders.
    choose({ run: async (context) => (await verbs.backendSqlite())({}, context), json: false, stoppable: true });
  });
}
