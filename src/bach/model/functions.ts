import { ANY, type HclFunction } from './hcl/index.ts';

/** Functions of the language that this release cannot compute yet. */
const LATER = ['git_short_sha', 'git_dirty_suffix', 'file_hash'];

/** The functions that expressions may call. */
export const FUNCTIONS: ReadonlyMap<string, HclFunction> = new Map(LATER.map((name) => [name, later(name)]));

function later(name: string): HclFunction {
  return {
    parameters: [],
    variadic: { name: 'arguments', type: ANY },
    call: () => ({ kind: 'failure', message: `${name}() is not supported by this release of bach` }),
  };
}
