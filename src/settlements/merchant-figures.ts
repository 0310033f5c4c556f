import { sql } from 'kysely';
import type { components } from '../../generated/api.ts';
import { listLiveKeys } from '../api-keys/queries.ts';
import type { Db } from '../lib/db-types.ts';
import { sumOf, type Tallied } from '../tallies/total.ts';
import { presentBalance } from './present.ts';
import { readBalances } from './queries.ts';

/**
 * What administrators see of a merchant beside its profile: balance, payment counts, and the number of API keys that
 * work at `real`.
 */
export async function readMerchantFigures(db: Db, merchantId: string, real: Date) {
  const [balances, payments, keys] = await Promise.all([
    readBalances(db, merchantId),
    countPayments(db, merchantId),
    listLiveKeys(db, merchantId, real),
  ]);
  const balance: components['schemas']['SettlementBalance'] = presentBalance(balances);
  return { balance, ...payments, apiKeyCount: keys.length };
}

/** What was asked for, pruned payments included. */
async function countPayments(db: Db, merchantId: string) {
  const owners = [merchantId];
  const count = (tallied: Tallied) => sumOf('count', tallied);
  const { rows } = await sql<{ asked: bigint; paid: bigint; last: Date | null }>`
    select ${count({ list: 'payments', owners })} + ${count({ list: 'pruned_payments', owners })} as asked,
           ${count({ list: 'payments', owners, slice: { status: 'paid' } })} as paid,
           (select max(paid_at) from payments
             where merchant_id = ${merchantId} and paid_at is not null) as last`.execute(db);
  const { asked = 0n, paid = 0n, last = null } = rows[0] ?? {};
  return { paymentCount: Number(asked), paidCount: Number(paid), lastPaidAt: last };
}
