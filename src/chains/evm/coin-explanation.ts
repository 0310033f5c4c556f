import type { BlockRef, CoinArrival } from '../../ports/chain.ts';
import type { Endpoint } from '../endpoints.ts';
import { NodeRefusal, type RpcRequest } from '../json-rpc.ts';
import { UnknownBlockError } from '../unknown-block.ts';
import type { Questions } from './coin-questions.ts';

/** So much of the coin came to an address in a block. */
export type BlockGrowth = { readonly address: string; readonly units: bigint };

type Block = Omit<BlockRef, 'parentHash'>;
type Part = Pick<CoinArrival, 'units' | 'txHash' | 'place' | 'from'>;

type RawTransaction = {
  readonly hash: string;
  readonly from: string;
  readonly to: string | null;
  readonly value: string;
};

/** A call as `trace_block` returns it. */
type RawTrace = {
  readonly type: string;
  readonly action: {
    readonly callType?: string;
    readonly from?: string;
    readonly to?: string;
    readonly value?: string;
    /** Of a contract that ends itself. */
    readonly address?: string;
    readonly refundAddress?: string;
    readonly balance?: string;
  };
  readonly error?: string | null;
  readonly blockHash?: string;
  readonly transactionHash?: string | null;
  readonly traceAddress: readonly number[];
};

/** A transfer of the coin by its transaction. */
type Move = Part & { readonly to: string };

/** Whom to ask, and how much. */
type Asked = { readonly endpoint: Endpoint; readonly request: RpcRequest; readonly questions: Questions };

/** Endpoints that refuse to trace, and since when. */
const refusals = new WeakMap<Endpoint, number>();
const REFUSED_FOR_MS = 3_600_000;
/** Of more transactions to one address in one block nobody asks which of them failed. */
const RECEIPTS_MAX = 50;

/**
 * What made addresses grow in a block, transaction by transaction where those explain it exactly: the ones that pay an
 * address directly, or else what `trace_block` lists, where the endpoint has that. The rest has no transaction.
 */
export async function explainGrowth(asked: Asked, block: Block, grown: readonly BlockGrowth[]): Promise<CoinArrival[]> {
  const direct = byRecipient(await listDirect(asked, block, new Set(grown.map(({ address }) => address))));
  const found = new Map(grown.map((growth) => [growth.address, partsOf(growth, direct)]));
  if ([...found.values()].some((parts) => parts === undefined)) {
    const traced = byRecipient(await listTraced(asked, block));
    for (const growth of grown) {
      if (found.get(growth.address) === undefined) found.set(growth.address, partsOf(growth, traced));
    }
  }
  return grown.flatMap((growth) =>
    (found.get(growth.address) ?? unexplained(growth, direct)).map((part) => ({
      ...{ block, address: growth.address },
      ...part,
    })),
  );
}

/** A stranger may pay thousands of addresses in one block. */
type Moves = ReadonlyMap<string, readonly Move[]>;

const byRecipient = (moves: readonly Move[]): Moves => Map.groupBy(moves, ({ to }) => to);

/** The moves to an address, if they are all that came to it. */
function partsOf({ address, units }: BlockGrowth, moves: Moves): Part[] | undefined {
  const own = moves.get(address) ?? [];
  return sum(own) === units ? own.map(({ to: _, ...part }) => part) : undefined;
}

/** What is known to have been paid directly, and the rest in one. */
function unexplained({ address, units }: BlockGrowth, direct: Moves): Part[] {
  const own = direct.get(address) ?? [];
  const known = sum(own) < units ? own : [];
  return [...known.map(({ to: _, ...part }) => part), { units: units - sum(known), txHash: null, place: 0, from: '' }];
}

const sum = (parts: readonly Pick<Part, 'units'>[]): bigint => parts.reduce((total, { units }) => total + units, 0n);

/** The transactions of a block that pay these addresses themselves and went through. */
async function listDirect(
  { request, questions }: Asked,
  block: Block,
  addresses: ReadonlySet<string>,
): Promise<Move[]> {
  if (!questions.take(1)) return [];
  const whole = await unlessRefused(
    request<{ readonly transactions: readonly RawTransaction[] } | null>('eth_getBlockByHash', [block.hash, true]),
  );
  if (whole === null) throw new UnknownBlockError(block.network);
  const paying = (whole?.transactions ?? []).filter(
    ({ to, value }) => to !== null && addresses.has(to.toLowerCase()) && BigInt(value) > 0n,
  );
  const tried = paying.length > RECEIPTS_MAX || !questions.take(paying.length) ? [] : paying;
  const receipts = await Promise.all(
    tried.map(({ hash }) =>
      unlessRefused(request<{ readonly status?: string } | null>('eth_getTransactionReceipt', [hash])),
    ),
  );
  return tried.flatMap(({ hash, from, to, value }, i) =>
    receipts[i]?.status === '0x1'
      ? [{ to: (to as string).toLowerCase(), from: from.toLowerCase(), units: BigInt(value), txHash: hash, place: 0 }]
      : [],
  );
}

/** Every move of the coin in a block; none where the endpoint does not trace. */
async function listTraced({ endpoint, request, questions }: Asked, block: Block): Promise<Move[]> {
  const refusedAt = refusals.get(endpoint);
  if (refusedAt !== undefined && performance.now() - refusedAt < REFUSED_FOR_MS) return [];
  if (!questions.take(1)) return [];
  const traces = await unlessRefused(
    request<readonly RawTrace[] | null>('trace_block', [`0x${block.height.toString(16)}`]),
  );
  if (traces === undefined) refusals.set(endpoint, performance.now());
  return traces?.every(({ blockHash }) => blockHash === block.hash) ? movesOf(traces) : [];
}

/** The moves of the coin among traces, each with its place among those of its transaction. Pure. */
function movesOf(traces: readonly RawTrace[]): Move[] {
  const moves: Move[] = [];
  const places = new Map<string, number>();
  /** Of calls that failed: all below them was undone. */
  let failed: { readonly hash: string; readonly path: readonly number[] } | undefined;
  for (const { type, action, error, transactionHash: hash, traceAddress: path } of traces) {
    if (!hash) continue; // A reward, or a withdrawal from staking.
    if (failed?.hash === hash && failed.path.every((step, i) => path[i] === step)) continue;
    if (error) {
      failed = { hash, path };
      continue;
    }
    const move = moveOf(type, action);
    if (move === undefined) continue;
    const place = places.get(hash) ?? 0;
    places.set(hash, place + 1);
    moves.push({ ...move, txHash: hash, place });
  }
  return moves;
}

function moveOf(type: string, action: RawTrace['action']): Pick<Move, 'from' | 'to' | 'units'> | undefined {
  const { callType, from, to, value, address, refundAddress, balance } = action;
  const isEnd = type === 'suicide' || type === 'selfdestruct';
  const units = BigInt((isEnd ? balance : value) ?? '0x0');
  const recipient = isEnd ? refundAddress : to;
  // A delegated call carries the value of the call around it, and moves nothing.
  if (units === 0n || recipient === undefined || (type === 'call' && callType !== 'call')) return undefined;
  if (type !== 'call' && !isEnd) return undefined;
  return { from: ((isEnd ? address : from) ?? '').toLowerCase(), to: recipient.toLowerCase(), units };
}

/** Undefined where the endpoint refuses the question. */
async function unlessRefused<T>(answer: Promise<T>): Promise<T | undefined> {
  try {
    return await answer;
  } catch (error) {
    if (error instanceof NodeRefusal) return undefined;
    throw error;
  }
}
