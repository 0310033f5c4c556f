import { isSentUnseen } from '../../ports/assets.ts';
import type { Asset, BlockPlace, PaidOut, PayoutResult } from '../../ports/chain.ts';
import type { RpcRequest } from '../json-rpc.ts';
import { judgePayout } from '../payout-rules.ts';
import { type Denial, denialOf, unsure } from '../testimony.ts';
import { examineBlock } from './block-examination.ts';
import type { EvmNetwork } from './network.ts';
import { checkReceipt, type RawReceipt, sight, withCoin } from './payout.ts';
import type { RawBlock } from './rpc.ts';
import { addressIn, decodeTransfers, type RawLog, TRANSFER_TOPIC, withToken } from './transfers.ts';

/** The block that an endpoint shows a payout in, what it shows instead, or nothing. */
type Said = BlockPlace | Denial | undefined;

/**
 * Asks one endpoint about a payout that was verified before. The claim is judged as then, but for what it was judged by
 * at that time: who may send, and how old it may be. See decision payouts/looked-at-again-when-final.
 */
export function createPayoutExaminer(network: EvmNetwork) {
  return async (request: RpcRequest, payout: PaidOut, finalHeight: number): Promise<Said> => {
    const [chainId, receipt] = await Promise.all([
      request<string>('eth_chainId', []),
      request<RawReceipt | null>('eth_getTransactionReceipt', [payout.txHash]),
    ]);
    if (Number(chainId) !== network.chainId) return undefined;
    if (receipt !== null)
      return inAny(payout, (token) => judgeReceipt(network, request, { payout, token, receipt }, finalHeight));
    // In its pool, or in a block whose receipts it has not indexed: it may still be mined.
    const known = await request<object | null>('eth_getTransactionByHash', [payout.txHash]);
    if (known !== null) return { ...unsure('knows the transaction, and has it in no block'), has: 'pool' };
    const { block } = payout;
    if (block === null) return unsure('does not know the transaction');
    return inAny(payout, (token) => lookInBlock(network, request, { payout, token, block }));
  };
}

/**
 * What is said of a payout in each asset that it may have been paid in, together. It is gone only where it was paid in
 * none of them; where nothing is known that it can have been paid in, nothing can be said.
 */
async function inAny({ assets }: PaidOut, ask: (token: Asset) => Promise<Said>): Promise<Said> {
  const denials: Denial[] = [];
  let isSilent = assets.length === 0;
  for (const token of assets) {
    const said = await ask(token);
    if (said === undefined) isSilent = true;
    else if ('hash' in said) return said;
    else denials.push(said);
  }
  if (isSilent) return undefined;
  return denialOf(denials);
}

type Found = { readonly payout: PaidOut; readonly token: Asset; readonly receipt: RawReceipt };

async function judgeReceipt(
  network: EvmNetwork,
  request: RpcRequest,
  { payout, token, receipt }: Found,
  finalHeight: number,
): Promise<Said> {
  checkReceipt(network, payout.txHash, receipt);
  const seen = await sight(request, withToken(network, token), receipt, {
    to: finalHeight,
    confirmations: 'finalized',
  });
  if (seen === undefined) return unsure('has its receipt from a block that is not part of its chain');
  const sighting = isSentUnseen(token) ? await withCoin(request, token, seen, payout.txHash) : seen;
  const { height, hash } = sighting.block;
  const claim = { ...payout, network: network.name, notBefore: new Date(0), senders: [] };
  const verdict = await judgePayout(claim, token, sighting);
  if (verdict.outcome === 'unwatched') return undefined;
  if (verdict.outcome === 'verified') return { height, hash };
  if (sighting.shallow !== null) {
    // Mined again: it is asked about once that block is final. Until then no denial of others makes it vanish, and what
    // it moved there, or that it failed, says nothing: a reorg may mine it once more, as it was.
    const what = `has it in block ${height}, which is not final yet`;
    return { ...unsure(what), has: 'block', early: verdict.reason === 'payout_not_confirmed' };
  }
  // The coin that a transaction carries stays behind where it failed; nothing else of it can change.
  if (isSentUnseen(token))
    return { ...unsure(`says: ${verdict.message}`), certain: verdict.reason === 'payout_reverted' };
  // A receipt may lack logs, too: what counts is the block.
  const logs: RawLog[] = [];
  const onFound = (found: readonly RawLog[]) => logs.splice(0, logs.length, ...found);
  const there = await lookInBlock(network, request, { payout, token, block: { height, hash }, onFound });
  if (there === undefined) return undefined;
  const what = `says: ${verdict.message}`;
  if (!('hash' in there)) return { ...there, what, otherBlock: hash !== payout.block?.hash };
  const transfers = decodeTransfers(withToken(network, token), sighting.block, logs);
  return {
    ...unsure(what),
    has: 'block',
    short: isTooSmall(verdict, await judgePayout(claim, token, { ...seen, transfers })),
  };
}

/** Whether the receipt and what the block lists say so. */
const isTooSmall = (...verdicts: readonly PayoutResult[]): boolean =>
  verdicts.every((each) => each.outcome === 'refused' && each.reason === 'payout_too_small');

type Sought = Omit<Found, 'receipt'> & {
  readonly block: BlockPlace;
  /** Hears which logs of the transaction are transfers to the destination. */
  readonly onFound?: (logs: readonly RawLog[]) => void;
};

/** An endpoint that has neither receipt nor transaction may merely lack them: what counts is the block. */
async function lookInBlock(
  network: EvmNetwork,
  request: RpcRequest,
  { payout, token, block, onFound }: Sought,
): Promise<Said> {
  if (isSentUnseen(token)) return lookInList(request, payout, block);
  const to = payout.destination.toLowerCase();
  const statement = await examineBlock(network, request, block, {
    contracts: [token.contract],
    recipients: [to],
    what: 'does not know the transaction and lists no such transfer',
    isThere: (logs) => {
      const found = logs.filter(
        ({ address, topics, transactionHash }) =>
          transactionHash === payout.txHash &&
          address.toLowerCase() === token.contract &&
          topics[0] === TRANSFER_TOPIC &&
          topics[2] !== undefined &&
          addressIn(topics[2]) === to,
      );
      onFound?.(found);
      return found.length > 0;
    },
  });
  return statement === 'agrees' ? block : statement;
}

/** The coin that a transaction carries leaves no log: what counts is that the block lists the transaction. */
async function lookInList(request: RpcRequest, { txHash }: PaidOut, block: BlockPlace): Promise<Said> {
  const at = `0x${block.height.toString(16)}`;
  const header = await request<(RawBlock & { transactions?: readonly string[] }) | null>('eth_getBlockByNumber', [
    ...[at, false],
  ]);
  if (header === null) return undefined;
  if (header.hash !== block.hash) {
    return { what: `has ${header.hash} as block ${block.height}`, certain: true, otherBlock: true };
  }
  return header.transactions?.includes(txHash) ? block : unsure('does not list the transaction in its block');
}
