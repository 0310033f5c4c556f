import { type RawBuilder, sql } from 'kysely';
import { isAny } from '../../db/is-any.ts';
import type { Db, Trx } from '../../lib/db-types.ts';
import type { Fees, Place } from '../../ports/operator.ts';
import {
  type AccountRef,
  isOpen,
  type OperatorStatus,
  type OperatorTransaction,
  type OperatorTransactionId,
  toTransactions,
} from './queries.ts';

/** A transaction in no block yet, with everything that decides what to do about it. */
export type Open = {
  readonly id: OperatorTransactionId;
  readonly nonce: number;
  readonly status: OperatorStatus;
  readonly attempt: number;
  /** The hashes of all its signatures, the newest last. */
  readonly hashes: readonly string[];
  /** The offer of the newest signature. */
  readonly fees: Fees;
  /** The age of the newest signature. */
  readonly signedMs: number;
  /** Time since a node was last handed the newest signature; null: hand it over at once. */
  readonly sentMs: number | null;
  readonly takenBlock: number | null;
};

/** A transaction found in a block: by which of its signatures, and whether it succeeded. */
export type Found = {
  readonly id: OperatorTransactionId;
  readonly attempt: number;
  readonly block: Place;
  readonly succeeded: boolean;
  /** In the chain's smallest coin. */
  readonly fee: bigint;
};

/** A transaction that our rows say is in a block. */
export type Mined = {
  readonly id: OperatorTransactionId;
  readonly nonce: number;
  readonly hash: string;
  readonly block: Place;
};

/** How many blocks are compared with confirmed transactions: the last release walks back and leaves them confirmed. */
const LOOKED_AT_AGAIN = 1000;

/** Above every block. */
const NO_BLOCK = sql.lit(Number.MAX_SAFE_INTEGER);

/** The most mined transactions that are examined at once. */
export const MINED_MAX = 200;

/** A worker's lease on an account. It only saves work: every transition guards itself. */
const LEASE = sql<Date>`clock_timestamp() + interval '5 seconds'`;

/** Claims the lease of an account for this worker, or renews it; false while another worker has it. */
export async function claimAccount(db: Db, { network, address }: AccountRef, worker: string): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('operator_accounts')
    .set({ locked_by: worker, locked_until: LEASE })
    .where('network', '=', network)
    .where('address', '=', address)
    .where(sql<boolean>`(locked_by = ${worker} or locked_until is null or locked_until < clock_timestamp())`)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** Ends this worker's lease on an account. */
export async function releaseAccount(db: Db, { network, address }: AccountRef, worker: string): Promise<void> {
  await db
    .updateTable('operator_accounts')
    .set({ locked_by: null, locked_until: null })
    .where('network', '=', network)
    .where('address', '=', address)
    .where('locked_by', '=', worker)
    .execute();
}

/** The accounts with transactions in no block yet. */
export async function listBusyAccounts(db: Db, networks: readonly string[]): Promise<AccountRef[]> {
  return db
    .selectFrom('operator_transactions')
    .select(['network', 'address'])
    .distinct()
    .where('network', 'in', [...networks])
    .where(isOpen)
    .execute();
}

/** An account's transactions in no block yet, in the order of their nonces. */
export async function listOpen(db: Db, { network, address }: AccountRef, limit: number): Promise<Open[]> {
  type Row = Omit<Open, 'nonce' | 'fees' | 'takenBlock'> & {
    nonce: bigint;
    max_fee: bigint;
    tip: bigint;
    taken: bigint | null;
  };
  const { rows } = await sql<Row>`
    select t.id, t.nonce, t.status, t.attempt, t.taken_block as taken, s.max_fee, s.max_priority_fee as tip,
           array(select hash from operator_signatures where transaction_id = t.id order by attempt) as hashes,
           (extract(epoch from clock_timestamp() - s.signed_at) * 1000)::float8 as "signedMs",
           (extract(epoch from clock_timestamp() - t.sent_at) * 1000)::float8 as "sentMs"
      from operator_transactions t
      join operator_signatures s on s.transaction_id = t.id and s.attempt = t.attempt
     where t.network = ${network} and t.address = ${address} and t.status in ('signed', 'sent')
     order by t.nonce limit ${limit}`.execute(db);
  return rows.map(({ nonce, max_fee, tip, taken, ...row }) => ({
    ...row,
    nonce: Number(nonce),
    fees: { maxFee: max_fee, maxPriorityFee: tip },
    takenBlock: taken === null ? null : Number(taken),
  }));
}

/** The bytes of these transactions' newest signatures. */
export async function listRaws(
  db: Db,
  open: readonly Pick<Open, 'id' | 'attempt'>[],
): Promise<Map<OperatorTransactionId, Buffer>> {
  const { rows } = await sql<{ id: OperatorTransactionId; raw: Buffer }>`
    select s.transaction_id as id, s.raw from operator_signatures s
      join jsonb_to_recordset(${attemptsOf(open)}::jsonb) as r (id text, attempt integer)
        on s.transaction_id = r.id and s.attempt = r.attempt`.execute(db);
  return new Map(rows.map(({ id, raw }) => [id, raw]));
}

/** Transactions with nonces from `from` to below `to` that our rows say are in blocks. */
export function listMinedBetween(db: Db, account: AccountRef, from: number, to: number): Promise<Mined[]> {
  return listMined(
    db,
    sql`select * from operator_transactions where network = ${account.network} and address = ${account.address}
          and nonce >= ${from} and nonce < ${to} and status <> 'dropped' and status in ('mined', 'confirmed')
        order by nonce limit ${MINED_MAX}`,
  );
}

/** Mined transactions in scanned blocks that are confirmed, the deepest first. */
export function listDeep(db: Db, network: string): Promise<Mined[]> {
  return listMined(
    db,
    sql`select t.* from chain_cursors c
         cross join lateral (
           select * from operator_transactions
            where network = c.network and status = 'mined' and block_number <= c.confirmed_height
            order by block_number) t
          join chain_blocks b on b.network = t.network and b.height = t.block_number and b.hash = t.block_hash
         where c.network = ${network}
         order by t.block_number limit ${MINED_MAX}`,
  );
}

/**
 * Transactions whose block is not the one scanned at its height, even if they were confirmed, and mined ones whose
 * block lies deep enough although its hash is not kept. Leaves blocks above the scan for later. Of confirmed ones the
 * blocks are compared from both ends: from one alone the planner expects so many that it reads all there ever were.
 */
export function listDoubted(db: Db, network: string): Promise<Mined[]> {
  const from = sql`(select height - ${LOOKED_AT_AGAIN} from chain_cursors where network = ${network})`;
  return listMined(
    db,
    sql`select t.* from chain_blocks b join operator_transactions t
            on t.network = b.network and t.status = 'confirmed' and t.block_number = b.height
           and t.block_hash <> b.hash
         where b.network = ${network} and b.height >= ${from}
           and t.block_number >= ${from} and t.block_number <= ${NO_BLOCK}
        union all
        select t.* from operator_transactions t join chain_cursors c on c.network = t.network
          left join chain_blocks b on b.network = t.network and b.height = t.block_number
         where t.network = ${network} and t.status = 'mined'
           and (b.hash <> t.block_hash or b.hash is null and t.block_number <= c.confirmed_height)
         order by block_number limit ${MINED_MAX}`,
  );
}

/** Whether any transaction is in no block, or its block not deep yet. */
export const isAnyUnsettled = sql<boolean>`(
  ${isAny(sql`operator_transactions where ${isOpen} order by network, address, nonce`)}
  or ${isAny(sql`operator_transactions where status = 'mined' order by network, block_number`)})`;

const attemptsOf = (open: readonly Pick<Open, 'id' | 'attempt'>[]): string =>
  JSON.stringify(open.map(({ id, attempt }) => ({ id, attempt })));

async function listMined(db: Db, rows: RawBuilder<unknown>): Promise<Mined[]> {
  return (await toTransactions(db, rows)).map(({ id, nonce, hash, block }) => {
    if (block === null) throw new Error(`operator transaction ${id} is in no block`);
    return { id, nonce, hash, block };
  });
}

/** Locks transactions in the order of their ids, so that workers cannot deadlock. */
export async function lockTransactions(trx: Trx, ids: readonly OperatorTransactionId[]): Promise<void> {
  await sql`select id from operator_transactions where id = any(${ids}::text[]) order by id for update`.execute(trx);
}

/** A node now has the newest signatures of these, or no longer needs them. */
export async function markSent(db: Db, sent: readonly Pick<Open, 'id' | 'attempt'>[]): Promise<void> {
  await sql`
    update operator_transactions t set status = 'sent', sent_at = clock_timestamp()
      from jsonb_to_recordset(${attemptsOf(sent)}::jsonb) as r (id text, attempt integer)
     where t.id = r.id and t.attempt = r.attempt and t.status in ('signed', 'sent')`.execute(db);
}

/** Notes that these are in blocks now. */
export function markMined(trx: Trx, found: readonly Found[]): Promise<OperatorTransaction[]> {
  const rows = found.map(({ block, fee, ...row }) => ({ ...row, ...block, fee: String(fee) }));
  return toTransactions(
    trx,
    sql`update operator_transactions t
           set status = 'mined', mined_attempt = r.attempt, block_number = r.height, block_hash = r.hash,
               succeeded = r.succeeded, fee_wei = r.fee, taken_block = null
          from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
            as r (id text, attempt integer, height bigint, hash text, succeeded boolean, fee numeric)
         where t.id = r.id and t.status in ('signed', 'sent')
        returning t.*`,
  );
}

/** Notes that these are not in the blocks where our rows had them. Their bytes are sent again. */
export function markUnmined(trx: Trx, mined: readonly Mined[]): Promise<OperatorTransaction[]> {
  const rows = mined.map(({ id, block }) => ({ id, hash: block.hash }));
  return toTransactions(
    trx,
    sql`update operator_transactions t
           set status = 'sent', sent_at = null, mined_attempt = null, block_number = null, block_hash = null,
               succeeded = null, fee_wei = null, finished_at = null
          from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as r (id text, hash text)
         where t.id = r.id and t.block_hash = r.hash and t.status in ('mined', 'confirmed')
        returning t.*`,
  );
}

/**
 * Notes the head at which these nonces were first seen taken; null: they are not taken. Repeating either changes
 * nothing.
 */
export async function markTaken(db: Db, ids: readonly OperatorTransactionId[], head: number | null): Promise<void> {
  await sql`
    update operator_transactions set taken_block = ${head}
     where id = any(${ids}::text[]) and status = 'sent'
       and (taken_block is null) = (${head}::bigint is not null)`.execute(db);
}

/** Drops these: other transactions took their nonces for good. */
export function markDropped(
  trx: Trx,
  dropped: readonly Pick<Open, 'id' | 'attempt'>[],
  now: Date,
): Promise<OperatorTransaction[]> {
  return toTransactions(
    trx,
    sql`update operator_transactions t set status = 'dropped', finished_at = ${now}
          from jsonb_to_recordset(${attemptsOf(dropped)}::jsonb) as r (id text, attempt integer)
         where t.id = r.id and t.attempt = r.attempt and t.status = 'sent' and t.taken_block is not null
        returning t.*`,
  );
}

/**
 * A reorg replaced the blocks above `height`: transactions that were confirmed in them are only mined again, until the
 * chain has been asked whether they still are. An idle scan does not keep the hash of each block, by which they would
 * be found, and such a transaction ends the rest of its network.
 */
export async function doubtConfirmed(trx: Trx, network: string, height: number): Promise<void> {
  // Those that are being confirmed right now are waited for.
  const { rows } = await sql<{ id: OperatorTransactionId }>`
    select id from operator_transactions where network = ${network} and status = 'mined' and block_number > ${height}
     union all
    select id from operator_transactions where network = ${network} and status = 'confirmed'
       and block_number > ${height}`.execute(trx);
  if (rows.length === 0) return;
  const ids = rows.map(({ id }) => id);
  await lockTransactions(trx, ids);
  await sql`
    update operator_transactions set status = 'mined', finished_at = null
     where id = any(${ids}::text[]) and status = 'confirmed' and block_number > ${height}`.execute(trx);
}

/** Confirms these, whose blocks lie deep enough and are still canonical, unless the scan was walked back meanwhile. */
export function markConfirmed(trx: Trx, mined: readonly Mined[], now: Date): Promise<OperatorTransaction[]> {
  const rows = mined.map(({ id, block }) => ({ id, hash: block.hash }));
  return toTransactions(
    trx,
    sql`update operator_transactions t set status = 'confirmed', finished_at = ${now}
          from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as r (id text, hash text)
         where t.id = r.id and t.block_hash = r.hash and t.status = 'mined'
           and t.block_number <= (select confirmed_height from chain_cursors c where c.network = t.network)
        returning t.*`,
  );
}

/** Makes way for a replacement of the newest signature, which is stored with it; false when none is needed any more. */
export async function replaceAttempt(trx: Trx, { id, attempt }: Pick<Open, 'id' | 'attempt'>): Promise<boolean> {
  const { numUpdatedRows } = await trx
    .updateTable('operator_transactions')
    .set({ attempt: attempt + 1, sent_at: null })
    .where('id', '=', id)
    .where('attempt', '=', attempt)
    .where('status', '=', 'sent')
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}
