import { createHash, randomUUID } from 'node:crypto';
import type { BlockRef, Transfer } from '../../../src/ports/chain.ts';
import type { ToyNetwork } from './kind.ts';

type Block = { readonly ref: BlockRef; readonly transfers: readonly Transfer[] };

/** A chain in this process's memory. */
export type ToyChain = ReturnType<typeof createToyChain>;

/** A chain with one block. It makes no other by itself; `now` stamps its blocks. */
export function createToyChain(network: Omit<ToyNetwork, 'chain'>, now: () => Date = () => new Date()) {
  const blocks: Block[] = [];
  const add = (transfers: readonly Omit<Transfer, 'block'>[]): void => {
    const parentHash = blocks.at(-1)?.ref.hash ?? 'none';
    const hash = createHash('sha256').update(randomUUID()).digest('hex');
    const ref = { network: network.name, height: blocks.length, hash, parentHash, time: now() };
    blocks.push({ ref, transfers: transfers.map((transfer) => ({ ...transfer, block: ref })) });
  };
  const mine = (count: number): void => {
    for (let i = 0; i < count; i += 1) add([]);
  };
  mine(1);
  return {
    blocks,
    mine,
    /** Pays in a block of its own; returns the transaction's hash. */
    pay: (to: string, units: bigint): string => {
      const [token] = network.tokens;
      if (!token) throw new Error('the toy network has no token');
      const txHash = createHash('sha256').update(randomUUID()).digest('hex');
      add([{ network: network.name, txHash, index: 0, token, from: 'toy:payer', to, units }]);
      return txHash;
    },
    /** Drops the newest blocks and puts nothing in their place. */
    rollBack: (depth: number): void => void blocks.splice(-depth),
  };
}
