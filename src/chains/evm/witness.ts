import { MINUTE_MS } from '../../lib/clock.ts';
import { isSentUnseen } from '../../ports/assets.ts';
import type { BlockPlace, BlockRef, Witness, Witnessed } from '../../ports/chain.ts';
import { type Endpoint, endpointsOf } from '../endpoints.ts';
import { hearAll, WITNESS_WITHIN_MS } from '../hearing.ts';
import type { RpcRequest } from '../json-rpc.ts';
import { payoutTestimonyOf, type Statement, showsEach, testimonyOf } from '../testimony.ts';
import { examineBlock } from './block-examination.ts';
import { examineCoins } from './coin-examination.ts';
import type { EvmNetwork } from './network.ts';
import { createPayoutExaminer } from './payout-witness.ts';
import { type RawBlock, toBlock } from './rpc.ts';
import { addressIn, type RawLog, TRANSFER_TOPIC, WORD_LENGTH } from './transfers.ts';

/** Ethereum finalises every six and a half minutes, and a rollup when Ethereum does: honest nodes are less apart. */
const FINALITY_APART_MS = 30 * MINUTE_MS;

/** Asks the endpoints of an EVM network about transfers, each by itself. */
export function createEvmWitness(network: EvmNetwork): Witness {
  const examinePayout = createPayoutExaminer(network);
  const opened = endpointsOf(network).all.map((endpoint) => ({
    endpoint,
    request: endpoint.open({ timeoutMs: WITNESS_WITHIN_MS }),
  }));
  return {
    ask: async (block, transfers) =>
      testimonyOf(await hearAll(opened, ({ request }) => examine(network, request, block, transfers))),
    askPayout: async (payout, finalHeight) =>
      payoutTestimonyOf(await hearAll(opened, ({ request }) => examinePayout(request, payout, finalHeight))),
    findFinalHeight: async () => {
      const shown = await Promise.all(
        opened.map(async ({ endpoint, request }) => ({ endpoint, block: await findFinal(network, request) })),
      );
      const known = shown.flatMap(({ endpoint, block }) => (block === undefined ? [] : [{ endpoint, block }]));
      blameForOldFinality(network, known);
      // The lowest: an endpoint that runs ahead of the others finalises nothing by itself.
      return known.length > 0 ? Math.min(...known.map(({ block }) => block.height)) : undefined;
    },
  };
}

/** An endpoint whose finality stands still holds up every final look, because the lowest final block counts. */
function blameForOldFinality(
  network: EvmNetwork,
  known: readonly { readonly endpoint: Endpoint; readonly block: BlockRef }[],
): void {
  const [newest, ...others] = known.toSorted((a, b) => b.block.time.getTime() - a.block.time.getTime());
  if (newest === undefined) return;
  for (const { endpoint, block } of others) {
    const olderMs = newest.block.time.getTime() - block.time.getTime();
    if (olderMs <= FINALITY_APART_MS) continue;
    endpoint.blame(
      'contradicts',
      `${endpoint.name} calls block ${block.height} final on ${network.name}, which is ${Math.round(olderMs / MINUTE_MS)} minutes older than block ${newest.block.height}, which ${newest.endpoint.name} calls final`,
    );
  }
}

async function findFinal(network: EvmNetwork, request: RpcRequest): Promise<BlockRef | undefined> {
  try {
    return toBlock(network, await request<RawBlock | null>('eth_getBlockByNumber', ['finalized', false]));
  } catch {
    return undefined; // What went wrong is noted with the endpoint; another one may know.
  }
}

async function examine(
  network: EvmNetwork,
  request: RpcRequest,
  block: BlockPlace,
  transfers: readonly Witnessed[],
): Promise<Statement> {
  const [coins, tokens] = [transfers.filter(isSentUnseen), transfers.filter((each) => !isSentUnseen(each))];
  const said = await Promise.all([
    coins.length > 0 ? examineCoins(network, request, block, coins) : 'agrees',
    tokens.length > 0 ? examineTokens(network, request, block, tokens) : 'agrees',
  ]);
  // A denial weighs most, and silence about a part is silence about the whole.
  return said.find((each) => typeof each === 'object') ?? (said.includes(undefined) ? undefined : 'agrees');
}

const examineTokens = (
  network: EvmNetwork,
  request: RpcRequest,
  block: BlockPlace,
  transfers: readonly Witnessed[],
): Promise<Statement> =>
  examineBlock(network, request, block, {
    recipients: transfers.map(({ to }) => to),
    contracts: transfers.map(({ contract }) => contract),
    what: 'lists no such transfer',
    isThere: (logs) => hasAll(logs, transfers),
  });

/** Whether each transfer is among the logs, as often as it is asked for, or was believed before. */
const hasAll = (logs: readonly RawLog[], transfers: readonly Witnessed[]): boolean =>
  showsEach(
    logs.flatMap(({ address, topics, transactionHash, data }) =>
      topics[0] === TRANSFER_TOPIC && topics[2] !== undefined && data.length === WORD_LENGTH
        ? keyOf({
            contract: address.toLowerCase(),
            txHash: transactionHash,
            to: addressIn(topics[2]),
            units: BigInt(data),
          })
        : [],
    ),
    timesOf(transfers),
  );

/** Each as often as it has to be there: one that is believed proves no other like it that is asked about later. */
function timesOf(transfers: readonly Witnessed[]): string[] {
  const times = new Map<string, number>();
  for (const each of transfers) times.set(keyOf(each), (times.get(keyOf(each)) ?? 0) + 1);
  for (const each of transfers) times.set(keyOf(each), Math.max(each.alike ?? 1, times.get(keyOf(each)) ?? 1));
  return [...times].flatMap(([key, count]) => Array.from({ length: count }, () => key));
}

const keyOf = ({ contract, txHash, to, units }: Witnessed): string => `${contract} ${txHash} ${to} ${units}`;
