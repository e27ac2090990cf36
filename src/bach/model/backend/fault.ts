/** What went wrong, in the words of the protocol. */
export type FaultCode =
  | 'invalid_request'
  | 'not_initialized'
  | 'unsupported_capability'
  | 'not_found'
  | 'conflict'
  | 'validation_failed'
  | 'internal';

export type FaultDetails = Readonly<Record<string, string | readonly string[]>>;

/** What was sent may be named in the answer, which is to stay smaller than an answer may be. */
const MOST_SHOWN = 1000;

/** A request that is refused; thrown to the one place that answers it. */
export class ProtocolFault {
  readonly code: FaultCode;
  readonly message: string;
  readonly details: FaultDetails | undefined;

  constructor(code: FaultCode, message: string, details?: FaultDetails) {
    this.code = code;
    this.message = cut(message);
    this.details = details && Object.fromEntries(Object.entries(details).map(([name, text]) => [name, typeof text === 'string' ? cut(text) : text]));
  }
}

export function invalidField(field: string, message: string): ProtocolFault {
  return new ProtocolFault('validation_failed', message, { field });
}

function cut(text: string): string {
  return text.length <= MOST_SHOWN ? text : `${text.slice(0, MOST_SHOWN)}…`;
}
