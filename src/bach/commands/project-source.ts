import type { VerbContext } from '../../kernel/terminal/index.ts';
import { factKey, type FactAnswer, type FactRequest } from '../model/index.ts';
import { canonicalFile, projectRoot, readBachfileBytes, type Candidate, type ProjectSource } from '../store/index.ts';
import type { ProjectInput } from './inputs.ts';

/** What an expression asks of the world is looked for in the folder of the project, and not in what runs leave there. */
export interface FactPlace {
  readonly root: string;
  /** Of the state database, from the root. */
  readonly statePath: string;
}

export type AnswerFact = (request: FactRequest, place: FactPlace) => Promise<FactAnswer>;

export interface FactWorld {
  /** The value of `file_hash(paths...)`; `statePath` is the state database from the root. */
  fileHash(paths: readonly string[], root: string, statePath: string): Promise<FactAnswer>;
}

/** What a project is to be decoded from. */
export function sourceOf({ file, vars: overrides, profiles }: ProjectInput, { cwd, env: environment }: VerbContext): ProjectSource {
  return { file, canonical: canonicalFile(file, cwd), bytes: readBachfileBytes(file, cwd), cwd, overrides, profiles, environment };
}

export function rootOf({ file }: ProjectInput, { cwd, env }: VerbContext, root: string | undefined): string {
  return projectRoot({ file, root, cwd, home: env['HOME'] });
}

/** Whether the world still gives the answers that a project was decoded with. */
export async function areAnsweredSo({ facts, ...place }: Pick<Candidate, 'facts' | keyof FactPlace>, answer: AnswerFact): Promise<boolean> {
  for (const [request, known] of facts) {
    const now = await answer(request, place);
    if (JSON.stringify(now) !== JSON.stringify(known)) return false;
  }
  return true;
}

/** What was answered once need not be found out again. */
export function answerOnce(context: VerbContext, world: Partial<FactWorld>): AnswerFact {
  const known = new Map<string, Promise<FactAnswer>>();
  return (request, place) => {
    const key = JSON.stringify([place.root, place.statePath, factKey(request)]);
    const answer = known.get(key) ?? answerFact(request, { ...place, context, world });
    known.set(key, answer);
    return answer;
  };
}

interface Asking extends FactPlace {
  readonly context: VerbContext;
  readonly world: Partial<FactWorld>;
}

async function answerFact(request: FactRequest, { root, statePath, context, world }: Asking): Promise<FactAnswer> {
  if (request.kind === 'file-hash') {
    return (await world.fileHash?.(request.paths, root, statePath)) ?? { failure: 'no files can be read here' };
  }
  // Few projects ask git for anything.
  const { gitAnswer } = await import('./git-answers.ts');
  return gitAnswer(request.kind, { root, statePath }, context);
}
