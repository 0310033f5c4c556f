import { sql } from 'kysely';
import type { Db, Trx } from '../lib/db-types.ts';
import type { Plan } from './plans/plan.ts';

/**
 * The free days that a wallet gets which subscribes on the page of a plan: none when it has agreed to a trial of the
 * plan before. Begins with what it has agreed to: a merchant can subscribe it thousands of times, and that costs gas.
 * See decision subscriptions/one-trial-of-a-wallet.
 */
export async function trialDaysFor(
  db: Db | Trx,
  { id, trialDays }: Pick<Plan, 'id' | 'trialDays'>,
  wallet: string,
): Promise<number> {
  if (trialDays === 0) return 0;
  const { rows } = await sql<{ had: boolean }>`
    select exists (select from mandates m
                    where m.payer = ${wallet} and m.authorized_at is not null
                      and (select s.plan_id = ${id} and s.trial_end is not null
                             from subscriptions s where s.id = m.subscription_id)) as had`.execute(db);
  return rows[0]?.had ? 0 : trialDays;
}
