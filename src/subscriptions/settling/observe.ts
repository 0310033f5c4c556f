import { sql } from 'kysely';
import { after, MINUTE_MS } from '../../lib/clock.ts';
import type { Trx } from '../../lib/db-types.ts';
import type { Approval, CollectorEvent, Matcher, Sightings, Transfer, Waiting } from '../../ports/chain.ts';
import { openUnknownMandateIncidents } from '../charging/incidents.ts';

/**
 * Stores the collector's events about our mandates, marks those that a reorg removed, and signals past-due
 * subscriptions whose wallet received tokens or raised its allowance.
 */
export const subscriptionMatcher: Matcher = {
  observe,
  orphan,
  concerns: async (db, _network, { recipients, collector }) => {
    if (collector) return true;
    const { rows } = await sql`
      select from subscriptions
       where status = 'past_due' and wallet = any (${recipients}::text[]) limit 1`.execute(db);
    return rows.length > 0;
  },
};

/** So long before a subscription is due its network is read as it comes, so that a revocation is known by then. */
const BEFORE_DUE_MS = 10 * MINUTE_MS;

/**
 * Customers who have still to agree, mandates on their way to the chain, subscriptions whose mandates may soon collect,
 * and charges on their way.
 */
export const subscriptionsWait: Waiting = ({ name }, now) => {
  const soon = after(now, BEFORE_DUE_MS);
  return sql`(
           exists (select from subscriptions
                    where network = ${name} and mandate_status = 'pending' and cancelled_at is null)
        or exists (select from mandates where network = ${name} and signature is not null and relayed_by is null
                      and authorized_at is null and revoked_at is null)
        or exists (select from charges where network = ${name} and status = 'due' and due_at <= ${soon})
        or exists (select from charges where status = 'sending' and network = ${name})
        or exists (select from charges where status = 'confirming' and network = ${name})
        or exists (select from subscriptions where next_action_at <= ${soon} and network = ${name}
                      and cancelled_at is null))`;
};

async function observe(trx: Trx, _network: unknown, sightings: Sightings, now: Date): Promise<void> {
  const stored = await storeEvents(trx, sightings.collector, now);
  // When every event was stored, every mandate is known.
  if (stored < sightings.collector.length) await openUnknownMandateIncidents(trx, sightings.collector, now);
  const signalled = await signalFunds(trx, sightings, now);
  if (stored > 0 || signalled) trx.wake('kasi_subscriptions');
}

/**
 * The place of a transfer that was left out at first, counted from here by the collector's events of its transaction:
 * the transfers beside it were given theirs without it, and may have taken any below.
 */
const READ_LATER = sql.lit(1_000_000);

/**
 * Finds the mandates and stores the events in one statement, so its cost depends on the events and not on the number of
 * mandates. An event of a block that became canonical again is marked so, and one that was stored without its transfer
 * is given it. Returns how many were stored or changed. Joins on four columns (see
 * decision subscriptions/mandate-is-four-values), three of them in a `case`, so that each mandate is looked up by its
 * id: all of a network's mandates have its name and, mostly, one collector, and an index has those two.
 */
async function storeEvents(trx: Trx, events: readonly CollectorEvent[], now: Date): Promise<number> {
  if (events.length === 0) return 0;
  const rows = events.map((event, at) => ({ at, ...toRow(event) }));
  const { numAffectedRows } = await sql`
    insert into collector_events (subscription_id, mandate_id, kind, network, tx_hash, place, block_hash, block_number,
      block_time, number, units, reason, transfer_index, recipient, seen_at)
    select m.subscription_id, m.id, e.kind, e.network, e.tx_hash, e.place, e.block_hash, e.block_number,
      e.block_time, e.number, e.units, e.reason, e.transfer_index, e.recipient, ${now}
      from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as e (at integer, collector text, mandate_id text,
        payer text, kind text, network text, tx_hash text, place integer, block_hash text, block_number bigint,
        block_time timestamptz, number bigint, units numeric, reason integer, transfer_index integer, recipient text)
      join mandates m on m.id = e.mandate_id and case when m.id is null then false
        else m.network = e.network and m.collector = e.collector and m.payer = coalesce(e.payer, m.payer) end
     order by e.at
    on conflict on constraint collector_event_once do update
      set canonical = true, applied_at = null, parked_at = null, failure = null,
          recipient = coalesce(collector_events.recipient, excluded.recipient),
          units = case when collector_events.recipient is null then excluded.units else collector_events.units end,
          transfer_index = case when collector_events.recipient is null and excluded.recipient is not null
            then ${READ_LATER} + excluded.place else collector_events.transfer_index end
      where not collector_events.canonical
         or collector_events.recipient is null and excluded.recipient is not null
        and collector_events.applied_at is null`.execute(trx);
  return Number(numAffectedRows ?? 0n);
}

const toRow = (event: CollectorEvent) => ({
  collector: event.collector,
  mandate_id: event.mandateId,
  kind: event.kind,
  network: event.network,
  tx_hash: event.txHash,
  place: event.place,
  block_hash: event.block.hash,
  block_number: event.block.height,
  block_time: event.block.time,
  ...detailsOf(event),
});

function detailsOf(event: CollectorEvent) {
  switch (event.kind) {
    case 'collected': {
      const { payer, number, amountUnits, transfer } = event;
      const units = (transfer?.units ?? amountUnits).toString();
      return { payer, number, units, transfer_index: transfer?.index, recipient: transfer?.to };
    }
    case 'collect_failed':
      return { number: event.number, reason: event.reason };
    default:
      return { payer: event.payer };
  }
}

/** A wallet that may now have, or have allowed, the amount of a charge. */
type Funded = { readonly network: string; readonly token: string; readonly wallet: string };

/**
 * Signals past-due subscriptions of the funded wallets. Ignores amounts of 0: anyone can emit such events about any
 * wallet for free.
 */
async function signalFunds(trx: Trx, { transfers, approvals }: Sightings, now: Date): Promise<boolean> {
  const funded = [...transfers.filter(movesMoney).map(ofReceiver), ...approvals.filter(movesMoney).map(ofOwner)];
  if (funded.length === 0) return false;
  const wallets = [...new Set(funded.map(({ wallet }) => wallet))];
  const { rows } = await sql<Funded & { readonly id: string }>`
    select id, network, token, wallet from subscriptions
     where status = 'past_due' and wallet = any (${wallets}::text[])`.execute(trx);
  if (rows.length === 0) return false;
  const keys = new Set(funded.map(keyOf));
  const ids = rows.filter((row) => keys.has(keyOf(row))).map(({ id }) => id);
  const { numAffectedRows } = await sql`
    insert into subscription_signals (subscription_id, kind, created_at)
    select id, 'funds', ${now} from unnest(${ids}::text[]) as id
    on conflict do nothing`.execute(trx);
  return numAffectedRows !== undefined && numAffectedRows > 0n;
}

const movesMoney = ({ units }: Transfer | Approval): boolean => units > 0n;
const ofReceiver = ({ network, token, to }: Transfer): Funded => ({ network, token: token.symbol, wallet: to });
const ofOwner = ({ network, token, owner }: Approval): Funded => ({ network, token: token.symbol, wallet: owner });
const keyOf = ({ network, token, wallet }: Funded): string => `${network} ${token} ${wallet}`;

/** Marks the events above `height` as removed; applying them again reverses their effect. */
async function orphan(trx: Trx, network: string, height: number): Promise<void> {
  const { numUpdatedRows } = await trx
    .updateTable('collector_events')
    .set({ canonical: false, applied_at: null, parked_at: null, failure: null })
    .where('network', '=', network)
    .where('canonical', '=', sql.lit(true)) // A literal, to match the predicate of the partial index.
    .where('block_number', '>', BigInt(height))
    .executeTakeFirst();
  if (numUpdatedRows > 0n) trx.wake('kasi_subscriptions');
}
