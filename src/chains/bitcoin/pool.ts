import type { BlockRef, Pooled, PoolSight, PoolTransaction, Transfer } from '../../ports/chain.ts';
import { canonicalOf } from './addresses.ts';
import type { BitcoinNetwork } from './network.ts';
import type { Node } from './node.ts';
import type { Transaction } from './transactions.ts';

/** What the node's pool shows from look to look. */
export type PoolReader = {
  /** See `ChainQuestions.readPool`. */
  readonly read: (stored: readonly Pooled[]) => Promise<PoolSight>;
  /** Notes which of a block's transactions spend what stored transactions spend. */
  readonly noteMined: (transactions: readonly Transaction[]) => void;
};

/** A first look at a full pool is spread over several. */
const NEW_MAX = 2_000;
/** OP_0 and a push of 20 bytes. */
const P2WPKH = [0, 20] as const;
const P2WPKH_LENGTH = 22;

/** The pool of one endpoint. It remembers what it has shown, as long as it waits. */
export function createPoolReader(network: BitcoinNetwork, node: Node): PoolReader {
  let shown = new Set<string>();
  /** What the stored transactions spend, and which others were seen to spend it. */
  let spenders = new Map<string, string | null>();
  const note = ({ txHash, spends }: Transaction, watched: ReadonlyMap<string, unknown>): void => {
    if (watched.size === 0) return;
    for (const outpoint of spends()) if (watched.has(outpoint)) spenders.set(outpoint, txHash);
  };
  /** Of each transaction that is gone, one that spends what it spent. */
  const findReplacements = async (gone: readonly Pooled[]) => {
    const outpoints = gone.flatMap(({ spends }) => spends);
    const waiting = await node.findSpenders(outpoints);
    const found = new Map(outpoints.map((outpoint, i) => [outpoint, waiting?.[i] ?? spenders.get(outpoint) ?? null]));
    return gone.map(({ txHash, spends }) => {
      const by = spends.map((outpoint) => found.get(outpoint)).find((each) => each && each !== txHash);
      return { txHash, by: by ?? null };
    });
  };
  return {
    read: async (stored) => {
      spenders = new Map(
        stored.flatMap(({ spends }) => spends).map((outpoint) => [outpoint, spenders.get(outpoint) ?? null]),
      );
      const listed = await node.listPool();
      const fresh = listed.filter((txHash) => !shown.has(txHash));
      const found = await Promise.all(fresh.slice(0, NEW_MAX).map((txHash) => node.findTransaction(txHash)));
      const read = found.filter((each) => each !== undefined);
      for (const each of read) note(each, spenders);
      const waits = new Set(listed);
      const gone = await findReplacements(stored.filter(({ txHash }) => !waits.has(txHash)));
      // Only now: a look that failed is repeated with all that it had found.
      const readNow = new Set(read.map(({ txHash }) => txHash));
      shown = new Set(listed.filter((txHash) => shown.has(txHash) || readNow.has(txHash)));
      const arrived = read
        .map((each) => toPoolTransaction(network, each))
        .filter(({ transfers }) => transfers.length > 0);
      return { arrived, gone, ...(fresh.length > NEW_MAX && { isPartial: true }) };
    },
    noteMined: (transactions) => {
      for (const each of transactions) note(each, spenders);
    },
  };
}

function toPoolTransaction(network: BitcoinNetwork, transaction: Transaction): PoolTransaction {
  const { txHash, spends } = transaction;
  return { txHash, spends: spends(), transfers: transfersOf(network, transaction, undefined) };
}

/**
 * The outputs that may be a deposit address: those that pay the hash of a key (P2WPKH). `block` is that of all, if they
 * are mined. A block has six thousand.
 */
export function transfersOf<B extends BlockRef | undefined>(
  { name, chain, native }: BitcoinNetwork,
  { txHash, outputs }: Transaction,
  block: B,
) {
  const transfers: (Omit<Transfer, 'block'> & { readonly block: B })[] = [];
  for (const [index, { units, script }] of outputs.entries()) {
    if (script.length !== P2WPKH_LENGTH || script[0] !== P2WPKH[0] || script[1] !== P2WPKH[1]) continue;
    const to = canonicalOf(chain, script.toString('hex'));
    transfers.push({ network: name, block, txHash, index, token: native, from: '', to, units });
  }
  return transfers;
}
