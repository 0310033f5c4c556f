import { type RawBuilder, sql } from 'kysely';
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

/** A transaction that is in no block yet, with all that decides what to do about it. */
export type Open = {
  readonly id: OperatorTransactionId;
  readonly nonce: number;
  readonly status: OperatorStatus;
  readonly attempt: number;
  /** Of all its signatures, the newest last. */
  readonly hashes: readonly string[];
  /** What the newest signature offers. */
  readonly fees: Fees;
  /** Since the newest signature was made. */
  readonly signedMs: number;
  /** Since a node was last handed the newest signature; null when it is to be handed over at once. */
  readonly sentMs: number | null;
  readonly takenBlock: number | null;
};

/** Where a transaction was found: which of its signatures, in which block, and what came of it. */
export type Found = {
  readonly id: OperatorTransactionId;
  readonly attempt: number;
  readonly block: Place;
  readonly succeeded: boolean;
};

/** A transaction that is said to be in a block. */
export type Claimed = {
  readonly id: OperatorTransactionId;
  readonly nonce: number;
  readonly hash: string;
  readonly block: Place;
};

/** How many that are said to be in blocks are looked at at once. */
export const CLAIMED_MAX = 200;

/** A worker's hold on an account: it only spares nodes double work, every move is guarded by itself. */
const LEASE = sql<Date>`clock_timestamp() + interval '5 seconds'`;

/** Takes an account for this worker, or keeps it; false while another worker has it. */
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

/** Gives an account back. */
export async function releaseAccount(db: Db, { network, address }: AccountRef, worker: string): Promise<void> {
  await db
    .updateTable('operator_accounts')
    .set({ locked_by: null, locked_until: null })
    .where('network', '=', network)
    .where('address', '=', address)
    .where('locked_by', '=', worker)
    .execute();
}

/** The accounts that have something in no block yet. */
export async function listBusyAccounts(db: Db, networks: readonly string[]): Promise<AccountRef[]> {
  return db
    .selectFrom('operator_transactions')
    .select(['network', 'address'])
    .distinct()
    .where('network', 'in', [...networks])
    .where(isOpen)
    .execute();
}

/** What of an account is in no block yet, in the order of the nonces. */
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

/** The bytes of the newest signatures of these. */
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

/** Transactions that are said to be in a block although their nonces are `from` or above and below `to`. */
export function listMinedBetween(db: Db, account: AccountRef, from: number, to: number): Promise<Claimed[]> {
  return listClaimed(
    db,
    sql`select * from operator_transactions where network = ${account.network} and address = ${account.address}
          and nonce >= ${from} and nonce < ${to} and status <> 'dropped' and status in ('mined', 'confirmed') order by nonce limit ${CLAIMED_MAX}`,
  );
}

/** Transactions that lie deep enough in blocks that were scanned, the deepest first. */
export function listDeep(db: Db, network: string): Promise<Claimed[]> {
  return listClaimed(
    db,
    sql`select t.* from operator_transactions t join chain_cursors c on c.network = t.network
          join chain_blocks b on b.network = t.network and b.height = t.block_number and b.hash = t.block_hash
         where t.network = ${network} and t.status = 'mined' and t.block_number <= c.confirmed_height
         order by t.block_number limit ${CLAIMED_MAX}`,
  );
}

/**
 * Transactions whose block is not the one that was scanned at its height, or is deep enough without that being known. Blocks above the
 * scan are left for later.
 */
export function listDoubted(db: Db, network: string): Promise<Claimed[]> {
  return listClaimed(
    db,
    sql`select t.* from operator_transactions t join chain_cursors c on c.network = t.network
          left join chain_blocks b on b.network = t.network and b.height = t.block_number
         where t.network = ${network} and t.status = 'mined'
           and (b.hash <> t.block_hash or b.hash is null and t.block_number <= c.confirmed_height)
         order by t.block_number limit ${CLAIMED_MAX}`,
  );
}

const attemptsOf = (open: readonly Pick<Open, 'id' | 'attempt'>[]): string =>
  JSON.stringify(open.map(({ id, attempt }) => ({ id, attempt })));

async function listClaimed(db: Db, rows: RawBuilder<unknown>): Promise<Claimed[]> {
  return (await toTransactions(db, rows)).map(({ id, nonce, hash, block }) => {
    if (block === null) throw new Error(`operator transaction ${id} is in no block`);
    return { id, nonce, hash, block };
  });
}

/** Locks transactions in one order, so that workers wait for one another instead of in a circle. */
export async function lockTransactions(trx: Trx, ids: readonly OperatorTransactionId[]): Promise<void> {
  await sql`select id from operator_transactions where id = any(${ids}::text[]) order by id for update`.execute(trx);
}

/** A node has the newest signatures of these now, or says that it needs them no more. */
export async function markSent(db: Db, sent: readonly Pick<Open, 'id' | 'attempt'>[]): Promise<void> {
  await sql`
    update operator_transactions t set status = 'sent', sent_at = clock_timestamp()
      from jsonb_to_recordset(${attemptsOf(sent)}::jsonb) as r (id text, attempt integer)
     where t.id = r.id and t.attempt = r.attempt and t.status in ('signed', 'sent')`.execute(db);
}

/** These are in blocks now. */
export function markMined(trx: Trx, found: readonly Found[]): Promise<OperatorTransaction[]> {
  const rows = found.map(({ block, ...row }) => ({ ...row, ...block }));
  return toTransactions(
    trx,
    sql`update operator_transactions t
           set status = 'mined', mined_attempt = r.attempt, block_number = r.height, block_hash = r.hash, succeeded = r.succeeded,
               taken_block = null
          from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
            as r (id text, attempt integer, height bigint, hash text, succeeded boolean)
         where t.id = r.id and t.status in ('signed', 'sent')
        returning t.*`,
  );
}

/** These are not in the blocks that they were said to be in; their bytes are to be sent again. */
export function takeBack(trx: Trx, claimed: readonly Claimed[]): Promise<OperatorTransaction[]> {
  const rows = claimed.map(({ id, block }) => ({ id, hash: block.hash }));
  return toTransactions(
    trx,
    sql`update operator_transactions t
           set status = 'sent', sent_at = null, mined_attempt = null, block_number = null, block_hash = null, succeeded = null,
               finished_at = null
          from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as r (id text, hash text)
         where t.id = r.id and t.block_hash = r.hash and t.status in ('mined', 'confirmed')
        returning t.*`,
  );
}

/** Notes at which head the nonces of these were first seen taken, or that they are not; both may be repeated. */
export async function markTaken(db: Db, ids: readonly OperatorTransactionId[], head: number | null): Promise<void> {
  await sql`
    update operator_transactions set taken_block = ${head}
     where id = any(${ids}::text[]) and status = 'sent' and (taken_block is null) = (${head}::bigint is not null)`.execute(
    db,
  );
}

/** Another transaction took the nonces of these for good. */
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

/** Confirms these, whose blocks lie deep enough and stand where they stood. */
export function confirm(trx: Trx, claimed: readonly Claimed[], now: Date): Promise<OperatorTransaction[]> {
  const rows = claimed.map(({ id, block }) => ({ id, hash: block.hash }));
  return toTransactions(
    trx,
    sql`update operator_transactions t set status = 'confirmed', finished_at = ${now}
          from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as r (id text, hash text)
         where t.id = r.id and t.block_hash = r.hash and t.status = 'mined'
        returning t.*`,
  );
}

/** Puts a replacement in the place of the newest signature; false when it is no longer needed. The signature is stored with it. */
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
