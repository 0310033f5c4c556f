import { sqlOnce } from '../../db/once.ts';
import type { Trx } from '../../lib/db-types.ts';
import type { Deposit } from '../../ports/chain-kind.ts';
import { addressOf, canonicalOf } from './addresses.ts';
import { accountOf } from './keys.ts';
import type { BitcoinNetwork } from './network.ts';

/** The output script of a public key's hash (P2WPKH). */
const scriptOfKey = (keyHash: string): string => `0014${keyHash}`;

/** What an account is known by: its first address, which no payment gets. A person finds it in the wallet. */
const accountName = ({ chain }: BitcoinNetwork, key: string): string =>
  canonicalOf(chain, scriptOfKey(accountOf(key, chain).first));

/** The accounts of a network, the present one first. */
export const listAccounts = (network: BitcoinNetwork): string[] =>
  [network.accountKey, ...(network.formerAccountKeys ?? [])].map((key) => accountName(network, key));

/**
 * The deposit address of a new payment: the next one of the account. A number comes from a sequence, so payments that
 * are made at once do not wait for one another; a payment that has one already is refused by the key of the table.
 */
export async function assignBitcoinDeposit(trx: Trx, network: BitcoinNetwork, paymentId: string): Promise<Deposit> {
  const { accountKey, chain } = network;
  const { number: index, next } = await trx.number('bitcoin_deposit_index');
  trx.later(sqlOnce`
    insert into bitcoin_deposits (payment_id, account, index)
    values (${paymentId}, ${accountName(network, accountKey)}, ${index})`);
  const script = scriptOfKey(accountOf(accountKey, chain).keyHash(index, next));
  return { address: addressOf(chain, script), canonical: canonicalOf(chain, script), factory: null };
}
