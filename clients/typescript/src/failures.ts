import { KasiError } from './errors.ts';

export type Fetch = (request: Request) => Promise<Response>;

/** Sends a request; throws the signal's reason when it fired, else `KasiError` `NETWORK_ERROR` when no answer comes. */
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
 * What to throw for `error`: the reason of the abort, an error that says enough by itself, or else what went wrong while the
 * body of `begun`, the answer that had begun, was read.
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

/** fetch says only "fetch failed"; what failed stands in the cause. */
function messageOf(error: unknown): string {
  const deepest = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  if (!(deepest instanceof Error)) return String(deepest);
  return deepest.message || String((deepest as { code?: unknown }).code ?? deepest.name);
}
