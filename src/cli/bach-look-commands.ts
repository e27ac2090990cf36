import type { Command } from 'commander';
import type { ProjectInput } from '../bach/commands/index.ts';
import type { BachVerbs } from './bach-verbs.ts';
import { verbCall } from './call.ts';
import { describe, type Choose } from './command-line.ts';

interface LookCommands {
  /** How the user calls the program. */
  readonly name: string;
  readonly verbs: BachVerbs;
  readonly choose: Choose;
  /** What the options before the command say. */
  readonly project: () => ProjectInput;
}

/** The commands that look at a project and run none of its targets. */
export function addLookCommands(program: Command, commands: LookCommands): void {
  addList(program, commands);
  addExplain(program, commands);
  addGraph(program, commands);
  addAffected(program, commands);
  addProvenance(program, commands);
}

function addList(program: Command, { name, verbs, choose, project }: LookCommands): void {
  describe(program.command('list'), {
    purpose: 'List the targets of the Bachfile.',
    example: `${name} list -f build/Bachfile`,
  })
    .option('-a, --aliases', 'list the aliases too, with what they stand for')
    .option('--generated', 'list the generated policy nodes too')
    .action(({ aliases = false, generated = false }: { readonly aliases?: boolean; readonly generated?: boolean }) => {
      const input = { ...project(), aliases, generated };
      choose(verbCall({ load: verbs.list, input, json: input.json }));
    });
}

function addExplain(program: Command, { name, verbs, choose, project }: LookCommands): void {
  describe(program.command('explain <target>').usage('<target>'), {
    purpose: 'Tell what a target is for, what it needs and what it risks.',
    example: `${name} explain shell/test`,
  }).action((target: string) => {
    const input = { ...project(), target };
    choose(verbCall({ load: verbs.explain, input, json: input.json }));
  });
}

function addGraph(program: Command, { name, verbs, choose, project }: LookCommands): void {
  describe(program.command('graph'), {
    purpose: 'Print the targets and what leads from one to another.',
    example: `${name} graph --format json`,
  })
    .option('--format <mermaid|json>', 'a flowchart or a document', 'mermaid')
    .action(({ format }: { readonly format: string }) => {
      const input = { ...project(), format };
      choose(verbCall({ load: verbs.graph, input, json: input.json || format === 'json' }));
    });
}

function addAffected(program: Command, { name, verbs, choose, project }: LookCommands): void {
  describe(program.command('affected [paths...]').usage('[path ...]'), {
    purpose: 'Name the targets that changed files concern; by default those of git.',
    example: `${name} affected packages/api/src/main.ts`,
  }).action((paths: readonly string[]) => {
    const input = { ...project(), paths };
    choose(verbCall({ load: verbs.affected, input, json: input.json }));
  });
}

function addProvenance(program: Command, { name, verbs, choose, project }: LookCommands): void {
  // The verb says better than a count that a path is missing.
  describe(program.command('provenance [paths...]').usage('<path> [path ...]'), {
    purpose: 'Tell which targets make a file, and which read it.',
    example: `${name} provenance docs/reference.md`,
  }).action((paths: readonly string[]) => {
    const input = { ...project(), paths };
    choose(verbCall({ load: verbs.provenance, input, json: input.json }));
  });
}
