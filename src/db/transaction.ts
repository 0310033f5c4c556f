import { setTimeout as sleep } from 'node:timers/promises';
import type { TransactionBuilder } from 'kysely';
import type { DB } from '../../generated/db.ts';
import type { Db, Trx, Wake } from '../lib/db-types.ts';

const RETRYABLE = new Set(['40001', '40P01']);
const ATTEMPTS_MAX = 5;

/**
 * Runs `work` in one READ COMMITTED transaction; a serialisation failure or deadlock runs it again, at most five times in all. Whom it
 * wakes is rung for after the commit.
 */
export async function inTransaction<T>(db: Db, work: (trx: Trx) => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await runOnce(db, db.transaction(), work);
    } catch (error) {
      if (attempt >= ATTEMPTS_MAX || !RETRYABLE.has(sqlState(error) ?? '')) throw error;
      await sleep(attempt * 10 * (0.5 + Math.random()));
    }
  }
}

/** Runs `work`, which only reads, on the database as it stands when it begins to. */
export const inSnapshot = <T>(db: Db, work: (trx: Trx) => Promise<T>): Promise<T> =>
  runOnce(db, db.transaction().setIsolationLevel('repeatable read').setAccessMode('read only'), work);

async function runOnce<T>(db: Db, opening: TransactionBuilder<DB>, work: (trx: Trx) => Promise<T>): Promise<T> {
  const wakes: Wake[] = [];
  const wake: Trx['wake'] = (channel, payload = '') => void wakes.push({ channel, payload });
  const result = await opening.execute((trx) => work(Object.assign(trx, { wake })));
  db.ring(wakes);
  return result;
}

/** The five characters by which PostgreSQL names an error, or undefined for errors of another kind. */
export function sqlState(error: unknown): string | undefined {
  const code = (error as { code?: unknown } | null)?.code;
  return typeof code === 'string' && /^[0-9A-Z]{5}$/.test(code) ? code : undefined;
}

/** Classes of PostgreSQL errors that pass by themselves: connection, resources, locks, operator intervention, serialisation. */
const PASSING = /^(08|40|53|55|57|58)/;
const CONNECTION_LOST =
  /connection (terminated|ended|error)|not queryable|timeout exceeded|read timeout|client was closed/i;
const SOCKET = /^(ECONN|EPIPE|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|ENOTFOUND|EAI_AGAIN)/;

/** Whether an error means that the database could not be asked just now, rather than that the question was wrong. */
export function isUnavailable(error: unknown): boolean {
  const state = sqlState(error);
  if (state) return PASSING.test(state);
  const { code, message } = (error ?? {}) as { code?: unknown; message?: unknown };
  return (
    (typeof code === 'string' && SOCKET.test(code)) || (typeof message === 'string' && CONNECTION_LOST.test(message))
  );
}

/** Somebody else holds what is needed, or one statement took too long: this one piece of work has to wait, others need not. */
const CONTENDED = new Set(['40001', '40P01', '55P03', '57014']);

/** Whether the error of one piece of work among many, though it passes by itself, says nothing about the others. */
export const isContended = (error: unknown): boolean => CONTENDED.has(sqlState(error) ?? '');
