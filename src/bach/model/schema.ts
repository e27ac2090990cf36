/** What may stand in a block. `later` are words of the language that this release cannot run yet. */
export interface BlockSchema {
  /** What each label names, for the message about a missing one. */
  readonly labels: readonly string[];
  readonly attributes: readonly string[];
  readonly blocks: readonly string[];
  readonly later: readonly string[];
}

const METADATA = ['description', 'when', 'cost', 'depends_on', 'lock', 'timeout'];
const LATER_RISKS = ['remote', 'destructive', 'requires_confirmation'];
const LATER_TARGET = [...LATER_RISKS, 'quiet', 'retry', 'tools', 'preflights', 'inputs', 'produces', 'success_when', 'fail_when'];

export const FILE_SCHEMA: BlockSchema = {
  labels: [],
  attributes: [],
  blocks: ['project', 'var', 'env', 'shell', 'group', 'pipeline'],
  later: [
    'import', 'profile', 'input', 'resource', 'alias', 'image', 'plugin', 'prompt', 'provider',
    'agent_template', 'agent', 'policy', 'quality', 'factory',
  ],
};

export const PROJECT_SCHEMA: BlockSchema = {
  labels: ['name'],
  attributes: ['root', 'default', 'state'],
  blocks: ['backend'],
  later: [],
};

export const BACKEND_SCHEMA: BlockSchema = {
  labels: [],
  attributes: ['type', 'command', 'config'],
  blocks: [],
  later: ['external'],
};

export const VARIABLE_SCHEMA: BlockSchema = { labels: ['name'], attributes: ['default'], blocks: [], later: [] };

/** Values that a later release puts into the environment of an operation; `$NAME` would be empty now. */
export const LATER_VARIABLES = /\bBACH_GIT_[A-Z_]+/;

/** Attributes of an `env` block have free names. */
export const ENVIRONMENT_SCHEMA: BlockSchema = { labels: [], attributes: [], blocks: [], later: [] };

export const TARGET_SCHEMAS = {
  shell: {
    labels: ['name'],
    attributes: [...METADATA, 'command', 'shell', 'workdir', 'outputs', 'env'],
    blocks: ['env'],
    later: LATER_TARGET,
  },
  group: { labels: ['name'], attributes: [...METADATA, 'targets'], blocks: [], later: LATER_TARGET },
  pipeline: { labels: ['name'], attributes: [...METADATA, 'steps'], blocks: [], later: LATER_TARGET },
} as const satisfies Record<string, BlockSchema>;
