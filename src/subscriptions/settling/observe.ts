import { sql } from 'kysely';
import type { Trx } from '../../lib/db-types.ts';
import type { Approval, CollectorEvent, Matcher, Sightings, Transfer } from '../../ports/chain.ts';
import { tellUnknown } from '../charging/unknown-mandates.ts';

/**
 * Stores what the collector says about mandates of ours, marks what a reorg took of it, and notes for subscriptions that wait for money
 * that their customer has got some, or allowed the collector to take it.
 */
export const subscriptionMatcher: Matcher = { observe, orphan };

async function observe(trx: Trx, _network: unknown, sightings: Sightings, now: Date): Promise<void> {
  const stored = await storeEvents(trx, sightings.collector, now);
  // What all is stored is all of mandates that we know, and needs no other look.
  if (stored < sightings.collector.length) await tellUnknown(trx, sightings.collector, now);
  const helped = await signalFunds(trx, sightings, now);
  if (stored > 0 || helped) trx.wake('kasi_subscriptions');
}

/**
 * One statement finds the mandates by their ids and stores what was said about them, so that its cost follows what was said and not how
 * many mandates there are. An id alone means nothing: the same terms can be agreed to with another collector, and anybody may say that they
 * revoke it. What is known of this very block becomes canonical again. Returns how many were stored, or became canonical.
 */
async function storeEvents(trx: Trx, events: readonly CollectorEvent[], now: Date): Promise<number> {
  if (events.length === 0) return 0;
  const rows = events.map((event, at) => ({ at, ...toRow(event) }));
  const { numAffectedRows } = await sql`
    insert into collector_events (subscription_id, mandate_id, kind, network, tx_hash, place, block_hash, block_number, block_time,
      number, units, reason, transfer_index, recipient, seen_at)
    select m.subscription_id, m.id, e.kind, e.network, e.tx_hash, e.place, e.block_hash, e.block_number, e.block_time,
      e.number, e.units, e.reason, e.transfer_index, e.recipient, ${now}
      from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as e (at integer, collector text, mandate_id text, payer text, kind text,
        network text, tx_hash text, place integer, block_hash text, block_number bigint, block_time timestamptz, number bigint,
        units numeric, reason integer, transfer_index integer, recipient text)
      join mandates m on m.id = e.mandate_id and m.network = e.network and m.collector = e.collector
       and m.payer = coalesce(e.payer, m.payer)
     order by e.at
    on conflict on constraint collector_event_once do update
      set canonical = true, applied_at = null, parked_at = null, failure = null
      where not collector_events.canonical`.execute(trx);
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

/** Somebody who may now have, or have allowed, what a charge asks. */
type Hopeful = { readonly network: string; readonly token: string; readonly wallet: string };

/**
 * Only subscriptions that wait for money are looked at, by their wallets. Nothing was moved or allowed with an amount of 0, which costs
 * nobody anything to announce of any wallet.
 */
async function signalFunds(trx: Trx, { transfers, approvals }: Sightings, now: Date): Promise<boolean> {
  const hopeful = [...transfers.filter(movesMoney).map(ofReceiver), ...approvals.filter(movesMoney).map(ofOwner)];
  if (hopeful.length === 0) return false;
  const wallets = [...new Set(hopeful.map(({ wallet }) => wallet))];
  const { rows } = await sql<Hopeful & { readonly id: string }>`
    select id, network, token, wallet from subscriptions
     where status = 'past_due' and wallet = any (${wallets}::text[])`.execute(trx);
  if (rows.length === 0) return false;
  const keys = new Set(hopeful.map(keyOf));
  const ids = rows.filter((row) => keys.has(keyOf(row))).map(({ id }) => id);
  const { numAffectedRows } = await sql`
    insert into subscription_signals (subscription_id, kind, created_at)
    select id, 'funds', ${now} from unnest(${ids}::text[]) as id
    on conflict do nothing`.execute(trx);
  return numAffectedRows !== undefined && numAffectedRows > 0n;
}

const movesMoney = ({ units }: Transfer | Approval): boolean => units > 0n;
const ofReceiver = ({ network, token, to }: Transfer): Hopeful => ({ network, token: token.symbol, wallet: to });
const ofOwner = ({ network, token, owner }: Approval): Hopeful => ({ network, token: token.symbol, wallet: owner });
const keyOf = ({ network, token, wallet }: Hopeful): string => `${network} ${token} ${wallet}`;

/** What the chain no longer contains waits to be taken back. */
async function orphan(trx: Trx, network: string, height: number): Promise<void> {
  const { numUpdatedRows } = await trx
    .updateTable('collector_events')
    .set({ canonical: false, applied_at: null, parked_at: null, failure: null })
    .where('network', '=', network)
    .where('canonical', '=', sql.lit(true)) // As the index says it.
    .where('block_number', '>', BigInt(height))
    .executeTakeFirst();
  if (numUpdatedRows > 0n) trx.wake('kasi_subscriptions');
}
