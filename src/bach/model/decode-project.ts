import { aliasesOf } from './aliases.ts';
import type { AttributeScope } from './attribute-reader.ts';
import { blocksOf, checkBody } from './block-reader.ts';
import { defaultTargetOf } from './default-target.ts';
import type { EnvironmentScope } from './environment.ts';
import type { Body } from './hcl/index.ts';
import { inputSetNames, inputsOf, resourcesOf } from './input-blocks.ts';
import { checkInputPaths, type InputRules } from './input-paths.ts';
import { checkLaterReferences, decodeLaterBlocks } from './later/index.ts';
import type { DecodedProject } from './link.ts';
import { pluginsOf } from './plugins.ts';
import type { ProcessEnvironment } from './process-environment.ts';
import { decodeProject } from './project-block.ts';
import type { EnvironmentEntry, Profiles, Project } from './project.ts';
import { promptsOf } from './prompts.ts';
import { checkProduced, checkTargets } from './reference-checks.ts';
import { FILE_SCHEMA } from './schema.ts';
import { decodeTargets } from './target-blocks.ts';
import type { DecodedTarget } from './targets.ts';

/** What blocks are decoded with, once variables and environments have their values. */
export interface ProjectScope extends AttributeScope {
  /** The Bachfile as the user gave it. */
  readonly file: string;
  readonly root: string | undefined;
  /** Of the project. */
  readonly entries: readonly EnvironmentEntry[];
  readonly profiles: Profiles;
  readonly environment: EnvironmentScope;
  readonly process: ProcessEnvironment;
}

/** Reads all blocks but variables and environments; faults are told, and what could be read comes back. */
export function decodeBlocks(body: Body, scope: ProjectScope): DecodedProject {
  checkBody(body, FILE_SCHEMA, scope.findings);
  const block = decodeProject(body, scope.general, scope.findings);
  const rules: InputRules = { statePath: block.backend.statePath, setNames: inputSetNames(body) };
  const declared = declarations(body, { ...scope, ...rules });
  const { inputs, resources, plugins, prompts, later } = declared;
  const decoded = decodeTargets(body, { ...scope, later, prompts });
  const targets = new Map(decoded.map(({ target }) => [target.name, target]));
  const names = new Set(targets.keys());
  const aliases = aliasesOf(body, names, scope);
  const defaultTarget = defaultTargetOf(block.defaultTarget, { targets: names, aliases }, scope.findings);
  checkAll(body, { decoded, declared, targets, rules }, scope);
  const { providers, agentTemplates, policies, qualities, factories } = later;
  const { file, root, entries, profiles } = scope;
  const project: Project = {
    name: block.name,
    file,
    root,
    defaultTarget,
    backend: block.backend,
    environment: entries,
    profiles,
    inputs,
    resources,
    plugins,
    prompts,
    aliases,
    providers,
    agentTemplates,
    policies,
    qualities,
    factories,
    targets,
  };
  return { project, pluginPlaces: declared.pluginPlaces, promptPlaces: declared.promptPlaces };
}

function declarations(body: Body, scope: ProjectScope & InputRules) {
  const inputs = inputsOf(body, scope);
  const resources = resourcesOf(body, inputs, scope);
  const prompts = [...promptsOf(body, scope)];
  const plugins = [...pluginsOf(body, scope)];
  return {
    inputs,
    resources,
    prompts: new Map(prompts.map(([name, { prompt }]) => [name, prompt])),
    promptPlaces: new Map(prompts.map(([name, { place }]) => [name, place])),
    plugins: new Map(plugins.map(([name, { plugin }]) => [name, plugin])),
    pluginPlaces: new Map(plugins.map(([name, { place }]) => [name, place])),
    later: decodeLaterBlocks(body, scope),
  };
}

interface Decoded {
  readonly decoded: readonly DecodedTarget[];
  readonly declared: ReturnType<typeof declarations>;
  readonly targets: Project['targets'];
  readonly rules: InputRules;
}

/** What can be judged only when all blocks are known. */
function checkAll(body: Body, { decoded, declared, targets, rules }: Decoded, { findings }: ProjectScope): void {
  checkTargets(decoded, new Set(targets.keys()), findings);
  checkProduced(decoded, declared, findings);
  for (const { target, inputs } of decoded) {
    checkInputPaths(inputs, { subject: `target ${JSON.stringify(target.name)} inputs:`, ...rules, findings });
  }
  const agentBlocks = new Map(decoded.filter(({ target }) => target.kind === 'agent').map(({ target, block }) => [target.name, block]));
  const aliases = new Set(blocksOf(body, 'alias').flatMap(({ labels }) => labels.map(({ value }) => value)));
  checkLaterReferences({ ...declared, targets, agentBlocks, aliases }, findings);
}
