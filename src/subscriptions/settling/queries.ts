import { type Selectable, sql } from 'kysely';
import type { CollectorEvents } from '../../../generated/db.ts';
import type { Db, Trx } from '../../lib/db-types.ts';

/** A collector event about one of our mandates, as stored. */
export type StoredCollectorEvent = {
  readonly id: bigint;
  readonly subscriptionId: string;
  readonly mandateId: string;
  readonly kind: 'authorized' | 'revoked' | 'collected' | 'collect_failed';
  readonly network: string;
  readonly txHash: string;
  readonly blockHash: string;
  readonly blockNumber: bigint;
  readonly blockTime: Date;
  /** The number of the charge; 0 where there is none. */
  readonly number: number;
  /** What reached the treasury; 0 where nothing moved. */
  readonly units: bigint;
  readonly reason: number | null;
  readonly transferIndex: number | null;
  readonly recipient: string | null;
  /** False once a reorg removed its block. */
  readonly canonical: boolean;
};

/** Candidates per batch slot, because some turn out locked by another worker. */
const CANDIDATES = 4;

/** Subscriptions with unapplied collector events, oldest first. */
export async function listWaiting(db: Db | Trx, limit: number): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select distinct subscription_id as id from (
      select subscription_id from collector_events where applied_at is null and parked_at is null
       order by id limit ${limit * CANDIDATES}) waiting`.execute(db);
  return rows.map(({ id }) => id);
}

/**
 * Locks the unapplied events of locked subscriptions, in the order of observation. The watcher waits to change them.
 */
export async function lockWaiting(trx: Trx, subscriptionIds: readonly string[]): Promise<StoredCollectorEvent[]> {
  const { rows } = await sql<Selectable<CollectorEvents>>`
    select * from collector_events
     where subscription_id = any (${[...subscriptionIds]}::text[]) and applied_at is null and parked_at is null
     order by id for update`.execute(trx);
  return rows.map(toEvent);
}

/** Marks events as applied. */
export async function markApplied(trx: Trx, events: readonly StoredCollectorEvent[], now: Date): Promise<void> {
  await sql`
    update collector_events set applied_at = ${now}, parked_at = null, failure = null
     where id = any (${events.map(({ id }) => id)}::bigint[])`.execute(trx);
}

/** Parks the unapplied events of a subscription. */
export async function parkWaiting(trx: Trx, subscriptionId: string, failure: string, now: Date): Promise<void> {
  await trx
    .updateTable('collector_events')
    .set({ parked_at: now, failure })
    .where('subscription_id', '=', subscriptionId)
    .where('applied_at', 'is', null)
    .where('parked_at', 'is', null)
    .execute();
}

/** Subscriptions with events parked at `until` or before. */
export async function listParked(db: Db, until: Date, limit: number): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select distinct subscription_id as id from (
      select subscription_id from collector_events where applied_at is null and parked_at <= ${until}
       order by parked_at limit ${limit * CANDIDATES}) waiting`.execute(db);
  return rows.map(({ id }) => id);
}

/** Locks one parked event of each of these locked subscriptions: one that a reorg removed, else the oldest. */
export async function lockParked(
  trx: Trx,
  subscriptionIds: readonly string[],
  until: Date,
): Promise<StoredCollectorEvent[]> {
  const { rows } = await sql<Selectable<CollectorEvents>>`
    select * from collector_events
     where id in (${nextParked(subscriptionIds, until)}) and applied_at is null and parked_at is not null
       for update`.execute(trx);
  return rows.map(toEvent);
}

/** Parks again what `lockParked` takes of this subscription. */
export async function parkAgain(
  trx: Trx,
  subscriptionId: string,
  until: Date,
  failure: string,
  now: Date,
): Promise<void> {
  await sql`
    update collector_events set parked_at = ${now}, failure = ${failure}
     where id in (${nextParked([subscriptionId], until)}) and applied_at is null
       and parked_at is not null`.execute(trx);
}

const nextParked = (subscriptionIds: readonly string[], until: Date) => sql`
  select distinct on (subscription_id) id from collector_events
   where subscription_id = any (${[...subscriptionIds]}::text[]) and applied_at is null and parked_at <= ${until}
   order by subscription_id, canonical, id`;

/** Which of the removed events also stand in another, canonical block, named by `canonicalKey`. */
export async function findCanonical(trx: Trx, events: readonly StoredCollectorEvent[]): Promise<ReadonlySet<string>> {
  const gone = events.filter(({ canonical }) => !canonical);
  if (gone.length === 0) return new Set();
  const { rows } = await sql<{ kind: StoredCollectorEvent['kind']; mandate_id: string; number: bigint | null }>`
    select kind, mandate_id, number from collector_events
     where subscription_id = any (${gone.map(({ subscriptionId }) => subscriptionId)}::text[])
       and mandate_id = any (${gone.map(({ mandateId }) => mandateId)}::text[]) and canonical`.execute(trx);
  return new Set(rows.map((row) => canonicalKey(row.kind, row.mandate_id, Number(row.number ?? 0n))));
}

/** Names what an event says, wherever it stands. */
export const canonicalKey = (kind: StoredCollectorEvent['kind'], mandateId: string, number: number): string =>
  `${kind} ${mandateId} ${number}`;

/** The operator's transactions behind failed collections and those of first periods: transaction hash → id. */
export async function findSenders(
  trx: Trx,
  events: readonly StoredCollectorEvent[],
): Promise<ReadonlyMap<string, string>> {
  const hashes = events
    .filter(({ kind, number }) => kind === 'collect_failed' || (kind === 'collected' && number === 1))
    .map(({ txHash }) => txHash);
  if (hashes.length === 0) return new Map();
  const { rows } = await sql<{ hash: string; id: string }>`
    select hash, transaction_id as id from operator_signatures
     where hash = any (${[...new Set(hashes)]}::text[])`.execute(trx);
  return new Map(rows.map(({ hash, id }) => [hash, id]));
}

/** Whether another transaction failed to collect the same charge for the same reason before. */
export async function wasFailedBefore(
  trx: Trx,
  { subscriptionId, mandateId, number, reason, txHash }: StoredCollectorEvent,
): Promise<boolean> {
  const before = await trx
    .selectFrom('collector_events')
    .select('id')
    .where('subscription_id', '=', subscriptionId)
    .where('mandate_id', '=', mandateId)
    .where('kind', '=', 'collect_failed')
    .where('number', '=', BigInt(number))
    .where('reason', '=', reason)
    .where('tx_hash', '<>', txHash)
    .where('canonical', '=', true)
    .limit(1)
    .executeTakeFirst();
  return before !== undefined;
}

const toEvent = (row: Selectable<CollectorEvents>): StoredCollectorEvent => ({
  id: row.id,
  subscriptionId: row.subscription_id,
  mandateId: row.mandate_id,
  kind: row.kind as StoredCollectorEvent['kind'],
  network: row.network,
  txHash: row.tx_hash,
  blockHash: row.block_hash,
  blockNumber: row.block_number,
  blockTime: row.block_time,
  number: Number(row.number ?? 0n),
  units: row.units ?? 0n,
  reason: row.reason,
  transferIndex: row.transfer_index,
  recipient: row.recipient,
  canonical: row.canonical,
});
