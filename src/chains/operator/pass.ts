import { inTransaction } from '../../db/transaction.ts';
import type { Db, Trx } from '../../lib/db-types.ts';
import type { Network } from '../../ports/chain.ts';
import type { Chains } from '../../ports/chain-kind.ts';
import type { OperatorAccount, OperatorNode } from '../../ports/operator.ts';
import type { AccountRef, OperatorTransaction, OperatorTransactionId } from './queries.ts';
import { type Found, lockTransactions, type Open } from './transitions.ts';

/**
 * Called with transactions that were mined, confirmed, dropped, or reversed by a reorg (then `sent` again), inside the
 * database transaction that notes it. It may only insert or mark rows of its own folder, and must tolerate repeated
 * calls.
 */
export type OperatorListener = (trx: Trx, moved: readonly OperatorTransaction[], now: Date) => Promise<void>;

/** How long to wait before repairs, in milliseconds. */
export type Patience = {
  /** Until a node is handed bytes again that are still in no block. */
  readonly resendMs: number;
  /**
   * Until an unmined transaction is replaced because its price has become too low, and unused nonces before it are
   * filled.
   */
  readonly stuckMs: number;
};

export type PassDeps = {
  readonly db: Db;
  readonly chains: Pick<Chains, 'openOperatorNode'>;
  /** The accounts whose keys this process has; what others have signed is sent all the same. */
  readonly accounts: readonly OperatorAccount[];
  readonly listeners: readonly OperatorListener[];
  readonly patience: Patience;
};

/** One look at the transactions of one network, or of one account on it. */
export type NetworkPass = PassDeps & { readonly network: Network; readonly node: OperatorNode; readonly now: Date };
export type Pass = NetworkPass & { readonly account: AccountRef };

/** Starts a look at a network. `now` is business time. */
export const startPass = (deps: PassDeps, network: Network, now: Date): NetworkPass => ({
  ...deps,
  network,
  node: deps.chains.openOperatorNode(network),
  now,
});

/** Locks transactions in one order, changes them, and calls the listeners; returns how many changed. */
export async function transition(
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

/** The transactions of which some signature is in a block. */
export async function findMined(
  { node }: Pick<NetworkPass, 'node'>,
  open: readonly Pick<Open, 'id' | 'hashes'>[],
): Promise<Found[]> {
  const asked = open.flatMap(({ id, hashes }) => hashes.map((hash, i) => ({ id, hash, attempt: i + 1 })));
  const receipts = await node.findReceipts(asked.map(({ hash }) => hash));
  return asked.flatMap(({ id, attempt }, i) => {
    const receipt = receipts[i];
    return receipt ? [{ id, attempt, block: receipt.block, succeeded: receipt.succeeded, fee: receipt.fee }] : [];
  });
}
