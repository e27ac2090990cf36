import { factKey, type FactAnswer, type FactAnswers, type FactRequest } from './fact-request.ts';
import { ANY, stringValue, UNKNOWN, type CallFailure, type HclFunction, type Value } from './hcl/index.ts';

/** The functions of the language over what is known of the world; what is not known yet is asked for. */
export class Facts {
  readonly functions: ReadonlyMap<string, HclFunction>;
  readonly #answers: FactAnswers;
  readonly #needs = new Map<string, FactRequest>();
  readonly #used = new Map<string, FactAnswer>();

  constructor(answers: FactAnswers) {
    this.#answers = answers;
    this.functions = new Map<string, HclFunction>([
      ['git_short_sha', { parameters: [], call: () => this.#ask({ kind: 'git-short-sha' }) }],
      ['git_dirty_suffix', { parameters: [], call: () => this.#ask({ kind: 'git-dirty-suffix' }) }],
      ['file_hash', { parameters: [], variadic: { name: 'paths', type: ANY }, call: (paths) => this.#fileHash(paths) }],
    ]);
  }

  /** What has to be known before the evaluation means something. */
  get needs(): readonly FactRequest[] {
    return [...this.#needs.values()];
  }

  get used(): FactAnswers {
    return this.#used;
  }

  #fileHash(values: readonly Value[]): Value | CallFailure {
    const texts = values.map((value) => (value.kind === 'string' && !value.text.includes('\0') ? value.text : undefined));
    const paths = texts.filter((text) => text !== undefined);
    if (paths.length === texts.length) return this.#ask({ kind: 'file-hash', paths });
    return { kind: 'failure', message: 'a path must be a string without NUL', argument: texts.indexOf(undefined) };
  }

  #ask(request: FactRequest): Value | CallFailure {
    const key = factKey(request);
    const answer = this.#answers.get(key);
    if (answer === undefined) {
      this.#needs.set(key, request);
      return UNKNOWN;
    }
    this.#used.set(key, answer);
    return 'value' in answer ? stringValue(answer.value) : { kind: 'failure', message: answer.failure };
  }
}
