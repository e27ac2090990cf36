import type { Verb, VerbContext, VerbResult } from '../kernel/terminal/index.ts';

/** A command line that was understood: what to run, and how to show its answer. */
export interface Call {
  readonly run: (context: VerbContext) => Promise<VerbResult>;
  /** Show the document rather than the text. */
  readonly json: boolean;
  /** The verb ends its work itself when a signal comes. */
  readonly stoppable: boolean;
  /** Configuration that cannot be used: `refuse` it, or `tell`, which the verb does itself. Without a word nobody asks. */
  readonly settings?: 'refuse' | 'tell';
}

interface VerbCall<Input> {
  /** Loads the verb, so that a command pays only for its own modules. */
  readonly load: () => Promise<Verb<Input>>;
  readonly input: Input;
  readonly json: boolean;
  readonly stoppable?: boolean;
  readonly settings?: Call['settings'];
}

export function verbCall<Input>({ load, input, json, stoppable = false, settings = 'refuse' }: VerbCall<Input>): Call {
  return { run: async (context) => (await load())(input, context), json, stoppable, settings };
}

/** A call that only has something to say, such as a help page. */
export function textCall(text: string): Call {
  return { run: () => Promise.resolve({ exit: 0, text }), json: false, stoppable: false };
}
