import { createHash, randomUUID } from 'node:crypto';
import type { BlockRef, PoolTransaction, Transfer } from '../../../src/ports/chain.ts';
import type { ToyNetwork } from './kind.ts';

type Block = { readonly ref: BlockRef; readonly transfers: readonly Transfer[] };

/** A chain in this process's memory. */
export type ToyChain = ReturnType<typeof createToyChain>;

type Payout = readonly [address: string, units: bigint];

const newHash = (): string => createHash('sha256').update(randomUUID()).digest('hex');

/** A transaction that pays these amounts of the coin; it spends `coin`, or one of its own. */
function payIn(
  { name, native: token }: Pick<ToyNetwork, 'name' | 'native'>,
  txHash: string,
  to: readonly Payout[],
  coin = newHash(),
): PoolTransaction {
  if (!token) throw new Error('the toy network has no coin');
  const transfers = to.map(([address, units], index) => ({
    ...{ network: name, txHash, index, token, from: '', to: address, units },
  }));
  return { txHash, spends: [`${coin}:0`], transfers };
}

/** A chain with one block. It makes no other by itself; `now` stamps its blocks. */
export function createToyChain(network: Omit<ToyNetwork, 'chain'>, now: () => Date = () => new Date()) {
  const blocks: Block[] = [];
  const pool = new Map<string, PoolTransaction>();
  const known = new Map<string, PoolTransaction>();
  const add = (transfers: readonly Omit<Transfer, 'block'>[]): void => {
    const parentHash = blocks.at(-1)?.ref.hash ?? 'none';
    const ref = { network: network.name, height: blocks.length, hash: newHash(), parentHash, time: now() };
    blocks.push({ ref, transfers: transfers.map((transfer) => ({ ...transfer, block: ref })) });
  };
  const mine = (count: number): void => {
    for (let i = 0; i < count; i += 1) add([]);
  };
  mine(1);
  /** Puts a transaction into the pool, in the place of those that spend the same. */
  const wait = (transaction: PoolTransaction): void => {
    known.set(transaction.txHash, transaction);
    for (const { txHash, spends } of pool.values()) {
      if (spends.some((each) => transaction.spends.includes(each))) pool.delete(txHash);
    }
    pool.set(transaction.txHash, transaction);
  };
  return {
    blocks,
    mine,
    pool,
    known,
    wait,
    submit: (to: readonly Payout[], coin?: string): PoolTransaction => {
      const transaction = payIn(network, newHash(), to, coin);
      wait(transaction);
      return transaction;
    },
    /** Makes a block of all that waits, or of these, waiting or not. */
    include: (transactions: readonly PoolTransaction[] = [...pool.values()]): void => {
      for (const transaction of transactions) wait(transaction);
      add(transactions.flatMap(({ transfers }) => transfers));
      for (const { txHash } of transactions) pool.delete(txHash);
    },
    /** Drops the newest blocks, whose transactions wait again, and makes one more than there were. */
    reorganise: (depth: number, keep = true): void => {
      const dropped = blocks.splice(-depth).flatMap(({ transfers }) => transfers.map(({ txHash }) => txHash));
      for (const txHash of keep ? new Set(dropped) : []) wait(known.get(txHash)!);
      mine(depth + 1);
    },
    /** Pays in a block of its own; returns the transaction's hash. */
    pay: (to: string, units: bigint): string => {
      const [token] = network.tokens;
      if (!token) throw new Error('the toy network has no token');
      const txHash = newHash();
      add([{ network: network.name, txHash, index: 0, token, from: 'toy:payer', to, units }]);
      return txHash;
    },
    /** Drops the newest blocks and puts nothing in their place. */
    rollBack: (depth: number): void => void blocks.splice(-depth),
  };
}
