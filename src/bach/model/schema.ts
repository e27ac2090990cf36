import { AGENT_ATTRIBUTES, AGENT_BLOCKS } from './later/index.ts';

/** What may stand in a block. */
export interface BlockSchema {
  /** What each label names, for the message about a missing one. */
  readonly labels: readonly string[];
  readonly attributes: readonly string[];
  readonly blocks: readonly string[];
}

const NAMED = ['name'];
const METADATA = ['description', 'when', 'cost', 'remote', 'destructive', 'requires_confirmation'];
const OF_EVERY_TARGET = [...METADATA, 'depends_on', 'lock', 'timeout', 'quiet', 'tools', 'preflights', 'inputs', 'produces'];
const OF_EVERY_OPERATION = [...OF_EVERY_TARGET, 'workdir', 'outputs', 'env'];
const CONTRACT_BLOCKS = ['retry', 'success_when', 'fail_when'];
const OPERATION_BLOCKS = [...CONTRACT_BLOCKS, 'env'];

/** Attributes that make a block of type `image` build something. */
export const IMAGE_ATTRIBUTES = [
  'builder', 'image', 'tags', 'dockerfile', 'context', 'platform', 'push', 'build_args', 'build_args_list',
];

export const FILE_SCHEMA: BlockSchema = {
  labels: [],
  attributes: [],
  blocks: [
    'project', 'var', 'env', 'profile', 'input', 'resource', 'prompt', 'plugin', 'alias',
    'shell', 'image', 'group', 'pipeline', 'agent',
    'provider', 'agent_template', 'policy', 'quality', 'factory',
  ],
};

export const PROJECT_SCHEMA: BlockSchema = { labels: NAMED, attributes: ['root', 'default', 'state'], blocks: ['backend'] };

export const BACKEND_SCHEMA: BlockSchema = { labels: [], attributes: ['type', 'command', 'config', 'external'], blocks: [] };

export const VARIABLE_SCHEMA: BlockSchema = { labels: NAMED, attributes: ['default'], blocks: [] };

/** Attributes of an `env` block have free names. */
export const ENVIRONMENT_SCHEMA: BlockSchema = { labels: [], attributes: [], blocks: [] };

export const PROFILE_SCHEMA: BlockSchema = { labels: NAMED, attributes: [], blocks: ['env'] };

export const INPUT_SCHEMA: BlockSchema = { labels: ['kind', 'name'], attributes: ['src', 'srcs'], blocks: [] };

export const RESOURCE_SCHEMA: BlockSchema = { labels: NAMED, attributes: [], blocks: [] };

export const PROMPT_SCHEMA: BlockSchema = { labels: NAMED, attributes: ['path', 'description', 'version'], blocks: [] };

export const PLUGIN_SCHEMA: BlockSchema = {
  labels: NAMED,
  attributes: ['type', 'command', 'shell', 'workdir', 'inputs', 'sources', 'env', 'timeout'],
  blocks: [],
};

export const ALIAS_SCHEMA: BlockSchema = { labels: NAMED, attributes: ['target', 'deprecated'], blocks: [] };

/** Groups and pipelines know the words of a contract too; a warning says that these do nothing there. */
export const TARGET_SCHEMAS = {
  shell: { labels: NAMED, attributes: [...OF_EVERY_OPERATION, 'command', 'shell'], blocks: OPERATION_BLOCKS },
  image: { labels: NAMED, attributes: [...OF_EVERY_OPERATION, ...IMAGE_ATTRIBUTES], blocks: OPERATION_BLOCKS },
  group: { labels: NAMED, attributes: [...OF_EVERY_TARGET, 'targets'], blocks: CONTRACT_BLOCKS },
  pipeline: { labels: NAMED, attributes: [...OF_EVERY_TARGET, 'steps'], blocks: CONTRACT_BLOCKS },
  agent: {
    labels: NAMED,
    attributes: [...OF_EVERY_OPERATION, ...AGENT_ATTRIBUTES],
    blocks: [...OPERATION_BLOCKS, ...AGENT_BLOCKS],
  },
} as const satisfies Record<string, BlockSchema>;

export const RETRY_SCHEMA: BlockSchema = {
  labels: [],
  attributes: ['attempts', 'backoff', 'retry_on_quality_gate_failure'],
  blocks: [],
};

export const COMPLETION_SCHEMA: BlockSchema = {
  labels: [],
  attributes: ['output_contains', 'file_exists', 'command'],
  blocks: [],
};
