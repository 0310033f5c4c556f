import { MINUTE_MS } from '../../lib/clock.ts';
import { inTime } from '../../lib/in-time.ts';
import type { BlockPlace, BlockRef, Testimony, Witness, Witnessed } from '../../ports/chain.ts';
import { payoutTestimonyOf } from '../testimony.ts';
import { examineBlock, type Statement } from './block-examination.ts';
import { type Endpoint, endpointsOf } from './endpoints.ts';
import type { RpcRequest } from './json-rpc.ts';
import type { EvmNetwork } from './network.ts';
import { createPayoutExaminer } from './payout-witness.ts';
import { type RawBlock, toBlock } from './rpc.ts';
import { addressIn, type RawLog, TRANSFER_TOPIC, WORD_LENGTH } from './transfers.ts';

const WITHIN_MS = 8_000;
/** Ethereum finalises every six and a half minutes, and a rollup when Ethereum does: honest nodes are less apart. */
const FINALITY_APART_MS = 30 * MINUTE_MS;

/** Asks the endpoints of an EVM network about transfers, each by itself. */
export function createEvmWitness(network: EvmNetwork): Witness {
  const examinePayout = createPayoutExaminer(network);
  const opened = endpointsOf(network).all.map((endpoint) => ({
    endpoint,
    request: endpoint.open({ timeoutMs: WITHIN_MS }),
  }));
  return {
    ask: async (block, transfers) => {
      const statements = await Promise.all(
        opened.map(async ({ endpoint, request }) => ({
          endpoint: endpoint.name,
          statement: await hear(endpoint, () => examine(network, request, block, transfers)),
        })),
      );
      return {
        agree: statements.flatMap(({ endpoint, statement }) => (statement === 'agrees' ? [endpoint] : [])),
        deny: statements.flatMap(({ endpoint, statement }) =>
          typeof statement === 'object' ? [{ endpoint, ...statement }] : [],
        ),
        silent: statements.flatMap(({ endpoint, statement }) => (statement === undefined ? [endpoint] : [])),
      } satisfies Testimony;
    },
    askPayout: async (payout, finalHeight) =>
      payoutTestimonyOf(
        await Promise.all(
          opened.map(async ({ endpoint, request }) => ({
            endpoint: endpoint.name,
            said: await hear(endpoint, () => examinePayout(request, payout, finalHeight)),
          })),
        ),
      ),
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

async function hear<T>(endpoint: Endpoint, examination: () => Promise<T>): Promise<T | undefined> {
  // It was found to serve another chain, or to contradict itself: it is no witness meanwhile.
  if (endpoint.restsMs() > 0 && endpoint.trouble() !== null) return undefined;
  try {
    return await inTime(examination(), WITHIN_MS);
  } catch {
    return undefined; // It did not answer, does not know the block, or the block vanished meanwhile.
  }
}

function examine(
  network: EvmNetwork,
  request: RpcRequest,
  block: BlockPlace,
  transfers: readonly Witnessed[],
): Promise<Statement> {
  return examineBlock(network, request, block, {
    recipients: transfers.map(({ to }) => to),
    contracts: transfers.map(({ contract }) => contract),
    what: 'lists no such transfer',
    isThere: (logs) => hasAll(logs, transfers),
  });
}

/** Whether each transfer is among the logs, as often as it is asked for. */
function hasAll(logs: readonly RawLog[], transfers: readonly Witnessed[]): boolean {
  const left = logs.map(({ address, topics, transactionHash, data }) =>
    topics[0] === TRANSFER_TOPIC && topics[2] !== undefined && data.length === WORD_LENGTH
      ? keyOf({
          contract: address.toLowerCase(),
          txHash: transactionHash,
          to: addressIn(topics[2]),
          units: BigInt(data),
        })
      : null,
  );
  return transfers.every((transfer) => {
    const at = left.indexOf(keyOf(transfer));
    if (at >= 0) left[at] = null;
    return at >= 0;
  });
}

const keyOf = ({ contract, txHash, to, units }: Witnessed): string => `${contract} ${txHash} ${to} ${units}`;
