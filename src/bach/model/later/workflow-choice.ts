import { didYouMean } from '../../../kernel/text/index.ts';
import type { Factory, Workflow } from '../later.ts';

export type WorkflowChoice = { readonly workflow: Workflow } | { readonly fault: string };

/** The workflow that a user asks for by name, or the only one where none is named. */
export function chooseWorkflow({ name, workflows }: Factory, wanted: string): WorkflowChoice {
  const factory = `factory ${JSON.stringify(name)}`;
  const [first, ...others] = workflows;
  if (wanted === '' && first !== undefined && others.length === 0) return { workflow: first };
  if (wanted === '') return { fault: `${factory} has multiple workflows; --workflow is required` };
  const found = workflows.find((workflow) => workflow.name === wanted);
  if (found !== undefined) return { workflow: found };
  const hint = didYouMean(wanted, workflows.map((workflow) => workflow.name));
  return { fault: `not found: ${factory} workflow ${JSON.stringify(wanted)}${hint}` };
}
