import type { AnswerOf, ArgumentsOf, IdempotentRoute, Route } from './contract.ts';
import type { ErrorCodeOf, KasiErrorCode } from './error-codes.ts';
import { KasiError, type KasiErrorOf } from './errors.ts';
import { requestIdOf } from './request-ids.ts';
import type { CallOptions, IdempotentCallOptions } from './transport.ts';

/** What `.try` returns instead of throwing. */
export type Result<Data, Code extends KasiErrorCode = KasiErrorCode> =
  | {
      readonly ok: true;
      readonly data: Data;
      /** Quote it when you ask for help; null where the answer is a file. */
      readonly requestId: string | null;
      readonly error?: undefined;
    }
  | {
      readonly ok: false;
      readonly error: KasiErrorOf<Code>;
      readonly requestId: string | null;
      readonly data?: undefined;
    };

/** The arguments of a method: the ids of the path, the body or the query, and how to make the call. */
export type MethodArguments<R extends Route> = ArgumentsOf<
  R,
  R extends IdempotentRoute ? IdempotentCallOptions : CallOptions
>;

/** A method of the client. It returns the body of the answer and throws `KasiError`. */
// An interface keeps its name in the published types, so editors still show the contract's description of every field.
export interface Method<R extends Route> {
  (...args: MethodArguments<R>): Promise<AnswerOf<R>>;
  /**
   * The same call, which returns a `KasiError` instead of throwing it. Aborts and mistakes of the caller are still
   * thrown.
   */
  try(...args: MethodArguments<R>): Promise<Result<AnswerOf<R>, ErrorCodeOf<R>>>;
}

/** Adds `.try` to a method. */
export function withTry<R extends Route>(method: (...args: MethodArguments<R>) => Promise<AnswerOf<R>>): Method<R> {
  const tried: Method<R>['try'] = async (...args) => {
    try {
      const data = await method(...args);
      return { ok: true, data, requestId: requestIdOf(data) };
    } catch (error) {
      if (!(error instanceof KasiError)) throw error;
      return { ok: false, error: error as KasiErrorOf<ErrorCodeOf<R>>, requestId: error.requestId };
    }
  };
  return Object.assign((...args: MethodArguments<R>) => method(...args), { try: tried });
}
