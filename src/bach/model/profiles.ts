import { didYouMean } from '../../kernel/text/index.ts';
import { blocksOf, labelsOf } from './block-reader.ts';
import { environmentOf, mergeEnvironments, type Environment } from './environment.ts';
import type { Findings } from './findings.ts';
import type { Block, Body, Scope, Value } from './hcl/index.ts';
import type { Profiles } from './project.ts';
import { PROFILE_SCHEMA } from './schema.ts';

export interface ProfileFacts {
  /** `--profile`, in the order of the command line. */
  readonly selected: readonly string[];
  readonly project: Environment;
  /** What a value may name beside environments: `var`, the process, the functions. */
  readonly outer: Scope;
  readonly findings: Findings;
}

export interface SelectedProfiles {
  readonly profiles: Profiles;
  /** The project's values with those of the profiles over them. */
  readonly values: ReadonlyMap<string, Value>;
}

/** Reads all `profile` blocks and evaluates those that were selected, each over those before it. */
export function profilesOf(body: Body, facts: ProfileFacts): SelectedProfiles {
  const declared = declaredProfiles(body, facts.findings);
  let earlier: Environment = { entries: [], values: new Map() };
  for (const name of facts.selected) {
    const profile = declared.get(name);
    if (profile === undefined) tellUnknown(name, [...declared.keys()], facts.findings);
    else earlier = overlaid(earlier, environmentIn(profile, earlier, facts));
  }
  const environment = earlier.entries;
  const profiles = { selected: [...facts.selected], environment, declared: [...declared.keys()] };
  return { profiles, values: new Map([...facts.project.values, ...earlier.values]) };
}

function declaredProfiles(body: Body, findings: Findings): ReadonlyMap<string, Body> {
  const declared = new Map<string, Block>();
  for (const block of blocksOf(body, 'profile')) {
    const [name] = labelsOf(block, PROFILE_SCHEMA, findings) ?? [];
    if (name === undefined) continue;
    const first = declared.get(name);
    if (first !== undefined) findings.duplicate(block.header, `duplicate profile ${JSON.stringify(name)}`, first.header);
    else declared.set(name, block);
  }
  return new Map([...declared].map(([name, block]) => [name, block.body]));
}

function tellUnknown(name: string, declared: readonly string[], findings: Findings): void {
  findings.misname({ option: '--profile', message: `unknown profile ${JSON.stringify(name)}${didYouMean(name, declared)}`, declared });
}

/** A key that the profile sets is not taken from the project: its values name each other or what is outside. */
function environmentIn(profile: Body, earlier: Environment, { project, outer, findings }: ProfileFacts): Environment {
  const blocks = blocksOf(profile, 'env');
  const own = new Set(blocks.flatMap(({ body }) => body.attributes.map(({ name }) => name)));
  const ofProject = new Map([...project.values].filter(([name]) => !own.has(name)));
  const visible = new Map([...ofProject, ...earlier.values]);
  return environmentOf(blocks, { outer: { variables: visible, functions: new Map(), parent: outer }, findings });
}

function overlaid(under: Environment, over: Environment): Environment {
  return {
    entries: mergeEnvironments(under.entries, over.entries),
    values: new Map([...under.values, ...over.values]),
  };
}
