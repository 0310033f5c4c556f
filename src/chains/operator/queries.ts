import { type RawBuilder, sql } from 'kysely';
import { inTransaction } from '../../db/transaction.ts';
import type { Db, Trx } from '../../lib/db-types.ts';
import type { Id } from '../../lib/ids.ts';
import type { Waiting } from '../../ports/chain.ts';
import type { Fees, Signed } from '../../ports/operator.ts';

/** The id of a transaction of one of our accounts. */
export type OperatorTransactionId = Id<'operatorTransaction'>;

export type OperatorStatus = 'signed' | 'sent' | 'mined' | 'confirmed' | 'dropped';

/** A transaction of one of our accounts. */
export type OperatorTransaction = {
  readonly id: OperatorTransactionId;
  readonly network: string;
  /** Lower-case hex, as are the hashes. */
  readonly address: string;
  readonly nonce: number;
  /** What it is for, in its caller's words. */
  readonly purpose: string;
  readonly subject: string | null;
  readonly status: OperatorStatus;
  /** The hash of the signature in a block, or else of the newest. */
  readonly hash: string;
  /** Its block; null unless it is mined or confirmed. */
  readonly block: { readonly height: number; readonly hash: string } | null;
  /** Whether it succeeded or was reverted; null unless it is in a block. */
  readonly succeeded: boolean | null;
  readonly createdAt: Date;
  /** When it was confirmed or dropped, in business time. */
  readonly finishedAt: Date | null;
};

/** Which account of which network. */
export type AccountRef = { readonly network: string; readonly address: string };

/** What a new transaction is stored as. */
export type OperatorDraft = AccountRef & {
  readonly id: OperatorTransactionId;
  readonly nonce: number;
  readonly purpose: string;
  readonly subject: string | null;
  readonly to: string;
  readonly gas: bigint;
  readonly signed: Signed;
  readonly fees: Fees;
};

/** In no block yet. Literals, not parameters: a prepared plan can use the partial index only so. */
export const isOpen = sql<boolean>`status in ('signed', 'sent')`;

type Row = {
  id: OperatorTransactionId;
  network: string;
  address: string;
  nonce: bigint;
  purpose: string;
  subject: string | null;
  status: OperatorStatus;
  hash: string;
  block_number: bigint | null;
  block_hash: string | null;
  succeeded: boolean | null;
  created_at: Date;
  finished_at: Date | null;
};

/**
 * Stores the account, and aligns its next nonce with the chain: raises it to what the node has seen, as far as
 * `countSeconded` agrees, and lowers it to that when no transaction of ours lies in between, as after the node was
 * restored from a backup. See decision chains/next-nonce-is-a-row.
 */
export async function alignNextNonce(
  db: Db,
  account: AccountRef,
  seen: number,
  countSeconded: () => Promise<number>,
): Promise<void> {
  const { network, address } = account;
  const row = await db
    .selectFrom('operator_accounts')
    .select('next_nonce')
    .where('network', '=', network)
    .where('address', '=', address)
    .executeTakeFirst();
  // Only transactions that are not ours raise it, so this is rare.
  const expected = BigInt(seen) > (row?.next_nonce ?? 0n) ? Math.min(seen, await countSeconded()) : seen;
  // Lock the row only when it must change: the lock waits for every transaction that is taking a nonce.
  if (row !== undefined && row.next_nonce === BigInt(expected)) return;
  if (row !== undefined && row.next_nonce > BigInt(expected) && (await isInUse(db, account, expected))) return;
  await inTransaction(db, async (trx) => {
    await sql`
      insert into operator_accounts (network, address, next_nonce) values (${network}, ${address}, ${expected})
      on conflict (network, address) do update
        set next_nonce = greatest(operator_accounts.next_nonce, excluded.next_nonce)`.execute(trx);
    // The row is locked now, so no nonce is taken between this check and the update.
    if (await isInUse(trx, account, expected)) return;
    await sql`
      update operator_accounts set next_nonce = ${expected}
       where network = ${network} and address = ${address} and next_nonce > ${expected}`.execute(trx);
  });
}

/** Whether a live transaction of the account has this nonce or one above it. */
async function isInUse(db: Db | Trx, { network, address }: AccountRef, nonce: number): Promise<boolean> {
  const highest = await db
    .selectFrom('operator_transactions')
    .select('nonce')
    .where('network', '=', network)
    .where('address', '=', address)
    .where(sql<boolean>`status <> 'dropped'`)
    // Reads the end of the index; a search from `nonce` on might read the account's whole history.
    .orderBy('nonce', 'desc')
    .limit(1)
    .executeTakeFirst();
  return highest !== undefined && highest.nonce >= BigInt(nonce);
}

/**
 * Takes the account's next nonce; taking the one after it waits for the end of this transaction. Undefined: no such
 * account.
 */
export async function takeNonce(trx: Trx, { network, address }: AccountRef): Promise<number | undefined> {
  const row = await trx
    .updateTable('operator_accounts')
    .set({ next_nonce: sql<bigint>`next_nonce + 1` })
    .where('network', '=', network)
    .where('address', '=', address)
    .returning('next_nonce')
    .executeTakeFirst();
  return row && Number(row.next_nonce) - 1;
}

/** Stores a transaction with its first signature; false when a live one has its nonce. */
export async function insertTransaction(trx: Trx, draft: OperatorDraft, now: Date): Promise<boolean> {
  const { id, network, address, nonce, purpose, subject, to, gas } = draft;
  const { rows } = await sql`
    insert into operator_transactions (id, network, address, nonce, purpose, subject, to_address, gas_limit, created_at)
    values (${id}, ${network}, ${address}, ${nonce}, ${purpose}, ${subject}, ${to}, ${gas}, ${now})
    on conflict (network, address, nonce) where status <> 'dropped' do nothing
    returning id`.execute(trx);
  if (rows.length === 0) return false;
  await insertSignature(trx, id, 1, draft.signed, draft.fees);
  return true;
}

/** Stores a signature, before any node sees it. */
export async function insertSignature(
  trx: Trx,
  id: OperatorTransactionId,
  attempt: number,
  { raw, hash }: Signed,
  { maxFee, maxPriorityFee }: Fees,
): Promise<void> {
  await trx
    .insertInto('operator_signatures')
    .values({ transaction_id: id, attempt, hash, raw, max_fee: maxFee, max_priority_fee: maxPriorityFee })
    .execute();
}

/** The transactions with these ids; unknown ids are left out. */
export async function listTransactions(
  db: Db | Trx,
  ids: readonly OperatorTransactionId[],
): Promise<OperatorTransaction[]> {
  return toTransactions(db, sql`select * from operator_transactions where id = any(${ids}::text[])`);
}

/** Transactions of ours that are not confirmed yet. */
export const operatorWaits: Waiting = ({ name }) => sql`(
  exists (select from operator_transactions where network = ${name} and ${isOpen})
  or exists (select from operator_transactions where network = ${name} and status = 'mined'))`;

/** When the oldest unmined transaction was enqueued; null when there is none. */
export async function findOldestUnmined(db: Db, networks: readonly string[]): Promise<Date | null> {
  const { oldest } = await db
    .selectFrom('operator_transactions')
    .select((eb) => eb.fn.min('created_at').as('oldest'))
    .where('network', 'in', [...networks])
    .where(isOpen)
    .executeTakeFirstOrThrow();
  return oldest ?? null;
}

/** Transactions from the rows of operator_transactions that `rows` selects or returns, in the order of their nonces. */
export async function toTransactions(db: Db | Trx, rows: RawBuilder<unknown>): Promise<OperatorTransaction[]> {
  const result = await sql<Row>`
    with t as (${rows})
    select t.id, t.network, t.address, t.nonce, t.purpose, t.subject, t.status, s.hash, t.block_number, t.block_hash,
           t.succeeded, t.created_at, t.finished_at
      from t join operator_signatures s on s.transaction_id = t.id and s.attempt = coalesce(t.mined_attempt, t.attempt)
     order by t.network, t.address, t.nonce`.execute(db);
  return result.rows.map(({ nonce, block_number, block_hash, created_at, finished_at, ...row }) => ({
    ...row,
    nonce: Number(nonce),
    block: block_hash === null ? null : { height: Number(block_number), hash: block_hash },
    createdAt: created_at,
    finishedAt: finished_at,
  }));
}

/** The transactions since then that failed, or that no block has yet and may fail (operator_transactions_at_risk). */
export async function listAtRisk(
  db: Db | Trx,
  purpose: string,
  since: Date,
): Promise<readonly OperatorTransactionId[]> {
  const { rows } = await sql<{ id: OperatorTransactionId }>`
    select id from operator_transactions
     where purpose = ${purpose} and created_at > ${since} and (${isOpen} or not succeeded)`.execute(db);
  return rows.map(({ id }) => id);
}

/**
 * What our transactions since then cost, in whole coins of their network, by what they were for; of each the newest
 * `most`. Steps from one purpose of a network to the next in operator_transactions_by_purpose, and sums up each
 * there: in an order that no other index has, or PostgreSQL may look for the few of one purpose among all of the day.
 */
export async function sumFees(
  db: Db,
  since: Date,
  most: number,
): Promise<readonly { readonly network: string; readonly purpose: string; readonly fee: number }[]> {
  const { rows } = await sql<{ network: string; purpose: string; fee: number }>`
    with recursive purposes (network, purpose) as (
      (select network, purpose from operator_transactions order by network, purpose limit 1)
      union all
      select t.network, t.purpose from purposes p cross join lateral (
        select network, purpose from operator_transactions
         where (network, purpose) > (p.network, p.purpose) order by network, purpose limit 1) t)
    select p.network, p.purpose, f.fee from purposes p cross join lateral (
      select count(*) as made, coalesce(sum(fee_wei) / 1e18, 0)::float8 as fee from (
        select fee_wei from operator_transactions
         where (network, purpose, created_at) > (p.network, p.purpose, ${since})
           and (network, purpose) <= (p.network, p.purpose)
         order by network desc, purpose desc, created_at desc limit ${sql.lit(most)}) newest) f
     where f.made > 0`.execute(db);
  return rows;
}
