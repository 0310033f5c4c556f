import { setTimeout as sleep } from 'node:timers/promises';
import type { Db, Trx } from '../lib/db-types.ts';

const RETRYABLE = new Set(['40001', '40P01']);
const ATTEMPTS_MAX = 5;

/** Runs `work` in one READ COMMITTED transaction; a serialisation failure or deadlock runs it again, at most five times in all. */
export async function inTransaction<T>(db: Db, work: (trx: Trx) => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await db.transaction().execute(work);
    } catch (error) {
      if (attempt >= ATTEMPTS_MAX || !RETRYABLE.has(sqlState(error) ?? '')) throw error;
      await sleep(attempt * 10 * (0.5 + Math.random()));
    }
  }
}

/** The five characters by which PostgreSQL names an error, or undefined for errors of another kind. */
export function sqlState(error: unknown): string | undefined {
  const code = (error as { code?: unknown } | null)?.code;
  return typeof code === 'string' && /^[0-9A-Z]{5}$/.test(code) ? code : undefined;
}

/** The constraint that an error of PostgreSQL names, if it names one. */
export function violatedConstraint(error: unknown): string | undefined {
  const constraint = (error as { constraint?: unknown } | null)?.constraint;
  return typeof constraint === 'string' ? constraint : undefined;
}
