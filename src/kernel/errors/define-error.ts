const BRAND = Symbol.for('drover.error');

/** What a room declares once for each failure that a user can cause or act on. */
export interface ErrorDefinition<Details> {
  /** Kebab word, stable across releases, e.g. `disk-full`. */
  readonly code: string;
  /** One or two sentences on when this happens and what was expected, for `drover explain <code>`. */
  readonly means?: string;
  /** What happened, with the value that was met. */
  readonly message: (details: Details) => string;
  /** What the user can do next; never a destructive command. */
  readonly remedy: string | ((details: Details) => string);
  /** Process exit code: 1 for a failure, 2 for wrong usage. Default 1. */
  readonly exit?: number;
}

/** A failure with a stable code and a remedy; never shown with a stack trace. */
export class DroverError extends Error {
  readonly code: string;
  readonly remedy: string;
  readonly exit: number;

  constructor(fields: { code: string; message: string; remedy: string; exit: number; cause?: unknown }) {
    super(fields.message, fields.cause === undefined ? undefined : { cause: fields.cause });
    this.name = 'DroverError';
    this.code = fields.code;
    this.remedy = fields.remedy;
    this.exit = fields.exit;
    Object.defineProperty(this, BRAND, { value: true });
  }
}

/**
 * Declares an error once and returns the function that makes it.
 *
 * @example
 * const missingFile = defineError<{ path: string }>({
 *   code: 'missing-file',
 *   message: ({ path }) => `${path}: no such file`,
 *   remedy: 'name an existing file with --file',
 * });
 * throw missingFile({ path: 'notes.txt' });
 */
export function defineError<Details>(definition: ErrorDefinition<Details>): DefinedError<Details> {
  const make = (details: Details, cause?: unknown): DroverError =>
    new DroverError({
      code: definition.code,
      message: definition.message(details),
      remedy: typeof definition.remedy === 'string' ? definition.remedy : definition.remedy(details),
      exit: definition.exit ?? 1,
      cause,
    });
  return Object.assign(make, { definition });
}

/** Makes the error; its definition is what `drover explain` and the docs show. */
export interface DefinedError<Details> {
  (details: Details, cause?: unknown): DroverError;
  readonly definition: ErrorDefinition<Details>;
}

/** True for an error of ours, also when it comes from another copy of this module. */
export function isDroverError(value: unknown): value is DroverError {
  return value instanceof Error && BRAND in value;
}
