import { sql } from 'kysely';
import type { Db, Trx } from '../lib/db-types.ts';
import type { Known } from './scan.ts';

/** Blocks to read again, both ends included. */
export type BlockRange = { readonly from: number; readonly to: number };

/** Blocks that one endpoint did not show, while another did. */
export type Unread = BlockRange & { readonly endpoint: string; readonly trouble: string };

/** A range that is read again: where it goes on, what was found so far, and what was not got from every endpoint. */
export type Rescan = BlockRange & {
  readonly id: bigint;
  readonly next: number;
  readonly transfers: number;
  readonly credited: number;
  readonly unread: readonly Unread[];
};

/** The unfinished rescan of exactly this range and list, or a new one. Two processes share it. */
export async function openRescan(
  db: Db,
  network: string,
  { from, to }: BlockRange,
  watched: string,
  now: Date,
): Promise<Rescan> {
  const { rows } = await sql<{ id: bigint } & Standing>`
    insert into rescans (network, from_height, to_height, watched, next_height, started_at)
    values (${network}, ${from}, ${to}, ${watched}, ${from}, ${now})
    on conflict (network, from_height, to_height, watched) where finished_at is null
    do update set watched = excluded.watched
    returning id, next_height, transfers, credited, unread`.execute(db);
  const [row] = rows;
  if (!row) throw new Error('an insertion returned no row');
  return { id: row.id, from, to, ...toStanding(row) };
}

type Standing = {
  readonly next_height: bigint;
  readonly transfers: bigint;
  readonly credited: bigint;
  readonly unread: unknown;
};

const toStanding = (row: Standing): Pick<Rescan, 'next' | 'transfers' | 'credited' | 'unread'> => ({
  next: Number(row.next_height),
  transfers: Number(row.transfers),
  credited: Number(row.credited),
  unread: row.unread as Unread[],
});

/** Adds what one transaction of a rescan stored. */
export async function addCredited(trx: Trx, { id }: Pick<Rescan, 'id'>, count: number): Promise<void> {
  await sql`update rescans set credited = credited + ${count} where id = ${id}`.execute(trx);
}

/**
 * Notes that the blocks from `before` on, up to below `next`, were read again, and all that was not got from every
 * endpoint by then. Done once, however many processes do it.
 */
export async function advanceRescan(
  db: Db,
  { id }: Pick<Rescan, 'id'>,
  before: number,
  { next, transfers, unread, now }: Pick<Rescan, 'next' | 'transfers' | 'unread'> & { readonly now: Date },
): Promise<void> {
  await sql`
    update rescans set next_height = ${next}, transfers = transfers + ${transfers},
           unread = ${JSON.stringify(unread)}::jsonb,
           finished_at = case when ${next} > to_height then ${now}::timestamptz end
     where id = ${id} and next_height = ${before}`.execute(db);
}

/** Where a rescan stands, whoever brought it there. */
export async function readRescan(
  db: Db,
  { id }: Pick<Rescan, 'id'>,
): Promise<Pick<Rescan, 'next' | 'transfers' | 'credited' | 'unread'>> {
  const row = await db
    .selectFrom('rescans')
    .select(['next_height', 'transfers', 'credited', 'unread'])
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
  return toStanding(row);
}

/**
 * Locks the cursor of a network, so that no watcher moves it before the commit. Returns up to which height blocks are
 * confirmed, and the scanned hashes that are kept in a range.
 */
export async function lockScanned(
  trx: Trx,
  network: string,
  { from, to }: BlockRange,
): Promise<{ readonly confirmedHeight: number; readonly kept: readonly Known[] }> {
  const cursor = await trx
    .selectFrom('chain_cursors')
    .select('confirmed_height')
    .where('network', '=', network)
    .forUpdate()
    .executeTakeFirstOrThrow();
  const rows = await trx
    .selectFrom('chain_blocks')
    .select(['height', 'hash'])
    .where('network', '=', network)
    .where('height', '>=', BigInt(from))
    .where('height', '<=', BigInt(to))
    .execute();
  return {
    confirmedHeight: Number(cursor.confirmed_height),
    kept: rows.map(({ height, hash }) => ({ height: Number(height), hash })),
  };
}
