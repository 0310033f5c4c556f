import { sql } from 'kysely';
import type { Trx } from '../lib/db-types.ts';
import type { PaymentStatus } from '../payments/types.ts';

/** A charge of a subscription, with what the chain and its payment say about it. */
export type ChargeFacts = {
  readonly id: string;
  readonly status: string;
  readonly paymentId: string | null;
  /** The charge that its payment names; null without a payment. */
  readonly paysFor: string | null;
  readonly paymentStatus: PaymentStatus | null;
  /** Its payment still has the money that made it paid. */
  readonly covered: boolean;
  /** A reorg took its money back after it had succeeded. */
  readonly reversed: boolean;
  /** A reversed charge that is void although its subscription could charge it again. */
  readonly forgotten: boolean;
  /** Number of canonical `collected` events for it. */
  readonly collected: number;
  /** An event, a transfer or a signal of it waits to be applied. */
  readonly unapplied: boolean;
};

/** Charges with ids above `after`, ordered by id. */
export async function listChargeFacts(trx: Trx, after: string, limit: number): Promise<ChargeFacts[]> {
  const { rows } = await sql<ChargeFacts>`
    select c.id, c.status, c.payment_id as "paymentId", p.charge_id as "paysFor", p.status as "paymentStatus",
           coalesce(p.seen_e18 >= (p.amount_micro - p.tolerance_micro) * 1e12, false) as covered,
           c.reversed_at is not null as reversed,
           c.status = 'void' and c.reversed_at is not null and exists (
             select from subscriptions s
              where s.id = c.subscription_id and s.status in ('active', 'past_due') and s.recharge is null)
             and not exists (select from collector_events e
                              where e.subscription_id = c.subscription_id and e.kind = 'collected'
                                and e.number >= c.number and e.canonical) as forgotten,
           (select count(*)::integer from collector_events e
             where e.subscription_id = c.subscription_id and e.kind = 'collected' and e.number = c.number
               and e.canonical) as collected,
           exists (select from collector_events e where e.subscription_id = c.subscription_id and e.applied_at is null)
             or exists (select from subscription_signals s where s.subscription_id = c.subscription_id)
             or exists (select from credits x where x.payment_id = p.id and x.applied_at is null) as unapplied
      from charges c left join payments p on p.id = c.payment_id
     where c.id > ${after} order by c.id limit ${limit}`.execute(trx);
  return rows;
}

/** Subscription payments that their charge does not name, and collections without a charge. */
export async function listStrayCollections(
  trx: Trx,
): Promise<{ readonly subject: string; readonly message: string }[]> {
  const { rows } = await sql<{ subject: string; message: string }>`
    select p.id as subject, 'it pays for charge ' || p.charge_id || ', which does not know it' as message
      from payments p left join charges c on c.id = p.charge_id
     where p.charge_id is not null and c.payment_id is distinct from p.id
    union all
    select e.tx_hash, 'it collected charge ' || e.number || ' of ' || e.subscription_id || ', which there is not'
      from collector_events e left join charges c on c.subscription_id = e.subscription_id and c.number = e.number
     where e.kind = 'collected' and e.canonical and e.applied_at is not null and c.id is null`.execute(trx);
  return rows;
}
