import type { AgentSettings, CompletionCheck, Project, Target } from '../../model/index.ts';
import { NUL, written } from './written.ts';

type World = Pick<Project, 'providers' | 'policies' | 'qualities'>;

/** Everything that says what a target does, as written: nothing in it is expanded. */
export function operationText(target: Target, world: World): string {
  const { name, kind, lock, successWhen, failWhen } = target;
  let text = `${name}\0${kind}\0${lock}\0${detailsOf(target, world)}`;
  for (const check of successWhen) text += checkText('success-when', check);
  for (const check of failWhen) text += checkText('fail-when', check);
  for (const rule of world.qualities.get(name)?.regoPolicies ?? []) {
    text += written('rego-policy', rule.path, rule.package, rule.allow, rule.findings);
  }
  return text;
}

/** Keys and values in the order of the keys. */
function detailsOf(target: Target, world: World): string {
  if (target.agent !== undefined) return agentDetails(target.agent, world);
  switch (target.kind) {
    case 'pipeline':
      return written('steps', target.children.join(NUL));
    case 'group':
      return written('targets', target.children.toSorted().join(NUL));
    case 'image':
      return imageDetails(target);
    default:
      return shellDetails(target);
  }
}

function shellDetails({ operation, workdir }: Target): string {
  const command = operation?.kind === 'command' ? operation.argv.join(NUL) : '';
  const script = operation?.kind === 'shell' ? operation.script : '';
  return `command\0${command}\0shell\0${script}\0workdir\0${workdir}\0`;
}

function imageDetails({ operation }: Target): string {
  if (operation?.kind !== 'image') return '';
  const { buildArgs, builder, context, dockerfile, image, platform, push, tags } = operation;
  return written(
    'build-args', buildArgs.join(NUL),
    'builder', builder,
    'context', context,
    'dockerfile', dockerfile,
    'image', image,
    'platform', platform,
    'push', String(push),
    'tags', tags.join(NUL),
  );
}

/** An agent has no result that is kept; what depends on it still sees when it is another one. */
function agentDetails(agent: AgentSettings, { providers, policies }: World): string {
  const { mode, provider, role, prompt, plan, policy, workspace, git, improve } = agent;
  const program = providers.get(provider);
  return written(
    'git-branch', git.branch,
    'git-commit', git.commit,
    'max-attempts', String(improve?.maxAttempts ?? ''),
    'mode', mode,
    'plan', plan,
    'policy', policy,
    'prompt', prompt,
    'provider-command', program?.command.join(NUL) ?? '',
    'provider-name', provider,
    'provider-type', program?.type ?? '',
    'reviewers', policies.get(policy)?.reviewers.join(NUL) ?? '',
    'role', role,
    'until', improve?.until ?? '',
    'workspace-mode', workspace.mode,
    'workspace-path', workspace.path,
  );
}

function checkText(prefix: string, check: CompletionCheck): string {
  const text = check.kind === 'output_contains' ? check.text : '';
  const path = check.kind === 'file_exists' ? check.path : '';
  const command = check.kind === 'command' ? check.argv.join(NUL) : '';
  return written(prefix, text, prefix, path, prefix, command);
}
