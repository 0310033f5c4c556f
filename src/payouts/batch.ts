import { sql } from 'kysely';
import { isContended } from '../db/transaction.ts';
import { createConcurrencyLimit } from '../lib/concurrency-limit.ts';
import type { Db } from '../lib/db-types.ts';
import { AppError } from '../lib/errors.ts';

/** Each asks the chain a few questions: so many at once that a hundred are done within seconds. */
const AT_ONCE = 4;

/** Those that one transaction paid wait for each other: on a busy database longer than for a lock. */
const ATTEMPTS_MAX = 3;

export type Refused = { readonly id: string; readonly error: AppError };
export type Batch = { readonly done: string[]; readonly refused: Refused[] };

/**
 * Does something to each of many payouts, each in transactions of its own: one refusal stops no other. Rejects with an
 * unexpected error once all have ended, where `refuse` makes no refusal of it; doing it again finishes what is missing.
 */
export async function forEachPayout(
  ids: readonly string[],
  work: (id: string) => Promise<void>,
  refuse: (error: unknown) => unknown = (error) => error,
): Promise<Batch> {
  const gate = createConcurrencyLimit(AT_ONCE, Number.POSITIVE_INFINITY);
  const outcomes = await Promise.allSettled(ids.map((id) => gate(() => untilItsTurn(() => work(id)))));
  const batch: Batch = { done: [], refused: [] };
  for (const [place, outcome] of outcomes.entries()) {
    const id = ids[place] ?? '';
    if (outcome.status === 'fulfilled') batch.done.push(id);
    else {
      const error = refuse(outcome.reason);
      if (!(error instanceof AppError)) throw error;
      batch.refused.push({ id, error });
    }
  }
  return batch;
}

/** Does it again while another transaction has the lock. */
async function untilItsTurn(work: () => Promise<void>): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await work();
    } catch (error) {
      if (attempt >= ATTEMPTS_MAX || !isContended(error)) throw error;
    }
  }
}

/**
 * Whether a transaction, or a bank's reference, has completed a payout already. A hash is known with 0x and without, as
 * for a refund, and both in whatever case.
 */
export async function isPaidBy(db: Db, payoutId: string, txHash: string): Promise<boolean> {
  const digits = txHash.toLowerCase().replace(/^0x/, '');
  const found = db.selectFrom('payout_transfers').select('payout_id').where('payout_id', '=', payoutId);
  const same = found.where(sql<string>`lower(tx_hash)`, 'in', [digits, `0x${digits}`]);
  return (await same.executeTakeFirst()) !== undefined;
}
