import { sql } from 'kysely';
import type { Trx } from '../lib/db-types.ts';

/** The balances that every merchant has. `debt` is zero or negative: what a deep reorg took back beyond `available`. */
export const MERCHANT_KINDS = ['pending', 'available', 'hold', 'suspense', 'debt'] as const;
export type MerchantKind = (typeof MERCHANT_KINDS)[number];
export type PlatformKind = 'fees' | 'rounding' | 'loss';

/** The id of an account in `ledger_accounts`. */
export type AccountId = string;

/** The account of one merchant's money of one kind. */
export const merchantAccount = (merchantId: string, kind: MerchantKind): AccountId => `${merchantId}:${kind}`;
/** An account of the platform itself. */
export const platformAccount = (kind: PlatformKind): AccountId => `platform:${kind}`;
/** Where money of a token on a network comes from and goes to; its balance is minus what we hold. */
export const externalAccount = (network: string, token: string): AccountId => `external:${network}:${token}`;

/** Opens a merchant's accounts; opening them again does nothing. */
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

/** Locks accounts, in the one order that everybody uses, and returns their balances in micro-dollars. Unknown ones are left out. */
export async function lockAccounts(trx: Trx, ids: readonly AccountId[]): Promise<ReadonlyMap<AccountId, bigint>> {
  const { rows } = await sql<{ id: string; balance: bigint }>`select * from lock_accounts(${[...ids]}::text[])`.execute(
    trx,
  );
  return new Map(rows.map((row) => [row.id, row.balance]));
}
