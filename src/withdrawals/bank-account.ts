import type { SealedColumn } from '../db/sealed-column.ts';
import { decrypt, encrypt, type KeyRing, type Place } from '../lib/envelope.ts';
import type { BankAccount, Withdrawal } from './withdrawal.ts';

const TAIL_LENGTH = 4;

type Owner = Pick<Withdrawal, 'id' | 'merchantId'>;

const placeOf = ({ id, merchantId }: Owner): Place => ({
  table: 'withdrawals',
  column: 'sealed_bank_account',
  row: id,
  tenant: merchantId,
});

export const SEALED_ACCOUNTS: SealedColumn = {
  ...{ key: 'id', tenant: 'merchant_id' },
  placeOf: (id, merchantId) => placeOf({ id, merchantId } as Owner),
};

/** The account as stored. Its number decrypts only for this withdrawal of this merchant. */
export function encryptAccount(
  ring: KeyRing,
  owner: Owner,
  account: { readonly number: string; readonly name: string; readonly branch: string },
): BankAccount {
  const { number, name, branch } = account;
  const tail = number.replaceAll(/[ -]/g, '').slice(-TAIL_LENGTH);
  return { encryptedNumber: encrypt(ring, placeOf(owner), Buffer.from(number, 'utf8')), tail, name, branch };
}

/** The account's number; null for a crypto withdrawal. */
export function openNumber(ring: KeyRing, withdrawal: Owner & Pick<Withdrawal, 'bank'>): string | null {
  const { bank } = withdrawal;
  return bank && decrypt(ring, placeOf(withdrawal), bank.encryptedNumber).toString('utf8');
}

/** The masked number; null for a crypto withdrawal. */
export const maskedNumber = ({ bank }: Pick<Withdrawal, 'bank'>): string | null => bank && `****${bank.tail}`;
