import { containedPath } from '../../../kernel/paths/index.ts';
import type { AgentTemplate } from '../later.ts';
import { isBranchName } from './branch-name.ts';
import { filledIn, type PlaceholderRule } from './placeholders.ts';
import { GIT_SCHEMA, WORKSPACE_SCHEMA } from './schemas.ts';
import type { Section } from './section.ts';

const WORKSPACES = '.bach/agents';
const COMMITS = ['required', 'optional'];

export type Workspace = AgentTemplate['workspace'];
export type Git = AgentTemplate['git'];

/** The block `workspace` of an agent or a template; nothing where there is none. An empty path means the default. */
export function workspaceOf(owner: Section, rule: PlaceholderRule): Workspace | undefined {
  const block = owner.only('workspace', WORKSPACE_SCHEMA);
  if (block === undefined) return undefined;
  const section = owner.inner(block, 'workspace', '.');
  const field = fieldReader(section, { owner, rule, block: 'workspace' });
  return {
    mode: field('mode', modeFault) || 'clone',
    path: field('path', workspacePathFault),
  };
}

/** The block `git` of an agent or a template; nothing where there is none. An empty branch means the default. */
export function gitOf(owner: Section, rule: PlaceholderRule): Git | undefined {
  const block = owner.only('git', GIT_SCHEMA);
  if (block === undefined) return undefined;
  const section = owner.inner(block, 'git', '.');
  const field = fieldReader(section, { owner, rule, block: 'git' });
  return {
    branch: field('branch', branchFault),
    commit: field('commit', commitFault) || 'required',
  };
}

export function workspacePathFault(path: string): string | undefined {
  const contained = containedPath('/project', filledIn(path));
  const isBelow = !path.startsWith('/') && contained.inside && contained.relative.startsWith(`${WORKSPACES}/`);
  return isBelow ? undefined : `workspace.path must stay under ${WORKSPACES}`;
}

export function branchFault(branch: string): string | undefined {
  if (isBranchName(filledIn(branch))) return undefined;
  return `git.branch ${JSON.stringify(branch)} is invalid: must be a valid branch name`;
}

function modeFault(mode: string): string | undefined {
  return mode === 'clone' ? undefined : 'workspace mode must be "clone"';
}

function commitFault(commit: string): string | undefined {
  return COMMITS.includes(commit) ? undefined : 'git commit must be required or optional';
}

interface FieldRules {
  /** Whose message a fault is: its names have the block in them already. */
  readonly owner: Section;
  readonly rule: PlaceholderRule;
  readonly block: string;
}

type Fault = (text: string) => string | undefined;

function fieldReader(section: Section, { owner, rule, block }: FieldRules): (name: string, faultOf: Fault) => string {
  return (name, faultOf) => {
    const text = section.text(name);
    if (text === '') return '';
    const fault = rule(`${block}.${name}`, text) ?? faultOf(text);
    if (fault !== undefined) owner.fault(section.placeOf(name), fault);
    return text;
  };
}
