import { sql } from 'kysely';
import type { Db, Trx } from '../lib/db-types.ts';
import type { Plan } from './plans/plan.ts';

/**
 * The free days that a wallet gets which subscribes on the page of a plan: none when it has agreed to a trial of the
 * plan before. See decision subscriptions/one-trial-of-a-wallet.
 */
export async function trialDaysFor(
  db: Db | Trx,
  { id, trialDays }: Pick<Plan, 'id' | 'trialDays'>,
  wallet: string,
): Promise<number> {
  if (trialDays === 0) return 0;
  const { rows } = await sql<{ had: boolean }>`
    select exists (select from subscriptions s join mandates m on m.subscription_id = s.id
                    where s.wallet = ${wallet} and s.plan_id = ${id} and s.trial_end is not null
                      and m.authorized_at is not null) as had`.execute(db);
  return rows[0]?.had ? 0 : trialDays;
}
