import { type RawBuilder, sql } from 'kysely';
import { listUnlistedTokens } from '../deployment/delisted.ts';
import type { Db, Trx } from '../lib/db-types.ts';
import { piecesOf } from '../lib/pieces-of.ts';
import { type CollectsBy, mayCollect } from '../merchants/guard.ts';
import type { MerchantStatus } from '../ports/security.ts';
import type { Settings } from '../settings/settings.ts';
import type { CollectingDeps } from './plans/plan.ts';

/** What a merchant's status means for its subscriptions: they go on, they wait, or they end. */
export type Collecting = 'allowed' | 'paused' | 'ended';

type Policy = Pick<Settings, 'allowPendingMerchantsToCollect'>;

/** What the statuses of these merchants mean for their subscriptions. */
export async function readCollecting(
  db: Db | Trx,
  merchantIds: readonly string[],
  settings: Policy,
): Promise<ReadonlyMap<string, Collecting>> {
  return collectingOf(db, merchantIds, settings, sql``);
}

/**
 * The same under share locks: freezing one of them waits for this transaction. Call it before locking subscriptions.
 * See decision subscriptions/freezing-waits-for-a-charge-being-sent.
 */
export async function lockCollecting(
  trx: Trx,
  merchantIds: readonly string[],
  settings: Settings,
): Promise<ReadonlyMap<string, Collecting>> {
  return collectingOf(trx, merchantIds, settings, sql`for share`);
}

async function collectingOf(
  db: Db | Trx,
  merchantIds: readonly string[],
  settings: Policy,
  locking: ReturnType<typeof sql>,
): Promise<ReadonlyMap<string, Collecting>> {
  const { rows } = await sql<{ id: string; status: MerchantStatus; rejectedAt: Date | null }>`
    select id, status, rejected_at as "rejectedAt" from merchants
     where id = any (${[...new Set(merchantIds)]}::text[]) order by id ${locking}`.execute(db);
  return new Map(rows.map(({ id, ...merchant }) => [id, meaningOf(merchant, settings)]));
}

function meaningOf(merchant: CollectsBy, settings: Policy): Collecting {
  if (merchant.status === 'terminated') return 'ended';
  return mayCollect(merchant, settings) ? 'allowed' : 'paused';
}

type WakingDeps = CollectingDeps & { readonly db: Db };

/** What one statement marks well within its time, on a busy machine too. */
const WOKEN_AT_ONCE = 5_000;
/** How many are woken together; the rest follows when it is due anyway, or five minutes later. */
const WOKEN_MAX = 20_000;

/**
 * Makes subscriptions of a locked merchant due at once after its status changed: the paused ones when it may collect
 * again, all live ones when it was closed.
 */
export async function wakeSubscriptions(
  trx: Trx,
  merchantId: string,
  status: MerchantStatus,
  now: Date,
): Promise<void> {
  if (status !== 'active' && status !== 'terminated') return;
  const which = status === 'active' ? sql`paused_since is not null` : sql`status in ('active', 'trialing', 'past_due')`;
  const woken = await markDue(trx, sql`merchant_id = ${merchantId} and ${which}`, sql``, now);
  if (woken > 0) trx.wake('kasi_subscriptions');
}

/**
 * Makes paused subscriptions due at once whose network and token are listed, and whose merchant may collect: also one
 * that is not verified yet, where the settings let it by now. Not those whose customers can't agree at present, because
 * nothing here collects their token: they would stay paused, and be woken again each time.
 */
export async function wakePaused(deps: WakingDeps, settings: Policy, now: Date): Promise<void> {
  const { db } = deps;
  // Steps from merchant to merchant in `subscriptions_paused`: one that is frozen may have half a million.
  const { rows } = await sql<{ id: string }>`
    with recursive paused as (
      (select merchant_id as id from subscriptions where paused_since is not null order by merchant_id limit 1)
      union all
      select (select s.merchant_id from subscriptions s
               where s.paused_since is not null and s.merchant_id > paused.id order by s.merchant_id limit 1)
        from paused where paused.id is not null)
    select id from paused where id is not null`.execute(db);
  const merchantIds = rows.map(({ id }) => id);
  const collecting = await readCollecting(db, merchantIds, settings);
  const collect = merchantIds.filter((id) => collecting.get(id) === 'allowed');
  const unlisted = (await listUnlistedTokens(db)).map(({ network, symbol }) => `${network} ${symbol}`);
  const collected = deps.networks
    .filter((network) => deps.chains.openCollector(network) !== null)
    .flatMap(({ name, tokens }) => tokens.map(({ symbol }) => `${name} ${symbol}`));
  const which = sql`
    paused_since is not null and merchant_id = any (${collect}::text[])
    and not (network || ' ' || token = any (${unlisted}::text[]))
    and (mandate_status = 'active' or network || ' ' || token = any (${collected}::text[]))`;
  await markDue(db, which, sql`skip locked`, now);
}

/**
 * Makes due what is not yet, a statement for each part of it. Resolves with how many there were. They are looked up
 * first, and in an order that an index has by merchant: for the first few by their ids all that others have was read.
 */
async function markDue(
  db: Db | Trx,
  which: RawBuilder<unknown>,
  locked: RawBuilder<unknown>,
  now: Date,
): Promise<number> {
  const isLater = sql`${which} and next_action_at > ${now}`;
  const { rows } = await sql<{ id: string }>`
    select id from (select id from subscriptions where ${isLater}
                     order by merchant_id desc, created_at, id limit ${WOKEN_MAX}) as found order by id`.execute(db);
  let marked = 0;
  for (const part of piecesOf(rows, WOKEN_AT_ONCE)) {
    const ids = part.map(({ id }) => id);
    const { numAffectedRows } = await sql`
      update subscriptions set next_action_at = ${now}
       where id in (select id from subscriptions where id = any (${ids}::text[]) and ${isLater}
                     order by id for no key update ${locked})`.execute(db);
    marked += Number(numAffectedRows);
  }
  return marked;
}
