import type { Db, Trx } from '../../lib/db-types.ts';
import { newId } from '../../lib/ids.ts';
import type { Network } from '../../ports/chain.ts';
import type { Chains } from '../../ports/chain-kind.ts';
import type { Fees, OperatorAccount } from '../../ports/operator.ts';
import { offerFor } from './fees.ts';
import { alignNextNonce, insertTransaction, type OperatorTransactionId, takeNonce } from './queries.ts';

/** EIP-7825, and a check of the table: no transaction may have more gas. */
const TRANSACTION_GAS_MAX = 16_777_216n;

export type OperatorDeps = {
  readonly db: Db;
  readonly chains: Pick<Chains, 'openOperatorNode'>;
  /** The account whose key this process has. */
  readonly operator: OperatorAccount;
};

/** The price of the next transaction on a network. */
export type FeeQuote =
  | {
      readonly kind: 'quoted';
      readonly fees: Fees /** What a unit costs in the next block. */;
      readonly priceWei: bigint;
    }
  /** To be mined now it would have to cost more than the network's limit, so it waits. */
  | { readonly kind: 'too_expensive'; readonly priceWei: bigint; readonly limitWei: bigint };

/** A contract call to enqueue. */
export type OperatorOrder = {
  readonly network: Network;
  /** The contract, in hex. */
  readonly to: string;
  readonly data: string;
  /** At most 16,777,216, which is the most that any transaction may have (EIP-7825). */
  readonly gas: bigint;
  /** What it is for, for the listeners: a word, and the id that the word is about. */
  readonly purpose: string;
  readonly subject?: string;
  /** Its id, where the caller must know it beforehand. */
  readonly id?: OperatorTransactionId;
  /** As `prepareFees` quoted them a moment ago. */
  readonly fees: Fees;
};

export type Enqueued = { readonly id: OperatorTransactionId; readonly hash: string };

/**
 * Asks the node for the price and for the account's nonce, so never call it inside a database transaction. It must come
 * before `enqueue` on the network. Rejects with an Error that names no secret when the node does not answer.
 */
export async function prepareFees({ db, chains, operator }: OperatorDeps, network: Network): Promise<FeeQuote> {
  const node = chains.openOperatorNode(network);
  const [market, counts] = await Promise.all([node.readMarket(), node.readCounts(operator.address)]);
  const account = { network: network.name, address: operator.address };
  await alignNextNonce(db, account, counts.pending, () => node.countSeconded(operator.address));
  const [priceWei, limitWei] = [market.baseFee + market.tip, node.priceLimit];
  if (priceWei > limitWei) return { kind: 'too_expensive', priceWei, limitWei };
  return { kind: 'quoted', fees: offerFor(market, limitWei), priceWei };
}

/**
 * Signs a call and stores its bytes under the account's next nonce. After the commit the job sends them until the chain
 * has them. Asks no network. Call it last in a transaction: others wait for the account's next nonce until its end. See
 * decision chains/bytes-before-sending.
 */
export async function enqueue(
  trx: Trx,
  { operator }: Pick<OperatorDeps, 'operator'>,
  order: OperatorOrder,
  now: Date,
): Promise<Enqueued> {
  const { network, data, gas, fees } = order;
  const to = order.to.toLowerCase();
  if (gas > TRANSACTION_GAS_MAX) throw new RangeError(`a transaction may have ${TRANSACTION_GAS_MAX} gas, not ${gas}`);
  const account = { network: network.name, address: operator.address };
  const nonce = await takeNonce(trx, account);
  if (nonce === undefined) throw new Error(`${network.name}: fees have to be prepared before anything is enqueued`);
  const signed = await operator.sign({ chainId: chainIdOf(network), nonce, to, data, gas, fees });
  const { purpose, subject = null, id = newId('operatorTransaction', now) } = order;
  const draft = { ...account, id, nonce, purpose, subject, to, gas, signed, fees };
  if (!(await insertTransaction(trx, draft, now))) throw new Error(`${network.name}: nonce ${nonce} is in use already`);
  trx.wake('kasi_operator');
  return { id, hash: signed.hash };
}

/** The chain id that a signature is for. Throws for a chain that has none: nothing is signed there. */
export function chainIdOf({ name, chainId }: Network): number {
  if (chainId === null) throw new Error(`${name} has no chain id to sign for`);
  return chainId;
}
