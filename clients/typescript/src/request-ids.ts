/** The request that brought an answer. Beside the answers, because these are exactly what the contract says. */
const requestIds = new WeakMap<object, string>();

/** Remembers which request brought `answer`, and returns it. */
export function withRequestId(answer: unknown, response: Response): unknown {
  const id = response.headers.get('x-request-id');
  if (typeof answer === 'object' && answer !== null && id !== null) requestIds.set(answer, id);
  return answer;
}

/**
 * The id of the request that brought this answer, the very object that a method returned; null for anything else,
 * files and parts of answers among it. Log it, and quote it when you ask for help. Errors have it as `requestId`.
 */
export const requestIdOf = (answer: unknown): string | null => requestIds.get(answer as object) ?? null;
