import { AppError } from '../lib/errors.ts';
import { inTime } from '../lib/in-time.ts';

/** Longest wait for a node while somebody waits for our answer. */
export const ANSWER_WITHIN_MS = 10_000;
const RETRY_SECONDS = 5;

/** SERVICE_UNAVAILABLE, because a node did not answer: it may in a few seconds. */
export const unanswered = (message: string, cause?: unknown): AppError =>
  new AppError('SERVICE_UNAVAILABLE', message, { retryAfterSeconds: RETRY_SECONDS, cause });

/** What a node of a network was asked, in time. Throws SERVICE_UNAVAILABLE, with what then follows, when it is not. */
export function nodeAnswers<T>(network: string, asked: Promise<T>, so: string): Promise<T> {
  return inTime(asked, ANSWER_WITHIN_MS).catch((cause: unknown) => {
    throw unanswered(`The node of ${network} did not answer, so ${so}. Try again.`, cause);
  });
}
