import { isSentUnseen } from '../../ports/assets.ts';
import type { Asset, BlockRef, Confirmations, PayoutClaim, PayoutResult } from '../../ports/chain.ts';
import { COIN_PLACE } from '../../ports/placed.ts';
import { endpointsOf } from '../endpoints.ts';
import type { RpcRequest } from '../json-rpc.ts';
import { askForPayout } from '../payout-opinions.ts';
import {
  explainShort,
  findToken,
  judgePayout,
  refuseForGood,
  refuseForNow,
  type Sighting,
  type Verdict,
} from '../payout-rules.ts';
import { type EvmNetwork, treasuriesOf } from './network.ts';
import { type RawBlock, toBlock } from './rpc.ts';
import { decodeTransfers, findListed, type RawLog, withFormerPlaces, withToken } from './transfers.ts';

/** A receipt as eth_getTransactionReceipt returns it. */
export type RawReceipt = {
  readonly transactionHash: string;
  readonly blockHash: string;
  readonly blockNumber: string;
  readonly status: string;
  readonly logs: readonly RawLog[];
};

/** What counts of a transaction as eth_getTransactionByHash returns it. */
type RawPayment = { readonly from: string; readonly to: string | null; readonly value: string };

/** A node's view at one moment. */
type Glimpse = { readonly receipt: RawReceipt | null; readonly head: BlockRef; readonly depth: Depth };
/** The height up to which blocks are deep enough, and the confirmations that says. */
type Depth = { readonly to: number; readonly confirmations: Confirmations };

const TX_HASH = /^0x[0-9a-f]{64}$/;
/** Two round trips: together well within what an administrator waits. */
const TIMEOUT_MS = 5_000;

/**
 * Checks payouts on an EVM network. The receipt is found by the transaction's hash, and counts only when its block is
 * the one at its height, which is read last: a receipt from a block that a reorg dropped proves nothing. Throws an
 * Error, whose message names no secret, when the node does not answer, contradicts itself, or serves another chain.
 */
export function createEvmPayoutCheck(
  network: EvmNetwork,
): (claim: PayoutClaim, confirmations: Confirmations) => Promise<PayoutResult> {
  const endpoints = endpointsOf(network);
  const requests = endpoints.all.map((endpoint) => ({
    ...{ name: endpoint.name, request: endpoint.open({ batchMax: 1, timeoutMs: TIMEOUT_MS }) },
  }));
  return async (written, confirmations) => {
    const claim = { ...written, txHash: written.txHash.toLowerCase() };
    const token =
      claim.begunIn ?? (claim.token === network.native?.symbol ? network.native : findToken(network, claim));
    if (!token) {
      const cure = 'list its contract in KASI_NETWORKS, or turn the setting verifyPayoutOnChain off';
      return refuseForGood(
        'payout_wrong_token',
        `${network.name} lists no ${claim.token}, so nothing can be found: ${cure}.`,
      );
    }
    if (!TX_HASH.test(claim.txHash)) {
      return refuseForGood(
        'payout_not_found',
        `${claim.txHash} is no transaction of ${network.name}: 0x and 64 digits.`,
      );
    }
    return askForPayout(
      network,
      claim,
      requests.map(({ name, request }) => ({
        ...{ name, ask: () => checkAt(request, network, claim, token, confirmations) },
      })),
    );
  };
}

async function checkAt(
  request: RpcRequest,
  network: EvmNetwork,
  claim: PayoutClaim,
  token: Asset,
  confirmations: Confirmations,
): Promise<PayoutResult> {
  const { receipt, head, depth } = await glimpse(request, network, claim.txHash, confirmations);
  if (receipt === null) return explainAbsence(request, network, claim.txHash, head);
  checkReceipt(network, claim.txHash, receipt);
  const sighting = await sight(request, withToken(network, token), receipt, depth);
  if (!sighting) return droppedByReorg(network, claim.txHash);
  if (isSentUnseen(token)) {
    const said = await judgePayout(claim, token, await withCoin(request, token, sighting, claim.txHash));
    return hasArrived(said) ? explainShort(claim, token, said) : explainUnseen(claim, said);
  }
  const verdict = await judgePayout(claim, token, sighting);
  if (verdict.outcome === 'verified') {
    const everListed = (claim.everListed ?? []).reduce(withToken, withToken(network, token));
    const all = decodeTransfers(everListed, verdict.block, receipt.logs);
    return { ...verdict, transfers: withFormerPlaces(verdict.transfers, token.contract, all) };
  }
  const said = explainShort(claim, token, verdict);
  if (!mayBeInFormer(verdict)) return said;
  const inFormer: PayoutResult[] = [];
  for (const former of formerOf(network, claim, token)) {
    const seen = await sight(request, withToken(network, former), receipt, depth);
    const found = seen && (await judgePayout(claim, former, { ...seen, shallow: null }));
    if (found?.outcome === 'verified') return paidInFormer(network, claim, token, former);
    if (found && hasArrived(found)) inFormer.push(partOfFormer(network, claim, token, former, found));
  }
  return hasArrived(verdict) ? said : (inFormer[0] ?? said);
}

/** Whether all that was due may have gone there in another contract: what a stranger adds in this one says nothing. */
const mayBeInFormer = (verdict: Verdict): boolean =>
  isOfOthers(verdict) ||
  verdict.short !== undefined ||
  (verdict.outcome === 'refused' && verdict.reason === 'payout_unclear');

/** Whether nothing of the token went there. */
const isOfOthers = (verdict: Verdict): boolean =>
  verdict.outcome === 'refused' &&
  (verdict.reason === 'payout_wrong_destination' || verdict.reason === 'payout_wrong_token');

/** Whether the destination got anything of it. */
const hasArrived = (verdict: Verdict): boolean => !isOfOthers(verdict) && verdict.short?.got !== 0n;

/** What is or was listed under the symbol of a token. Base units that are asked for are those of its own decimals. */
const formerOf = ({ tokens }: EvmNetwork, { everListed = [], minUnits }: PayoutClaim, token: Asset): Asset[] =>
  [...tokens, ...everListed].filter(
    ({ symbol, contract, decimals }) =>
      symbol === token.symbol && contract !== token.contract && (minUnits === undefined || decimals === token.decimals),
  );

/** An administrator who reads that nothing was paid gives the money back, and it was paid before the list changed. */
function paidInFormer(network: EvmNetwork, claim: PayoutClaim, token: Asset, paid: Asset): PayoutResult {
  const { txHash, destination, pays = 'withdrawal' } = claim;
  const isNow = findListed(network, paid.contract) !== undefined;
  const sent = isNow || claim.begunIn ? 'If it was sent for this one' : 'If it was sent while that was listed';
  const message = `Transaction ${txHash} paid ${destination} in ${describeFormer(network, claim, token, paid)} ${sent}, do \
not fail the ${pays}, or it is paid twice: have the setting verifyPayoutOnChain turned off, complete it, and turn that on again.`;
  return refuseForGood('payout_wrong_token', message);
}

/** The same of what is less than was due, or came from another wallet. */
function partOfFormer(
  network: EvmNetwork,
  claim: PayoutClaim,
  token: Asset,
  paid: Asset,
  found: Verdict,
): PayoutResult {
  const said = explainShort(claim, paid, found);
  if (said.outcome !== 'refused') return said;
  const message = `${said.message} It arrived in ${describeFormer(network, claim, token, paid)}`;
  return refuseForGood('payout_wrong_token', message);
}

/** A contract that is not the one in which a payout is looked for, and why it may have been paid in it. */
function describeFormer(network: EvmNetwork, claim: PayoutClaim, token: Asset, { symbol, contract }: Asset): string {
  const isNow = findListed(network, contract) !== undefined;
  const when = isNow ? `lists as ${symbol} now` : `listed as ${symbol} before, and no longer does`;
  const begun = claim.begunIn ? ` The ${claim.pays ?? 'withdrawal'} was begun in ${token.contract}.` : '';
  return `${contract}, which ${network.name} ${when}.${begun}`;
}

async function glimpse(
  request: RpcRequest,
  network: EvmNetwork,
  txHash: string,
  confirmations: Confirmations,
): Promise<Glimpse> {
  const blockAt = async (tag: string) =>
    toBlock(network, await request<RawBlock | null>('eth_getBlockByNumber', [tag, false]));
  const [chainId, receipt, head, final] = await Promise.all([
    request<string>('eth_chainId', []),
    request<RawReceipt | null>('eth_getTransactionReceipt', [txHash]),
    blockAt('latest'),
    confirmations === 'finalized' ? blockAt('finalized') : undefined,
  ]);
  if (Number(chainId) !== network.chainId) {
    throw new Error(
      `The node of network ${network.name} serves chain ${Number(chainId)}, not ${network.chainId}: correct its RPC URL.`,
    );
  }
  if (head === undefined) throw new Error(`${network.name}: the node knows no newest block`);
  const to = confirmations === 'finalized' ? (final?.height ?? -1) : head.height - confirmations + 1;
  return { receipt, head, depth: { to, confirmations } };
}

/** Throws when the node answered with something else than the receipt of this transaction. */
export function checkReceipt({ name }: EvmNetwork, txHash: string, { transactionHash, logs }: RawReceipt): void {
  const isOurs = transactionHash === txHash && Array.isArray(logs);
  if (isOurs && logs.every((log) => log.transactionHash === txHash)) return;
  throw new Error(`${name}: the node answered with the receipt of another transaction, or with none`);
}

/** Undefined when the receipt's block is no longer the one at its height. */
export async function sight(
  request: RpcRequest,
  network: EvmNetwork,
  receipt: RawReceipt,
  depth: Depth,
): Promise<Sighting | undefined> {
  const block = toBlock(network, await request<RawBlock | null>('eth_getBlockByNumber', [receipt.blockNumber, false]));
  if (block?.hash !== receipt.blockHash) return undefined;
  return {
    block,
    succeeded: receipt.status === '0x1',
    transfers: decodeTransfers(network, block, receipt.logs),
    sweptTo: treasuriesOf(network),
    shallow: block.height <= depth.to ? null : howShallow(block, depth),
  };
}

/** What a transaction itself moved of the chain's coin. What contracts send is in no receipt, and counts nothing. */
export async function withCoin(
  request: RpcRequest,
  token: Asset,
  sighting: Sighting,
  txHash: string,
): Promise<Sighting> {
  const found = await request<RawPayment | null>('eth_getTransactionByHash', [txHash]);
  if (found?.to == null) return { ...sighting, transfers: [] };
  const { block } = sighting;
  const moved = { from: found.from.toLowerCase(), to: found.to.toLowerCase(), units: BigInt(found.value) };
  return { ...sighting, transfers: [{ network: block.network, block, txHash, index: COIN_PLACE, token, ...moved }] };
}

/** An administrator who reads that nothing was paid gives the money back, and a contract may have paid it. */
function explainUnseen(claim: PayoutClaim, { short: _, ...result }: Verdict): PayoutResult {
  if (result.outcome !== 'refused') return result;
  const { txHash, token, destination, pays = 'withdrawal' } = claim;
  const message = `Transaction ${txHash} itself sent no ${token} to ${destination}, and what a contract, such as a Safe, sends \
of it is in no receipt. If one has paid it, do not fail the ${pays}, or it is paid twice: have the setting verifyPayoutOnChain \
turned off, complete it, and turn that on again. Pay the next ones each by a transaction of its own.`;
  return { ...result, message };
}

function howShallow({ network, height }: BlockRef, { to, confirmations }: Depth): string {
  if (confirmations === 'finalized') return `its block ${height} of ${network} is not final yet`;
  const has = Math.max(0, to + confirmations - height);
  return `its block ${height} of ${network} has ${has} of ${confirmations} confirmations`;
}

/** A transaction without a receipt may wait in the node's pool, or the node may not have heard of it yet. */
async function explainAbsence(
  request: RpcRequest,
  { name }: EvmNetwork,
  txHash: string,
  head: BlockRef,
): Promise<PayoutResult> {
  const found = await request<object | null>('eth_getTransactionByHash', [txHash]);
  if (found !== null) {
    return refuseForNow(
      'payout_not_mined',
      `Transaction ${txHash} is in no block of ${name} yet. Try again when it is.`,
    );
  }
  return refuseForNow(
    'payout_not_found',
    `${name} has no transaction ${txHash}, as far as its node knows, whose newest block is ${head.height} of ` +
      `${head.time.toISOString()}. If it was sent a moment ago, try again; else compare the hash and the network.`,
  );
}

const droppedByReorg = ({ name }: EvmNetwork, txHash: string): PayoutResult =>
  refuseForNow(
    'payout_not_mined',
    `The block of transaction ${txHash} is not part of ${name} any more. Try again: the transaction may be in another block, or will be.`,
  );
