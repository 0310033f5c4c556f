import { sql } from 'kysely';
import { after, DAY_MS, MINUTE_MS } from '../../lib/clock.ts';
import type { Trx } from '../../lib/db-types.ts';
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
  /** Failures within the last 24 hours, and the time of the first of them. */
  readonly today: number;
  readonly since: Date | null;
};

/**
 * Holds back what would be sent on a network for wallets whose charges have failed in a block, although a node had said
 * that they would not: such a charge goes alone of its wallet, and not more often than `FAILED_A_DAY`. In the
 * transaction that sends the others, so that two runs do not send two of a wallet at once. See
 * decision subscriptions/who-fails-in-a-block-goes-alone.
 */
export async function holdFailing(
  trx: Trx,
  network: string,
  attempts: readonly Attempt[],
  now: Date,
): Promise<readonly Attempt[]> {
  const toSend = attempts.filter(({ decision }) => decision.kind === 'send').map(({ charge }) => charge.id);
  const failing = new Map((await listFailing(trx, toSend, now)).map((each) => [each.chargeId, each]));
  if (failing.size === 0) return attempts;
  const free = await lockFree(trx, network, [...new Set([...failing.values()].map(({ wallet }) => wallet))]);
  return attempts.map((attempt) => {
    const found = failing.get(attempt.charge.id);
    if (!found) return attempt;
    const { wallet, today, since } = found;
    if (today >= FAILED_A_DAY && since !== null) return waits(attempt, after(since, DAY_MS));
    // The first one takes its wallet from the others.
    return free.delete(wallet) ? attempt : waits(attempt, after(now, BUSY_MS));
  });
}

const waits = (attempt: Attempt, until: Date): Attempt => ({
  ...attempt,
  decision: { kind: 'wait', until, code: null },
});

/**
 * Those of these wallets of which no charge is on its way on a network, and none is about to be: they are locked until
 * the commit. Waits for no other run, which may be sending other charges, too.
 */
async function lockFree(trx: Trx, network: string, wallets: readonly string[]): Promise<Set<string>> {
  const { rows: locked } = await sql<{ wallet: string }>`
    select wallet from unnest(${wallets}::text[]) as w (wallet)
     where pg_try_advisory_xact_lock(hashtextextended('charges ' || ${network} || ' ' || wallet, 0))`.execute(trx);
  // Only now: what another run has sent is seen once its lock is gone.
  const { rows: busy } = await sql<{ wallet: string }>`
    select distinct s.wallet from charges c join subscriptions s on s.id = c.subscription_id
     where c.status = 'sending' and c.network = ${network} and s.wallet = any (${wallets}::text[])`.execute(trx);
  const sending = new Set(busy.map(({ wallet }) => wallet));
  return new Set(locked.map(({ wallet }) => wallet).filter((wallet) => !sending.has(wallet)));
}

async function listFailing(trx: Trx, chargeIds: readonly string[], now: Date): Promise<readonly Failing[]> {
  if (chargeIds.length === 0) return [];
  const day = after(now, -DAY_MS);
  const { rows } = await sql<Failing>`
    select c.id as "chargeId", s.wallet, f.today, f.since
      from charges c join subscriptions s on s.id = c.subscription_id
     cross join lateral (
       select count(*)::integer as n, (count(*) filter (where a.finished_at > ${day}))::integer as today,
              min(a.finished_at) filter (where a.finished_at > ${day}) as since
         from charges o join charge_attempts a on a.charge_id = o.id
        where o.subscription_id = c.subscription_id and o.number > c.number - ${REMEMBERED_PERIODS}
          -- Of most charges the chain has judged one attempt, which took the money.
          and o.attempts > case when o.status in ('confirming', 'succeeded') then 1 else 0 end
          and a.outcome = 'failed' and a.tx_hash is not null and a.finished_at > ${after(now, -REMEMBERED_MS)}) f
     where c.id = any (${chargeIds}::text[]) and f.n > 0`.execute(trx);
  return rows;
}
