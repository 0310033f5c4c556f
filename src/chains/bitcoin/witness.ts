import type { BlockPlace, PaidOut, Witness, Witnessed } from '../../ports/chain.ts';
import { endpointsOf } from '../endpoints.ts';
import { hearAll, WITNESS_WITHIN_MS } from '../hearing.ts';
import { judgePayout } from '../payout-rules.ts';
import { type Denial, payoutTestimonyOf, showsEach, testimonyOf, unsure } from '../testimony.ts';
import { canonicalOf, scriptOf } from './addresses.ts';
import type { BitcoinNetwork } from './network.ts';
import { type Node, openNode } from './node.ts';
import { PARAMS } from './params.ts';
import { readFrom, toTransfers } from './payout.ts';

/** Asks the endpoints of a network of Bitcoin about transfers, each by itself. A block that is read is proven. */
export function createBitcoinWitness(network: BitcoinNetwork): Witness {
  const nodes = endpointsOf(network).all.map((endpoint) =>
    openNode(network, endpoint, { timeoutMs: WITNESS_WITHIN_MS }),
  );
  /** A node of another chain says nothing. */
  const askAll = <T>(question: (node: Node) => Promise<T | undefined>) =>
    hearAll(nodes, async (node) =>
      (await node.getGenesis()) === PARAMS[network.chain].genesis ? question(node) : undefined,
    );
  return {
    ask: async (block, transfers) => testimonyOf(await askAll((node) => examine(network, node, block, transfers))),
    askPayout: async (payout, finalHeight) =>
      payoutTestimonyOf(await askAll((node) => examinePayout(network, node, payout, finalHeight))),
    findFinalHeight: async () => undefined,
  };
}

/** Looks for transfers in the very block at its height. The block is proven, so what it lacks is not there. */
async function examine(
  network: BitcoinNetwork,
  node: Node,
  { height, hash }: BlockPlace,
  wanted: readonly Witnessed[],
): Promise<'agrees' | Denial | undefined> {
  const standing = await node.findHash(height);
  if (standing === undefined) return undefined;
  if (standing !== hash) return { what: `has ${standing} as block ${height}`, certain: true, otherBlock: true };
  const { transactions } = await node.readBlock({ height, hash });
  const hashes = new Set(wanted.map(({ txHash }) => txHash));
  const shown = transactions
    .filter(({ txHash }) => hashes.has(txHash))
    .flatMap(({ txHash, outputs }) =>
      outputs.map(({ units, script }) =>
        keyOf({ txHash, units, to: canonicalOf(network.chain, script.toString('hex')) }),
      ),
    );
  if (showsEach(shown, wanted.map(keyOf))) return 'agrees';
  return { what: `has no such transfer in block ${height} (${hash})`, certain: true, otherBlock: false };
}

const keyOf = ({ txHash, to, units }: Omit<Witnessed, 'contract'>): string => `${txHash} ${to} ${units}`;

/** Looks for a payout that was verified before: where it was, and where the node's index says that it is now. */
async function examinePayout(
  network: BitcoinNetwork,
  node: Node,
  payout: PaidOut,
  finalHeight: number,
): Promise<BlockPlace | Denial | undefined> {
  const { txHash, block } = payout;
  const script = scriptOf(payout.destination);
  if (script === undefined) return undefined;
  const indexed = await node.findPlaceOf(txHash);
  for (const place of [block, indexed ?? null]) {
    const mined = place && (await readFrom(node, place, txHash));
    if (!mined) continue;
    const { height, hash } = mined.block;
    if (height > finalHeight)
      return { ...unsure(`has it in block ${height}, which is not final yet`), has: 'block', early: true };
    const destination = canonicalOf(network.chain, script);
    const claim = { ...payout, destination, network: network.name, notBefore: new Date(0), senders: [] };
    const sighting = { block: mined.block, succeeded: true, transfers: toTransfers(network, mined), shallow: null };
    const verdict = await judgePayout(claim, network.native, sighting);
    if (verdict.outcome === 'verified') return { height, hash };
    if (verdict.outcome === 'refused') return { ...unsure(`says: ${verdict.message}`), certain: true };
  }
  if (await node.findTransaction(txHash)) return { ...unsure('has it in its pool, and in no block'), has: 'pool' };
  if (block === null) return unsure('does not know the transaction');
  const standing = await node.findHash(block.height);
  if (standing === undefined) return undefined;
  const what = `does not have the transaction in block ${block.height} (${standing})`;
  // It may lie in a later block that the node has no index of.
  return { what, certain: standing === block.hash, otherBlock: standing !== block.hash };
}
