import { AppError } from '../lib/errors.ts';
import { inTime } from '../lib/in-time.ts';

/** How long a caller waits for a node at most. */
export const ANSWER_WITHIN_MS = 10_000;
const RETRY_SECONDS = 5;

/** SERVICE_UNAVAILABLE, because a node did not answer: it may in a few seconds. */
export const unanswered = (message: string, cause?: unknown): AppError =>
  new AppError('SERVICE_UNAVAILABLE', message, { retryAfterSeconds: RETRY_SECONDS, cause });

/** A node's answer. Throws SERVICE_UNAVAILABLE, which says what is not known without it, when it takes too long. */
export function nodeAnswers<T>(network: string, asked: Promise<T>, unknown: string): Promise<T> {
  return inTime(asked, ANSWER_WITHIN_MS).catch((cause: unknown) => {
    throw unanswered(`The node of ${network} did not answer, so ${unknown}. Try again.`, cause);
  });
}
