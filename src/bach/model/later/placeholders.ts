/** What a generated agent target fills in; the text stays as it is until then. */
const KNOWN = ['work_item.id', 'work_item.slug', 'plan.id', 'workstream.id', 'factory.name', 'workflow.name'].map(written);
/** Nothing but the work item is there when the path of a plan is asked for. */
const KNOWN_IN_PLAN_PATH = ['work_item.id', 'work_item.slug', 'factory.name', 'workflow.name'].map(written);

/** Also one that nothing closes: nobody means the two characters alone. */
const PLACEHOLDER = /\$\{[^}]*\}?/g;

/** Says what is wrong with the placeholders in the text of a field such as `workspace.path`; nothing when all is well. */
export type PlaceholderRule = (field: string, text: string) => string | undefined;

export const templatePlaceholders: PlaceholderRule = (field, text) => {
  if (!hasPlaceholder(text)) return undefined;
  if (field !== 'workspace.path' && field !== 'git.branch') return `${field} must not contain placeholders`;
  return unsupported(field, placeholdersIn(text), KNOWN);
};

/** An agent that runs has all it needs: nothing is left to be filled in. */
export const agentPlaceholders: PlaceholderRule = (field, text) =>
  hasPlaceholder(text) ? `${field} must not contain agent template placeholders` : undefined;

export const planPathPlaceholders: PlaceholderRule = (field, text) =>
  unsupported(field, placeholdersIn(text), KNOWN_IN_PLAN_PATH);

/** The text as it could be once a word stands for each placeholder. */
export function filledIn(text: string): string {
  return text.replace(PLACEHOLDER, 'x');
}

export function hasPlaceholder(text: string): boolean {
  return placeholdersIn(text).length > 0;
}

function placeholdersIn(text: string): readonly string[] {
  return text.match(PLACEHOLDER) ?? [];
}

function unsupported(field: string, found: readonly string[], known: readonly string[]): string | undefined {
  const unknown = found.find((placeholder) => !known.includes(placeholder));
  if (unknown === undefined) return undefined;
  return `${field} contains unsupported placeholder ${JSON.stringify(unknown)}; those supported are ${known.join(', ')}`;
}

function written(name: string): string {
  return `\${${name}}`;
}
