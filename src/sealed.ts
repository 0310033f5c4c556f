import { SEALED_SECRETS } from './api-keys/service.ts';
import { rewrapBatch, type SealedColumn } from './db/sealed-column.ts';
import { SEALED_ANSWERS } from './idempotency/idempotency.ts';
import { SEALED_FACTORS } from './identity/second-factor.ts';
import type { Db } from './lib/db-types.ts';
import type { KeyRing } from './lib/envelope.ts';
import { SEALED_SEEDS } from './webhooks/keys.ts';
import { SEALED_ACCOUNTS } from './withdrawals/bank-account.ts';

/** Everything that is sealed by the master key, but for the canary, which each start seals anew. */
const COLUMNS: readonly SealedColumn[] = [
  SEALED_SECRETS,
  SEALED_FACTORS,
  SEALED_SEEDS,
  SEALED_ACCOUNTS,
  SEALED_ANSWERS,
];

const BATCH = 200;

/** Wraps every stored value by the ring's current key, in batches, and returns how many it wrapped. */
export async function rewrapAll(db: Db, ring: KeyRing): Promise<number> {
  let total = 0;
  for (const column of COLUMNS) {
    let from: string | Buffer | null = null;
    for (;;) {
      const { count, last } = await rewrapBatch(db, ring, column, from, BATCH);
      total += count;
      if (last === null) break;
      from = last;
    }
  }
  return total;
}
