import type { FastifyBaseLogger } from 'fastify';
import { isOutage } from './db/transaction.ts';
import { messageOf } from './lib/errors.ts';

const TELL_EVERY_MS = 30_000;

/**
 * Logs errors with their stacks, but what an outage of the database makes of everything only in one line now and then:
 * while it is away every job and every connection fails in the same way.
 */
export function createFailureLog(
  logger: Pick<FastifyBaseLogger, 'error' | 'warn'>,
  elapsedMs: () => number,
  level: 'error' | 'warn' = 'error',
): (error: unknown, message: string) => void {
  let toldAtMs = Number.NEGATIVE_INFINITY;
  let folded = 0;
  return (error, message) => {
    if (!isOutage(error)) return logger[level]({ err: error }, message);
    if (elapsedMs() - toldAtMs < TELL_EVERY_MS) {
      folded += 1;
      return;
    }
    logger[level]({ reason: messageOf(error), ...(folded > 0 ? { more: folded } : {}) }, message);
    toldAtMs = elapsedMs();
    folded = 0;
  };
}
