import { sql } from 'kysely';
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
 * The deposit address of a payment: the next one of the account, and the same one at every later call. A number comes
 * from a sequence, so payments that are made at once do not wait for one another.
 */
export async function assignBitcoinDeposit(trx: Trx, network: BitcoinNetwork, paymentId: string): Promise<Deposit> {
  const { account, index } = await assignOnce(trx, accountName(network, network.accountKey), paymentId);
  const keys = [network.accountKey, ...(network.formerAccountKeys ?? [])];
  const key = keys.find((each) => accountName(network, each) === account);
  if (key === undefined)
    throw new Error(`the address of ${paymentId} is of an account that ${network.name} does not list`);
  return {
    address: addressOf(network.chain, scriptOfKey(accountOf(key, network.chain).keyHash(index))),
    factory: null,
  };
}

/** The number of the payment's address, and whose it is. A later call takes no number from the sequence. */
async function assignOnce(trx: Trx, present: string, paymentId: string) {
  const { rows } = await sql<{ account: string; index: number }>`
    with known as (
      select account, index from bitcoin_deposits where payment_id = ${paymentId}
    ), made as (
      insert into bitcoin_deposits (payment_id, account, index)
      select ${paymentId}, ${present}, nextval('bitcoin_deposit_index') where not exists (select from known)
      on conflict (payment_id) do update set payment_id = excluded.payment_id
      returning account, index
    )
    select account, index from known union all select account, index from made`.execute(trx);
  const [deposit] = rows;
  if (deposit === undefined) throw new Error('no address was assigned');
  return deposit;
}
