import { type Selectable, sql } from 'kysely';
import type { CollectorEvents } from '../../../generated/db.ts';
import type { Db, Trx } from '../../lib/db-types.ts';

/** What the contract said about a mandate of ours, to be applied. */
export type ToldEvent = {
  readonly id: bigint;
  readonly subscriptionId: string;
  readonly mandateId: string;
  readonly kind: 'authorized' | 'revoked' | 'collected' | 'collect_failed';
  readonly network: string;
  readonly txHash: string;
  readonly blockHash: string;
  readonly blockNumber: bigint;
  readonly blockTime: Date;
  /** Of the charge; 0 where there is none. */
  readonly number: number;
  /** What reached the treasury; 0 where nothing was moved. */
  readonly units: bigint;
  readonly reason: number | null;
  readonly transferIndex: number | null;
  readonly recipient: string | null;
  /** False: a reorg took it. */
  readonly canonical: boolean;
};

/** Looks so far beyond a batch for subscriptions that nobody else is at. */
const LOOK_AHEAD = 4;

/** Subscriptions about which the contract said something that is not applied, oldest first. */
export async function listTold(db: Db | Trx, limit: number): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select distinct subscription_id as id from (
      select subscription_id from collector_events where applied_at is null and parked_at is null
       order by id limit ${limit * LOOK_AHEAD}) waiting`.execute(db);
  return rows.map(({ id }) => id);
}

/** What is to be applied to subscriptions whose locks are held, in the order in which it was seen. The watcher waits to change it. */
export async function lockTold(trx: Trx, subscriptionIds: readonly string[]): Promise<ToldEvent[]> {
  const { rows } = await sql<Selectable<CollectorEvents>>`
    select * from collector_events
     where subscription_id = any (${[...subscriptionIds]}::text[]) and applied_at is null and parked_at is null
     order by id for update`.execute(trx);
  return rows.map(toTold);
}

/** Their effect is what the chain says now. */
export async function markTold(trx: Trx, events: readonly ToldEvent[], now: Date): Promise<void> {
  await sql`
    update collector_events set applied_at = ${now}, parked_at = null, failure = null
     where id = any (${events.map(({ id }) => id)}::bigint[])`.execute(trx);
}

/** Takes what was said about a subscription out of the queue, so that it stops nobody else. */
export async function parkTold(trx: Trx, subscriptionId: string, failure: string, now: Date): Promise<void> {
  await trx
    .updateTable('collector_events')
    .set({ parked_at: now, failure })
    .where('subscription_id', '=', subscriptionId)
    .where('applied_at', 'is', null)
    .where('parked_at', 'is', null)
    .execute();
}

/** Subscriptions of which something was parked at `until` or before. */
export async function listParked(db: Db, until: Date, limit: number): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select distinct subscription_id as id from (
      select subscription_id from collector_events where applied_at is null and parked_at <= ${until}
       order by parked_at limit ${limit * LOOK_AHEAD}) waiting`.execute(db);
  return rows.map(({ id }) => id);
}

/** Of each of these subscriptions, whose locks are held, one thing that was parked: what a reorg took, else the oldest. */
export async function lockParked(trx: Trx, subscriptionIds: readonly string[], until: Date): Promise<ToldEvent[]> {
  const { rows } = await sql<Selectable<CollectorEvents>>`
    select * from collector_events
     where id in (${nextParked(subscriptionIds, until)}) and applied_at is null and parked_at is not null for update`.execute(
    trx,
  );
  return rows.map(toTold);
}

/** Parks what `lockParked` takes of this subscription for another while. */
export async function parkAgain(
  trx: Trx,
  subscriptionId: string,
  until: Date,
  failure: string,
  now: Date,
): Promise<void> {
  await sql`
    update collector_events set parked_at = ${now}, failure = ${failure}
     where id in (${nextParked([subscriptionId], until)}) and applied_at is null and parked_at is not null`.execute(
    trx,
  );
}

const nextParked = (subscriptionIds: readonly string[], until: Date) => sql`
  select distinct on (subscription_id) id from collector_events
   where subscription_id = any (${[...subscriptionIds]}::text[]) and applied_at is null and parked_at <= ${until}
   order by subscription_id, canonical, id`;

/** Those of these subscriptions of which nothing is parked. */
export async function listUnparked(trx: Trx, subscriptionIds: readonly string[]): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select s.id from unnest(${[...subscriptionIds]}::text[]) as s (id)
     where not exists (
       select from collector_events e where e.subscription_id = s.id and applied_at is null and parked_at is not null)`.execute(
    trx,
  );
  return rows.map(({ id }) => id);
}

/** What of these still stands in a canonical block, wherever: `authorized <mandate>`, `collected <mandate> <number>`. */
export async function findStanding(trx: Trx, events: readonly ToldEvent[]): Promise<ReadonlySet<string>> {
  const gone = events.filter(({ canonical }) => !canonical);
  if (gone.length === 0) return new Set();
  const { rows } = await sql<{ kind: ToldEvent['kind']; mandate_id: string; number: bigint | null }>`
    select kind, mandate_id, number from collector_events
     where subscription_id = any (${gone.map(({ subscriptionId }) => subscriptionId)}::text[])
       and mandate_id = any (${gone.map(({ mandateId }) => mandateId)}::text[]) and canonical`.execute(trx);
  return new Set(rows.map((row) => standingKey(row.kind, row.mandate_id, Number(row.number ?? 0n))));
}

/** By what `findStanding` names something. */
export const standingKey = (kind: ToldEvent['kind'], mandateId: string, number: number): string =>
  `${kind} ${mandateId} ${number}`;

/** Which transactions of ours the hashes name by which charges are said to have failed. */
export async function findSenders(trx: Trx, events: readonly ToldEvent[]): Promise<ReadonlyMap<string, string>> {
  const hashes = events.filter(({ kind }) => kind === 'collect_failed').map(({ txHash }) => txHash);
  if (hashes.length === 0) return new Map();
  const { rows } = await sql<{ hash: string; id: string }>`
    select hash, transaction_id as id from operator_signatures where hash = any (${[...new Set(hashes)]}::text[])`.execute(
    trx,
  );
  return new Map(rows.map(({ hash, id }) => [hash, id]));
}

/** Whether another transaction had failed to collect the same for the same reason. */
export async function wasFailedBefore(
  trx: Trx,
  { subscriptionId, mandateId, number, reason, txHash }: ToldEvent,
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

const toTold = (row: Selectable<CollectorEvents>): ToldEvent => ({
  id: row.id,
  subscriptionId: row.subscription_id,
  mandateId: row.mandate_id,
  kind: row.kind as ToldEvent['kind'],
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
