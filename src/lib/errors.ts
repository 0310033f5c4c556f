import type { components } from '../../generated/api.ts';

/** The codes that an answer can carry; the contract lists them. */
export type ErrorCode = components['schemas']['ErrorCode'];

/** One invalid field of a request: its path (`amount`, `metadata.orderId`) and what it must be. */
export type FieldError = { readonly path: string; readonly message: string };

type Options = {
  readonly reason?: string;
  readonly fields?: readonly FieldError[];
  readonly retryAfterSeconds?: number;
  /** Headers of the answer, as the contract lists them for its status. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly cause?: unknown;
};

/**
 * A refusal for the caller: its message says what is wrong and what to change. Any other error becomes INTERNAL_ERROR.
 */
export class AppError extends Error {
  readonly code: ErrorCode;
  readonly reason: string | undefined;
  readonly fields: readonly FieldError[] | undefined;
  readonly retryAfterSeconds: number | undefined;
  readonly headers: Readonly<Record<string, string>> | undefined;

  constructor(code: ErrorCode, message: string, options: Options = {}) {
    super(message, options.cause === undefined ? {} : { cause: options.cause });
    this.name = 'AppError';
    this.code = code;
    this.reason = options.reason;
    this.fields = options.fields;
    this.retryAfterSeconds = options.retryAfterSeconds;
    this.headers = options.headers;
  }
}

/** A VALIDATION_ERROR about one field; the message appears at the top and with the field. */
export function invalidField(path: string, message: string, reason?: string): AppError {
  return new AppError('VALIDATION_ERROR', `${path}: ${message}`, {
    fields: [{ path, message }],
    ...(reason === undefined ? {} : { reason }),
  });
}

/**
 * Throws a VALIDATION_ERROR that lists these problems, at the top and with their fields. Does nothing if there are
 * none.
 */
export function requireNone(problems: readonly FieldError[]): void {
  if (problems.length === 0) return;
  const message = problems.map((problem) => `${problem.path}: ${problem.message}`).join('; ');
  throw new AppError('VALIDATION_ERROR', message, { fields: problems });
}

/** NOT_FOUND for a thing that does not exist or belongs to another account. The answers are identical on purpose. */
export const notFound = (noun: string): AppError => new AppError('NOT_FOUND', `There is no such ${noun}.`);

/** CONFLICT: the thing's state does not allow it. */
export const conflict = (message: string, reason?: string): AppError =>
  new AppError('CONFLICT', message, reason === undefined ? {} : { reason });

/** Why this process does not start, for an operator: its message is complete, with field, cause and cure. */
export class StartError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'StartError';
  }
}

/** The message of anything that was thrown. */
export const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/** Marks a branch that the types rule out. Reaching it is a bug. */
export function unreachable(value: never): never {
  throw new Error(`Unexpected value: ${JSON.stringify(value)}`);
}
