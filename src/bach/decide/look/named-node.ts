import type { DroverError } from '../../../kernel/errors/index.ts';
import { canonicalName, generatedPolicyNodes, type Alias, type PolicyNode, type Project, type Target } from '../../model/index.ts';
import { unknownTarget } from '../errors.ts';

/** What a name on the command line means. */
export type NamedNode =
  | { readonly kind: 'target'; readonly target: Target; readonly alias: Alias | undefined }
  | { readonly kind: 'policy'; readonly node: PolicyNode };

/** A name that means nothing, with the error `unknown-target` that says so. */
export interface UnknownNode {
  readonly kind: 'unknown';
  readonly error: DroverError;
}

type Named = Pick<Project, 'targets' | 'aliases' | 'policies'>;

/** A target in either form of its name, one behind an alias, or a generated node in either form of its own. */
export function namedNode(name: string, project: Named): NamedNode | UnknownNode {
  const { targets, aliases } = project;
  const target = targets.get(name) ?? targets.get(canonicalName(name));
  if (target !== undefined) return { kind: 'target', target, alias: undefined };
  const alias = aliases.get(name);
  const meant = alias && targets.get(alias.target);
  if (meant !== undefined) return { kind: 'target', target: meant, alias };
  const nodes = generatedPolicyNodes(project);
  const node = nodes.find((each) => each.name === name) ?? nodes.find((each) => canonicalName(each.name) === canonicalName(name));
  if (node !== undefined) return { kind: 'policy', node };
  return { kind: 'unknown', error: unknownTarget({ name, known: [...targets.keys(), ...aliases.keys()] }) };
}

/** Told whenever an alias is used: `alias "old" resolves to "shell/new". Use shell/new.` */
export function aliasNotice({ name, target, deprecated }: Alias): string {
  return `alias ${JSON.stringify(name)} resolves to ${JSON.stringify(target)}. ${deprecated || `Use ${target}.`}`;
}
