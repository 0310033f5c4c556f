import { sql } from 'kysely';
import type { Db, Trx } from '../lib/db-types.ts';
import type { Known } from './scan.ts';

/** Blocks to read again, both ends included. */
export type BlockRange = { readonly from: number; readonly to: number };

/** A range that is read again: where it goes on, and what was found so far. */
export type Rescan = BlockRange & {
  readonly id: bigint;
  readonly next: number;
  readonly transfers: number;
  readonly credited: number;
};

/** The unfinished rescan of exactly this range and list, or a new one. Two processes share it. */
export async function openRescan(
  db: Db,
  network: string,
  { from, to }: BlockRange,
  watched: string,
  now: Date,
): Promise<Rescan> {
  const { rows } = await sql<{ id: bigint; next_height: bigint; transfers: bigint; credited: bigint }>`
    insert into rescans (network, from_height, to_height, watched, next_height, started_at)
    values (${network}, ${from}, ${to}, ${watched}, ${from}, ${now})
    on conflict (network, from_height, to_height, watched) where finished_at is null
    do update set watched = excluded.watched
    returning id, next_height, transfers, credited`.execute(db);
  const [row] = rows;
  if (!row) throw new Error('an insertion returned no row');
  return {
    ...{ id: row.id, from, to, next: Number(row.next_height) },
    ...{ transfers: Number(row.transfers), credited: Number(row.credited) },
  };
}

/** Adds what one transaction of a rescan stored. */
export async function addCredited(trx: Trx, { id }: Pick<Rescan, 'id'>, count: number): Promise<void> {
  await sql`update rescans set credited = credited + ${count} where id = ${id}`.execute(trx);
}

/** Notes that the blocks from `before` on, up to below `next`, were read again. Done once, whoever did it. */
export async function advanceRescan(
  db: Db,
  { id }: Pick<Rescan, 'id'>,
  before: number,
  { next, transfers, now }: { readonly next: number; readonly transfers: number; readonly now: Date },
): Promise<void> {
  await sql`
    update rescans set next_height = ${next}, transfers = transfers + ${transfers},
           finished_at = case when ${next} > to_height then ${now}::timestamptz end
     where id = ${id} and next_height = ${before}`.execute(db);
}

/** Where a rescan stands, whoever brought it there. */
export async function readRescan(
  db: Db,
  { id }: Pick<Rescan, 'id'>,
): Promise<Pick<Rescan, 'next' | 'transfers' | 'credited'>> {
  const row = await db
    .selectFrom('rescans')
    .select(['next_height', 'transfers', 'credited'])
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
  return { next: Number(row.next_height), transfers: Number(row.transfers), credited: Number(row.credited) };
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
