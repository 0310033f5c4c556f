import { sql } from 'kysely';
import { after, DAY_MS, MINUTE_MS } from '../../lib/clock.ts';
import type { Db } from '../../lib/db-types.ts';
import type { Attempt } from './prepare.ts';

/** How often the charges of a subscription may fail in a block within 24 hours before the next one waits. */
export const FAILED_A_DAY = 3;
/** How long a failure in a block is remembered, and how many periods have days of it: those of a daily plan. */
const REMEMBERED_MS = 30 * DAY_MS;
const REMEMBERED_PERIODS = 31;
const BUSY_MS = MINUTE_MS;

type Failing = {
  readonly chargeId: string;
  readonly wallet: string;
  /** Whether another charge of the wallet is on its way. */
  readonly busy: boolean;
  /** Failures within the last 24 hours, and the time of the first of them. */
  readonly today: number;
  readonly since: Date | null;
};

/**
 * Holds back what would be sent for wallets whose charges have failed in a block, although a node had said that they
 * would not: such a charge goes alone of its wallet, and not more often than `FAILED_A_DAY`. See
 * decision subscriptions/who-fails-in-a-block-goes-alone.
 */
export async function holdFailing(db: Db, attempts: readonly Attempt[], now: Date): Promise<readonly Attempt[]> {
  const toSend = attempts.filter(({ decision }) => decision.kind === 'send').map(({ charge }) => charge.id);
  const failing = new Map((await listFailing(db, toSend, now)).map((each) => [each.chargeId, each]));
  const taken = new Set<string>();
  return attempts.map((attempt) => {
    const found = failing.get(attempt.charge.id);
    if (!found) return attempt;
    const { wallet, busy, today, since } = found;
    if (today >= FAILED_A_DAY && since !== null) return waits(attempt, after(since, DAY_MS));
    if (busy || taken.has(wallet)) return waits(attempt, after(now, BUSY_MS));
    taken.add(wallet);
    return attempt;
  });
}

const waits = (attempt: Attempt, until: Date): Attempt => ({
  ...attempt,
  decision: { kind: 'wait', until, code: null },
});

async function listFailing(db: Db, chargeIds: readonly string[], now: Date): Promise<readonly Failing[]> {
  if (chargeIds.length === 0) return [];
  const day = after(now, -DAY_MS);
  const { rows } = await sql<Failing>`
    select c.id as "chargeId", s.wallet, f.today, f.since,
           exists (select from charges o join subscriptions x on x.id = o.subscription_id
                    where o.status = 'sending' and o.network = c.network and x.wallet = s.wallet) as busy
      from charges c join subscriptions s on s.id = c.subscription_id
     cross join lateral (
       select count(*)::integer as n, (count(*) filter (where a.finished_at > ${day}))::integer as today,
              min(a.finished_at) filter (where a.finished_at > ${day}) as since
         from charges o join charge_attempts a on a.charge_id = o.id
        where o.subscription_id = c.subscription_id and o.number > c.number - ${REMEMBERED_PERIODS}
          -- Of most charges the chain has judged one attempt, which took the money.
          and o.attempts > case when o.status in ('confirming', 'succeeded') then 1 else 0 end
          and a.outcome = 'failed' and a.tx_hash is not null and a.finished_at > ${after(now, -REMEMBERED_MS)}) f
     where c.id = any (${chargeIds}::text[]) and f.n > 0`.execute(db);
  return rows;
}
