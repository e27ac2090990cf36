import { transactionNotSynchronous } from './errors.ts';
import { PlannedStatement } from './statement.ts';
import type { Answer, Steps, Transaction, Work } from './store-contract.ts';

/** One run of the work of a transaction. */
export interface Run<Result> {
  /** Runs it to its end, while `perform` answers each statement at once. */
  now(perform: (statement: PlannedStatement) => Answer): Result;
  /** Runs it to its end, waiting for the answer of each statement. */
  waiting(perform: (statement: PlannedStatement) => Promise<Answer>): Promise<Result>;
}

export interface RunRequest<Result> {
  readonly work: Work<Result>;
  readonly transaction: Transaction;
  /** Of the database, for the errors. */
  readonly name: string;
  /** True for what the database answered to a statement, and not for what is only in the way for now. */
  readonly isRefusal: (error: unknown) => boolean;
  /** Called around each piece of the work, which never waits. */
  readonly during: <Value>(piece: () => Value) => Value;
}

/** Throws `transaction-not-synchronous` for work that is no generator, or yields what is no statement. */
export function runOf<Result>({ work, transaction, ...request }: RunRequest<Result>): Run<Result> {
  const begin = (): Pending<Result> => {
    const steps = request.during(() => work(transaction));
    if (typeof (steps as Partial<Steps<Result>> | undefined)?.next === 'function') return new Pending(steps, request);
    throw transactionNotSynchronous({ path: request.name });
  };
  return {
    now(perform) {
      const pending = begin();
      for (let step = pending.first(); ; ) {
        if ('result' in step) return step.result;
        step = pending.next(attempted(pending, step.statement, perform));
      }
    },
    async waiting(perform) {
      const pending = begin();
      for (let step = pending.first(); ; ) {
        if ('result' in step) return step.result;
        step = pending.next(await perform(step.statement).catch((error: unknown) => pending.fail(error)));
      }
    },
  };
}

function attempted(
  pending: Pending<unknown>,
  statement: PlannedStatement,
  perform: (statement: PlannedStatement) => Answer,
): Answer {
  try {
    return perform(statement);
  } catch (error) {
    return pending.fail(error);
  }
}

type Step<Result> = { readonly statement: PlannedStatement } | { readonly result: Result };

class Pending<Result> {
  readonly #steps: Steps<Result>;
  readonly #request: Omit<RunRequest<Result>, 'work' | 'transaction'>;

  constructor(steps: Steps<Result>, request: Omit<RunRequest<Result>, 'work' | 'transaction'>) {
    this.#steps = steps;
    this.#request = request;
  }

  first(): Step<Result> {
    return this.#stepOf(this.#request.during(() => this.#steps.next()));
  }

  next(answer: Answer): Step<Result> {
    return this.#stepOf(this.#request.during(() => this.#steps.next(answer)));
  }

  /**
   * Ends the work after a statement failed, and throws why. A refusal is shown to the work, which may name it better;
   * going on as if nothing had happened changes nothing. What is only in the way for now is not the work's business.
   */
  fail(error: unknown): never {
    this.#request.during(() => {
      if (this.#request.isRefusal(error)) this.#steps.throw(error);
      this.#steps.return(undefined as never);
    });
    throw error;
  }

  #stepOf({ done, value }: IteratorResult<PlannedStatement, Result>): Step<Result> {
    if (done === true) return { result: value };
    if (value instanceof PlannedStatement) return { statement: value };
    throw transactionNotSynchronous({ path: this.#request.name });
  }
}
