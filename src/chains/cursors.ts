import { type RawBuilder, type Selectable, sql } from 'kysely';
import type { ChainCursors } from '../../generated/db.ts';
import { openIncidentIf } from '../incidents/incidents.ts';
import { describeAge } from '../lib/clock.ts';
import type { Db, Trx } from '../lib/db-types.ts';
import { parseMicro } from '../lib/money.ts';
import type { BlockRef, Network } from '../ports/chain.ts';
import type { Known } from './scan.ts';

/** Where the scan of a network stands. */
export type Cursor = Known & {
  readonly network: string;
  readonly genesisHash: string;
  readonly blockTime: Date;
  readonly confirmedHeight: number;
};

/** What a look at the chain found out, apart from the cursor's own block. */
export type Progress = {
  readonly confirmedHeight: number;
  readonly headHeight: number;
  readonly headTime: Date;
  readonly scannedAt: Date;
  /** Up to when all that arrives is stored; null: up to the block's time. Undefined: no further than before. */
  readonly readTo?: Date | null | undefined;
  /** So many blocks below the head the scan stays for now; null: it follows the head. */
  readonly idleDepth: number | null;
};

/** How far behind the chain a network's scan is, seen from any process. */
export type Lag = {
  readonly network: string;
  /**
   * Blocks between the last one scanned and those that the scan is to reach: the chain's head, or some blocks below it
   * on an idle network. Null when the network was never scanned.
   */
  readonly blocks: number | null;
  /** Real time since the chain last answered; null when it never did. */
  readonly silentMs: number | null;
  /** Real time since a process last tried to look, whether the chain answered or not; null when none ever did. */
  readonly unwatchedMs: number | null;
  /** The time in the newest block that was seen; null when none was. */
  readonly blockTime: Date | null;
  /** Whether nothing waits there, so that the network is read more rarely. */
  readonly idle: boolean;
};

/** A process that watches tries every few seconds, and waits half a minute for a node at most: after this none does. */
const UNWATCHED_AFTER_MS = 60_000;

/** Why no process looks after a network, as a sentence without a full stop; null while one does. */
export function describeUnwatched({ unwatchedMs }: Pick<Lag, 'unwatchedMs'>): string | null {
  const cure = 'start one with the role watcher';
  if (unwatchedMs === null) return `no process has watched it yet: ${cure}`;
  if (unwatchedMs < UNWATCHED_AFTER_MS) return null;
  return `no process has watched it for ${describeAge(unwatchedMs)}: ${cure}`;
}

/** A worker's lease on a network: short, so that another soon goes on where a killed worker stopped. */
const LEASE = sql<Date>`clock_timestamp() + interval '4 seconds'`;

/** This many of the newest block hashes are kept; of older ones only every thousandth, for ever. */
const BLOCKS_KEPT = 1024;
const KEPT_FOR_EVER = 1000;
/** Enough for the newest 1,024 blocks and every thousandth of nineteen million older ones. */
const KNOWN_MAX = 20_000;

/** Where the scan of a network stands; undefined before its first start. */
export async function findCursor(db: Db | Trx, network: string): Promise<Cursor | undefined> {
  const row = await db.selectFrom('chain_cursors').selectAll().where('network', '=', network).executeTakeFirst();
  return row && toCursor(row);
}

/** Where the scans of other networks than these stand, by their names. */
export async function listCursorsElsewhere(db: Db | Trx, networks: readonly string[]): Promise<Cursor[]> {
  const rows = await db.selectFrom('chain_cursors').selectAll().orderBy('network').execute();
  return rows.filter(({ network }) => !networks.includes(network)).map(toCursor);
}

const toCursor = (row: Selectable<ChainCursors>): Cursor => ({
  network: row.network,
  genesisHash: row.genesis_hash,
  height: Number(row.height),
  hash: row.hash,
  blockTime: row.block_time,
  confirmedHeight: Number(row.confirmed_height),
});

/** Longer ago, the newest scanned block says nothing of the network's present time. */
const FRESH = sql<Date>`clock_timestamp() - interval '15 minutes'`;

/** The network's own time: of its newest scanned block; null when nothing looked at it for a quarter of an hour. */
export async function findChainTime(trx: Trx, network: string): Promise<Date | null> {
  const row = await trx
    .selectFrom('chain_cursors')
    .select('block_time')
    .where('network', '=', network)
    .where('checked_at', '>', FRESH)
    .executeTakeFirst();
  return row?.block_time ?? null;
}

/** Starts the scan of a network after `block`. Does nothing when another process has started it. */
export async function insertCursor(trx: Trx, genesisHash: string, block: BlockRef): Promise<void> {
  const height = BigInt(block.height);
  const { numInsertedOrUpdatedRows } = await trx
    .insertInto('chain_cursors')
    .values({
      network: block.network,
      genesis_hash: genesisHash,
      height,
      hash: block.hash,
      block_time: block.time,
      confirmed_height: 0n,
      head_height: height,
      scanned_at: block.time,
    })
    .onConflict((conflict) => conflict.column('network').doNothing())
    .executeTakeFirst();
  if (numInsertedOrUpdatedRows) await insertBlocks(trx, [block]);
}

type WatchedNetwork = Pick<Network, 'name' | 'secondOpinionFrom' | 'confirmationsFrom'>;

/**
 * Claims the lease of a network for this worker, or renews it; false while another worker has it. The lease only saves
 * work: `moveCursor` is what keeps two workers apart. See decision chains/lease-saves-work.
 */
export async function claimNetwork(
  db: Db,
  { name, secondOpinionFrom = null, confirmationsFrom = [] }: WatchedNetwork,
  worker: string,
): Promise<boolean> {
  const from = secondOpinionFrom === null ? null : parseMicro(secondOpinionFrom);
  const depths = confirmationsFrom.map((each) => ({ ...each, from: Number(parseMicro(each.from)) }));
  const { numUpdatedRows } = await db
    .updateTable('chain_cursors')
    .set({
      locked_by: worker,
      locked_until: LEASE,
      watched_at: sql<Date>`clock_timestamp()`,
      second_opinion_from: from,
      depths: depths.length > 0 ? JSON.stringify(depths) : null,
    })
    .where('network', '=', name)
    .where(sql<boolean>`(locked_by = ${worker} or locked_until is null or locked_until < clock_timestamp())`)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** Ends this worker's lease, so that another need not wait for it to expire. */
export async function releaseNetwork(db: Db, network: string, worker: string): Promise<void> {
  await db
    .updateTable('chain_cursors')
    .set({ locked_by: null, locked_until: null })
    .where('network', '=', network)
    .where('locked_by', '=', worker)
    .execute();
}

/**
 * The fence: moves the cursor from `from` to `to` and locks its row for the rest of the transaction. False when it no
 * longer stands at `from`, because another worker was faster; the caller must then roll back.
 */
export async function moveCursor(
  trx: Trx,
  worker: string,
  from: Cursor,
  to: Known & { readonly time: Date },
  progress: Progress,
): Promise<boolean> {
  const { numUpdatedRows } = await trx
    .updateTable('chain_cursors')
    .set({
      height: BigInt(to.height),
      hash: to.hash,
      block_time: to.time,
      confirmed_height: BigInt(progress.confirmedHeight),
      head_height: BigInt(progress.headHeight),
      head_time: progress.headTime,
      idle_depth: progress.idleDepth,
      scanned_at: progress.scannedAt,
      read_to: progress.readTo === undefined ? readBefore(from, to) : progress.readTo,
      checked_at: sql<Date>`clock_timestamp()`,
      watched_at: sql<Date>`clock_timestamp()`,
      locked_by: worker,
      locked_until: LEASE,
    })
    .where('network', '=', from.network)
    .where('height', '=', BigInt(from.height))
    .where('hash', '=', from.hash)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** No further than before: the block's time of then where that was meant, and no further than a reorg leaves. */
const readBefore = (from: Known, to: Known & { readonly time: Date }): RawBuilder<Date> => {
  const before = sql<Date>`coalesce(read_to, block_time)`;
  return to.height < from.height ? sql<Date>`least(${before}, ${to.time}::timestamptz)` : before;
};

/** Stores which blocks were scanned. */
export async function insertBlocks(trx: Trx, blocks: readonly BlockRef[]): Promise<void> {
  await trx
    .insertInto('chain_blocks')
    .values(
      blocks.map(({ network, height, hash, time }) => ({ network, height: BigInt(height), hash, block_time: time })),
    )
    .execute();
}

/** The scanned blocks whose hashes are kept, newest first. */
export async function listKnown(db: Db, network: string): Promise<Known[]> {
  const rows = await db
    .selectFrom('chain_blocks')
    .select(['height', 'hash'])
    .where('network', '=', network)
    .orderBy('height', 'desc')
    .limit(KNOWN_MAX)
    .execute();
  return rows.map((row) => ({ height: Number(row.height), hash: row.hash }));
}

/** The highest block older than `time` whose hash is kept; undefined when there is none. */
export async function findHeightAt(db: Db, network: string, time: Date): Promise<number | undefined> {
  const row = await db
    .selectFrom('chain_blocks')
    .select('height')
    .where('network', '=', network)
    .where('block_time', '<', time)
    .orderBy('height', 'desc')
    .limit(1)
    .executeTakeFirst();
  return row && Number(row.height);
}

/** The first block of a network whose hash is kept, which is the first that was ever scanned, or near it. */
export async function findFirstScanned(db: Db, network: string): Promise<number | undefined> {
  const row = await db
    .selectFrom('chain_blocks')
    .select('height')
    .where('network', '=', network)
    .orderBy('height')
    .limit(1)
    .executeTakeFirst();
  return row && Number(row.height);
}

/** Whether a scanned block is still the one at its height. */
export async function isScanned(trx: Trx, network: string, { height, hash }: Known): Promise<boolean> {
  const row = await trx
    .selectFrom('chain_blocks')
    .select('hash')
    .where('network', '=', network)
    .where('height', '=', BigInt(height))
    .executeTakeFirst();
  return row?.hash === hash;
}

/**
 * Whether a reorg has replaced a block that was scanned, as far as is known: of a block far below the cursor not every
 * hash is kept, and no reorg reaches it.
 */
export async function isReplaced(trx: Trx, network: string, { height, hash }: Known): Promise<boolean> {
  const { rows } = await sql<{ hash: string | null; isBelow: boolean }>`
    select (select hash from chain_blocks b where b.network = u.network and b.height = ${height}) as hash,
           u.height < ${height} as "isBelow"
      from chain_cursors u where u.network = ${network}`.execute(trx);
  const [row] = rows;
  if (row === undefined) return true;
  return row.hash === null ? row.isBelow : row.hash !== hash;
}

/**
 * Whether the hash of a scanned block is kept when the cursor is at `cursorHeight`: the last 1,024, and every
 * thousandth.
 */
export const isKept = (height: number, cursorHeight: number): boolean =>
  height >= cursorHeight - BLOCKS_KEPT || height % KEPT_FOR_EVER === 0;

/** Deletes the hashes that no reorg will reach. `isKept` says which stay, for a node restored from an old backup. */
export async function pruneBlocks(trx: Trx, network: string, height: number): Promise<void> {
  await trx
    .deleteFrom('chain_blocks')
    .where('network', '=', network)
    .where('height', '<', BigInt(height - BLOCKS_KEPT))
    .where(sql<boolean>`height % ${sql.lit(KEPT_FOR_EVER)} <> 0`)
    .execute();
}

/** Deletes the blocks above `height`, which are no longer part of the chain. */
export async function deleteBlocksAbove(trx: Trx, network: string, height: number): Promise<void> {
  await trx.deleteFrom('chain_blocks').where('network', '=', network).where('height', '>', BigInt(height)).execute();
}

/** The release before notes only its lease and what it saw. */
const UNWATCHED_MS = sql<number>`
  (extract(epoch from clock_timestamp() - greatest(watched_at, checked_at, locked_until)) * 1000)::float8`;

/** How far the scan of each network is behind its chain, networks that were never scanned included. */
export async function listLags(db: Db, networks: readonly string[]): Promise<Lag[]> {
  const rows = await db
    .selectFrom('chain_cursors')
    .select(['network', 'height', 'head_height', 'block_time', 'head_time', 'idle_depth'])
    .select(sql<number>`(extract(epoch from clock_timestamp() - checked_at) * 1000)::float8`.as('silent_ms'))
    .select(UNWATCHED_MS.as('unwatched_ms'))
    .where('network', 'in', [...networks])
    .execute();
  return networks.map((network) => {
    const row = rows.find((found) => found.network === network);
    if (row === undefined)
      return { network, blocks: null, silentMs: null, unwatchedMs: null, blockTime: null, idle: false };
    const { head_time: headTime, block_time: blockTime, idle_depth: idleDepth } = row;
    return {
      network,
      blocks: Math.max(0, Number(row.head_height - row.height) - (idleDepth ?? 0)),
      silentMs: Math.max(0, row.silent_ms),
      unwatchedMs: Math.max(0, row.unwatched_ms),
      blockTime: headTime !== null && headTime > blockTime ? headTime : blockTime,
      idle: idleDepth !== null,
    };
  });
}

/**
 * Opens an incident when the chain has not answered for `limitMs` or longer; counts from `startedAt` where it never
 * did.
 */
export async function openBlindIncident(
  db: Db,
  network: string,
  limitMs: number,
  startedAt: Date,
  now: Date,
): Promise<void> {
  const message = `The watcher of ${network} has seen nothing new of the chain for ${Math.round(limitMs / 60_000)} minutes.`;
  const isBlind = sql<boolean>`
    coalesce((select checked_at from chain_cursors where network = ${network}), ${startedAt})
      < clock_timestamp() - ${limitMs} * interval '1 millisecond'`;
  await openIncidentIf(db, { kind: 'watcher.blind', subject: network, message }, isBlind, now);
}
