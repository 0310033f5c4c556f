import type { components } from '../../generated/api.ts';

/** The codes that an answer can carry; the contract lists them. */
export type ErrorCode = components['schemas']['ErrorCode'];

/** One wrong field of a request: where it stands (`amount`, `metadata.orderId`) and what is expected there. */
export type FieldError = { readonly path: string; readonly message: string };

type Options = {
  readonly reason?: string;
  readonly fields?: readonly FieldError[];
  readonly retryAfterSeconds?: number;
  readonly cause?: unknown;
};

/** A refusal that the caller may read: its message says what is wrong and what to change. Everything else is an INTERNAL_ERROR. */
export class AppError extends Error {
  readonly code: ErrorCode;
  readonly reason: string | undefined;
  readonly fields: readonly FieldError[] | undefined;
  readonly retryAfterSeconds: number | undefined;

  constructor(code: ErrorCode, message: string, options: Options = {}) {
    super(message, options.cause === undefined ? {} : { cause: options.cause });
    this.name = 'AppError';
    this.code = code;
    this.reason = options.reason;
    this.fields = options.fields;
    this.retryAfterSeconds = options.retryAfterSeconds;
  }
}

/** A VALIDATION_ERROR about one field, whose message stands both at the top and with the field. */
export function invalidField(path: string, message: string, reason?: string): AppError {
  return new AppError('VALIDATION_ERROR', `${path}: ${message}`, {
    fields: [{ path, message }],
    ...(reason === undefined ? {} : { reason }),
  });
}

/** Throws a VALIDATION_ERROR that tells of all of these, at the top and with their fields; does nothing when there are none. */
export function requireNone(problems: readonly FieldError[]): void {
  if (problems.length === 0) return;
  const message = problems.map((problem) => `${problem.path}: ${problem.message}`).join('; ');
  throw new AppError('VALIDATION_ERROR', message, { fields: problems });
}

/** The NOT_FOUND of a thing that is unknown or belongs to somebody else; the two look the same on purpose. */
export const notFound = (noun: string): AppError => new AppError('NOT_FOUND', `There is no such ${noun}.`);

/** A CONFLICT: the state of the thing does not allow it. */
export const conflict = (message: string, reason?: string): AppError =>
  new AppError('CONFLICT', message, reason === undefined ? {} : { reason });

/** What an error says, whatever was thrown. */
export const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/** Marks a branch that the types rule out; reaching it is a fault of ours. */
export function unreachable(value: never): never {
  throw new Error(`Unexpected value: ${JSON.stringify(value)}`);
}
