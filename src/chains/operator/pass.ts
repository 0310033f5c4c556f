import { inTransaction } from '../../db/transaction.ts';
import type { Db, Trx } from '../../lib/db-types.ts';
import type { Network } from '../../ports/chain.ts';
import type { Chains } from '../../ports/chain-kind.ts';
import type { OperatorAccount, OperatorNode } from '../../ports/operator.ts';
import type { AccountRef, OperatorTransaction, OperatorTransactionId } from './queries.ts';
import { type Found, lockTransactions, type Open } from './transitions.ts';

/**
 * Told of transactions whenever they are in a block, confirmed, dropped, or taken back by a reorg (then `sent` again), in the transaction
 * that notes it. It may only insert or mark rows of its own folder, and may be told of the same transaction again.
 */
export type OperatorListener = (trx: Trx, moved: readonly OperatorTransaction[], now: Date) => Promise<void>;

/** How long things may take before something is done about them, in milliseconds. */
export type Patience = {
  /** Until a node is handed bytes again that are in no block. */
  readonly resendMs: number;
  /** Until what is in no block is replaced when its price has become too low, and nonces before it that nobody has are used up. */
  readonly stuckMs: number;
};

export type PassDeps = {
  readonly db: Db;
  readonly chains: Pick<Chains, 'openOperatorNode'>;
  /** Whose key this process holds; null: what was signed is sent all the same. */
  readonly operator: OperatorAccount | null;
  readonly listeners: readonly OperatorListener[];
  readonly patience: Patience;
};

/** One look at the transactions of one network, or of one account on it. */
export type NetworkPass = PassDeps & { readonly network: Network; readonly node: OperatorNode; readonly now: Date };
export type Pass = NetworkPass & { readonly account: AccountRef };

/** Everything that a look at a network needs. `now` is business time. */
export const startPass = (deps: PassDeps, network: Network, now: Date): NetworkPass => ({
  ...deps,
  network,
  node: deps.chains.openOperatorNode(network),
  now,
});

/** Moves transactions, locked in one order, and tells the listeners; returns how many were moved. */
export async function move(
  { db, listeners, now }: Pick<NetworkPass, 'db' | 'listeners' | 'now'>,
  ids: readonly OperatorTransactionId[],
  work: (trx: Trx) => Promise<OperatorTransaction[]>,
): Promise<number> {
  if (ids.length === 0) return 0;
  return inTransaction(db, async (trx) => {
    await lockTransactions(trx, ids);
    const moved = await work(trx);
    if (moved.length > 0) for (const listener of listeners) await listener(trx, moved, now);
    return moved.length;
  });
}

/** Those of the transactions of which a signature is in a block. */
export async function findMined(
  { node }: Pick<NetworkPass, 'node'>,
  open: readonly Pick<Open, 'id' | 'hashes'>[],
): Promise<Found[]> {
  const asked = open.flatMap(({ id, hashes }) => hashes.map((hash, i) => ({ id, hash, attempt: i + 1 })));
  const receipts = await node.findReceipts(asked.map(({ hash }) => hash));
  return asked.flatMap(({ id, attempt }, i) => {
    const receipt = receipts[i];
    return receipt ? [{ id, attempt, block: receipt.block, succeeded: receipt.succeeded }] : [];
  });
}
