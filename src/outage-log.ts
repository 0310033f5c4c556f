import type { FastifyBaseLogger } from 'fastify';
import { isOutage } from './db/transaction.ts';
import { messageOf } from './lib/errors.ts';

const TELL_EVERY_MS = 30_000;
/** Failures that are known apart; beyond, all are forgotten, and so told again. */
const KNOWN_MAX = 500;
/** Ids and numbers, by which lines of the same failure differ. */
const VARIES = /\b[a-z]+_[0-9a-z-]{8,}\b|\b0x[0-9a-f]+\b|\d+/gi;
const OUTAGE = 'the database is away';

type Known = { toldAtMs: number; folded: number };

/**
 * Logs errors with their stacks, but the same failure only once in half a minute, with the number of lines that it
 * would have been since: what fails, fails at every tick and for everybody. All that an outage of the database makes is
 * one failure, told without a stack. What is no error, such as a reorg, is a line of the level `info`.
 */
export function createFailureLog(
  logger: Pick<FastifyBaseLogger, 'error' | 'warn' | 'info'>,
  elapsedMs: () => number,
  level: 'error' | 'warn' = 'error',
): (error: unknown, message: string) => void {
  const known = new Map<string, Known>();
  /** How many lines were folded since the last one that was told; undefined when this one is folded, too. */
  const take = (key: string): number | undefined => {
    const before = known.get(key);
    if (before && elapsedMs() - before.toldAtMs < TELL_EVERY_MS) {
      before.folded += 1;
      return undefined;
    }
    if (known.size >= KNOWN_MAX) known.clear();
    known.set(key, { toldAtMs: elapsedMs(), folded: 0 });
    return before?.folded ?? 0;
  };
  return (error, message) => {
    if (error === undefined) return logger.info(message);
    const away = isOutage(error);
    const folded = take(away ? OUTAGE : `${message}: ${messageOf(error)}`.replace(VARIES, '#'));
    if (folded === undefined) return;
    logger[level](
      { ...(away ? { reason: messageOf(error) } : { err: error }), ...(folded > 0 ? { more: folded } : {}) },
      message,
    );
  };
}
