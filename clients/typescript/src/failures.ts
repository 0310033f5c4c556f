import { KasiError } from './errors.ts';

export type Fetch = (request: Request) => Promise<Response>;

/**
 * Sends a request. Without an answer it throws the signal's reason if the signal fired, else `KasiError`
 * `NETWORK_ERROR`.
 */
export async function fetchOnce(fetch: Fetch, request: Request): Promise<Response> {
  try {
    return await fetch(request);
  } catch (cause) {
    if (request.signal.aborted) throw request.signal.reason;
    throw new KasiError('NETWORK_ERROR', `No answer from ${new URL(request.url).origin}: ${messageOf(cause)}`, {
      cause,
    });
  }
}

/**
 * The error to throw for `error`: the reason of an abort, the error itself if it says enough, or else a `KasiError`
 * that says what went wrong while the body of `begun`, the answer, was read.
 */
export function failureOf(error: unknown, signal: AbortSignal, begun: Response | undefined): unknown {
  if (signal.aborted) return signal.reason;
  if (error instanceof KasiError || begun === undefined) return error;
  const details = { cause: error, requestId: begun.headers.get('x-request-id') };
  if (!(error instanceof SyntaxError)) {
    return new KasiError('NETWORK_ERROR', `The answer broke off: ${messageOf(error)}`, details);
  }
  const { status } = begun;
  return new KasiError('UNEXPECTED_RESPONSE', `${status} with a body that is not JSON.`, { ...details, status });
}

/** fetch only says "fetch failed"; the reason is in the cause. */
function messageOf(error: unknown): string {
  const deepest = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  if (!(deepest instanceof Error)) return String(deepest);
  return deepest.message || String((deepest as { code?: unknown }).code ?? deepest.name);
}
