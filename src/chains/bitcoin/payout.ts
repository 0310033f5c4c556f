import { HOUR_MS } from '../../lib/clock.ts';
import type { BlockPlace, BlockRef, PayoutClaim, PayoutResult, Transfer } from '../../ports/chain.ts';
import { endpointsOf } from '../endpoints.ts';
import { askForPayout } from '../payout-opinions.ts';
import { explainShort, judgePayout, refuseForGood, refuseForNow, type Sighting } from '../payout-rules.ts';
import { canonicalOf, scriptOf } from './addresses.ts';
import type { BitcoinNetwork } from './network.ts';
import { type Node, openNode } from './node.ts';
import type { Transaction } from './transactions.ts';

const TX_HASH = /^[0-9a-f]{64}$/;
/** A day of blocks: where the node has no index, an older payout is not found. */
const BLOCKS_MAX = 144;
/** The time of a block may be so much too early. */
const BLOCK_TIME_OFF_MS = 2 * HOUR_MS;

/**
 * Checks payouts on a network of Bitcoin: by the node's index of transactions where it has one, else in the blocks
 * since the payout was approved, a day of them at most. What counts is always the block itself, proven by its header.
 * Who sent it is not asked: a transaction does not say.
 */
export function createBitcoinPayoutCheck(
  network: BitcoinNetwork,
): (claim: PayoutClaim, confirmations: PayoutDepth) => Promise<PayoutResult> {
  const nodes = endpointsOf(network).all.map((endpoint) => openNode(network, endpoint));
  return async (written, confirmations) => {
    const claim = { ...written, txHash: written.txHash.toLowerCase(), senders: [] };
    if (!TX_HASH.test(claim.txHash))
      return refuseForGood('payout_not_found', `${claim.txHash} is no transaction of ${network.name}: 64 digits.`);
    const script = scriptOf(claim.destination);
    if (claim.token !== network.native.symbol || script === undefined) {
      const message = `${network.name} carries ${network.native.symbol} to addresses of Bitcoin and nothing else.`;
      return refuseForGood('payout_wrong_token', message);
    }
    const destination = canonicalOf(network.chain, script);
    const askers = nodes.map((node) => ({
      ...{
        name: node.endpoint.name,
        ask: () => checkAt(network, node, { ...claim, destination }, Number(confirmations)),
      },
    }));
    return askForPayout(network, claim, askers);
  };
}

type PayoutDepth = number | 'finalized';

async function checkAt(
  network: BitcoinNetwork,
  node: Node,
  claim: PayoutClaim,
  confirmations: number,
): Promise<PayoutResult> {
  const head = await node.getHead();
  const since = new Date(claim.notBefore.getTime() - BLOCK_TIME_OFF_MS);
  const found = await findPayout(node, claim.txHash, { head, since });
  if (found === 'in pool')
    return refuseForNow(
      'payout_not_mined',
      `Transaction ${claim.txHash} is in no block of ${network.name} yet. Try again when it is.`,
    );
  if (found === undefined)
    return refuseForNow(
      'payout_not_found',
      `${network.name} has no transaction ${claim.txHash}, as far as its node knows, whose newest block is ${head.height} of ` +
        `${head.time.toISOString()}. If it was sent a moment ago, try again; else compare the hash and the network.`,
    );
  const depth = head.height - found.block.height + 1;
  const shallow = `its block ${found.block.height} of ${network.name} has ${depth} of ${confirmations} confirmations`;
  const sighting: Sighting = {
    ...{ block: found.block, succeeded: true, transfers: toTransfers(network, found) },
    shallow: depth >= confirmations ? null : shallow,
  };
  return explainShort(claim, network.native, await judgePayout(claim, network.native, sighting));
}

/** A transaction in a block that stands. */
export type Mined = { readonly block: BlockRef; readonly transaction: Transaction };

/** Where a transaction is, as a node shows it. */
async function findPayout(
  node: Node,
  txHash: string,
  { head, since }: { readonly head: BlockRef; readonly since: Date },
): Promise<Mined | 'in pool' | undefined> {
  const indexed = await node.findPlaceOf(txHash);
  if (indexed) return readFrom(node, indexed, txHash);
  if (await node.findTransaction(txHash)) return 'in pool';
  for (let height = head.height; height > head.height - BLOCKS_MAX && height >= 0; height -= 1) {
    const block = await node.findBlock(height);
    if (block === undefined || block.time < since) return undefined;
    const found = await readFrom(node, block, txHash);
    if (found) return found;
  }
  return undefined;
}

/** A transaction in the block at a place, if the block stands there and has it. */
export async function readFrom(node: Node, place: BlockPlace, txHash: string): Promise<Mined | undefined> {
  const block = await node.findBlock(place.height);
  if (block?.hash !== place.hash) return undefined;
  const { transactions } = await node.readBlock(block);
  const transaction = transactions.find((each) => each.txHash === txHash);
  return transaction && { block, transaction };
}

/** Every output of a transaction, whatever form its script has. */
export const toTransfers = ({ name, chain, native }: BitcoinNetwork, { block, transaction }: Mined): Transfer[] =>
  transaction.outputs.map(({ units, script }, index) => ({
    ...{ network: name, block, txHash: transaction.txHash, index, token: native, from: '', units },
    to: canonicalOf(chain, script.toString('hex')),
  }));
