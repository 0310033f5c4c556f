import { sql } from 'kysely';
import type { components } from '../../generated/api.ts';
import { listLiveKeys } from '../api-keys/queries.ts';
import type { Db } from '../lib/db-types.ts';
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

async function countPayments(db: Db, merchantId: string) {
  const { rows } = await sql<{ asked: bigint; paid: bigint; last: Date | null }>`
    select count(*) + (select count(*) from pruned_payments
                        where merchant_id = ${merchantId} and revived_at is null) as asked,
           count(*) filter (where status = 'paid') as paid, max(paid_at) as last
      from payments where merchant_id = ${merchantId}`.execute(db);
  const { asked = 0n, paid = 0n, last = null } = rows[0] ?? {};
  return { paymentCount: Number(asked), paidCount: Number(paid), lastPaidAt: last };
}
