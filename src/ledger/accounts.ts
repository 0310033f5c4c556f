import { sql } from 'kysely';
import type { Db, Trx } from '../lib/db-types.ts';

/** The accounts of every merchant. `debt` is zero or negative: what a deep reorg reversed beyond `available`. */
export const MERCHANT_KINDS = ['pending', 'available', 'hold', 'suspense', 'debt'] as const;
export type MerchantKind = (typeof MERCHANT_KINDS)[number];
export type PlatformKind = 'fees' | 'rounding' | 'loss';

/** The id of an account in `ledger_accounts`. */
export type AccountId = string;

/** A merchant's account of one kind. */
export const merchantAccount = (merchantId: string, kind: MerchantKind): AccountId => `${merchantId}:${kind}`;
/** An account of the platform. */
export const platformAccount = (kind: PlatformKind): AccountId => `platform:${kind}`;
/**
 * The world outside, by token and network: money comes from it and goes to it, so its balance is minus what we hold.
 */
export const externalAccount = (network: string, token: string): AccountId => `external:${network}:${token}`;

/** Opens a merchant's accounts. Repeating it changes nothing. */
export async function openAccounts(trx: Trx, merchantId: string): Promise<void> {
  await trx
    .insertInto('ledger_accounts')
    .values(
      MERCHANT_KINDS.map((kind) => ({
        id: merchantAccount(merchantId, kind),
        owner_id: merchantId,
        kind,
        allow_negative: kind === 'debt',
      })),
    )
    .onConflict((conflict) => conflict.column('id').doNothing())
    .execute();
}

/**
 * Locks accounts in the order that all transactions use, by id, each after the money of its merchant: what comes in has
 * ended by then, and all of it is in the balances. Returns these in micro-dollars, without unknown accounts.
 */
export async function lockAccounts(trx: Trx, ids: readonly AccountId[]): Promise<ReadonlyMap<AccountId, bigint>> {
  const { rows } = await sql<{ id: string; balance: bigint }>`
    select * from lock_accounts(${[...ids]}::text[])`.execute(trx);
  return new Map(rows.map((row) => [row.id, row.balance]));
}

/**
 * Lets money of merchants come in, beside other money that comes in: until the transaction ends nothing goes out of
 * their accounts, and no debt is made. Where a merchant owes, which the money repays first, it locks what
 * `lockAccounts` would. Returns the balances of `available` and `debt` of those; the others owe nothing. See
 * decision ledger/income-is-noted.
 */
export async function shareAccounts(trx: Trx, merchantIds: readonly string[]): Promise<ReadonlyMap<AccountId, bigint>> {
  const { rows } = await sql<{ id: string; balance: bigint }>`
    select * from share_accounts(${[...merchantIds]}::text[])`.execute(trx);
  return new Map(rows.map((row) => [row.id, row.balance]));
}

/** The balance of an account in micro-dollars, 0 for an unknown one. Not locked, so only for display. */
export async function readBalance(db: Db, id: AccountId): Promise<bigint> {
  const row = await db.selectFrom('ledger_balances').select('balance').where('id', '=', id).executeTakeFirst();
  return row?.balance ?? 0n;
}

/** Which of these merchants owe. Not locked, so they may do so no more, and others by now. */
export async function listDebtors(db: Db, merchantIds: readonly string[]): Promise<string[]> {
  const debts = merchantIds.map((id) => merchantAccount(id, 'debt'));
  const { rows } = await sql<{ id: string }>`
    select owner_id as id from ledger_balances where id = any (${debts}::text[]) and balance < 0`.execute(db);
  return rows.map(({ id }) => id);
}
