import { zeroAddress } from 'viem';
import type { BlockRef, CoinArrival, CoinGrowth } from '../../ports/chain.ts';
import type { ChainView } from '../../ports/chain-kind.ts';
import type { Endpoint } from '../endpoints.ts';
import type { RpcRequest } from '../json-rpc.ts';
import { UnknownBlockError } from '../unknown-block.ts';
import { readBalances } from './balances.ts';
import { type BlockGrowth, explainGrowth } from './coin-explanation.ts';
import { createQuestions, type Questions } from './coin-questions.ts';
import type { EvmNetwork } from './network.ts';

type Grown = CoinGrowth & { readonly balance: bigint };
type Block = Omit<BlockRef, 'parentHash'>;
/** How much had come to each address by a block, beyond what is stored; in the order of the addresses. */
type Growths = readonly bigint[];
type Reached = { readonly block: Block; readonly growths: Growths };

/** The states of so many blocks are kept by every node. */
const STATES_KEPT = 120;
/** One reading asks no more than this above its floor: whoever sends dust in every block makes it no longer. */
const QUESTIONS_MAX = 128;
/** So many of them may ask for states, and the rest is left to find the transactions. */
const STATES_MAX = 64;

/** The coin as one endpoint of a network shows it. */
export function createCoinReader(
  network: EvmNetwork,
  endpoint: Endpoint,
  request: RpcRequest,
  findBlocks: ChainView['findBlocks'],
): Required<Pick<ChainView, 'readCoins' | 'locateCoins'>> {
  const readCoins = (addresses: readonly string[], block: Pick<BlockRef, 'hash'>) =>
    readBalances(request, network, zeroAddress, addresses, block);

  const reach = async (grown: readonly Grown[], height: number): Promise<Reached> => {
    const [block] = await findBlocks([height]);
    if (block === undefined) throw new UnknownBlockError(network.name);
    const balances = await readCoins(
      grown.map(({ address }) => address),
      block,
    );
    return { block, growths: grown.map((each, i) => growthOf(each, balances[i] ?? 0n, height)) };
  };

  /** The lowest block from `since` on whose state can be asked for; undefined where none below `at` can. */
  const findFloor = async (grown: readonly Grown[], since: number, at: Block): Promise<Reached | undefined> => {
    for (const height of new Set([since, Math.max(since, at.height - STATES_KEPT)])) {
      try {
        if (height < at.height) return await reach(grown, height);
      } catch (error) {
        if (!(error instanceof UnknownBlockError)) throw error;
      }
    }
    return undefined;
  };

  return {
    readCoins,
    locateCoins: async (grown, since, at) => {
      const growths = grown.map((each) => growthOf(each, each.balance, at.height));
      const top = { block: at, growths };
      const floor = since + 1 < at.height ? await findFloor(grown, since, at) : undefined;
      const isBelow = floor?.growths.every((units, i) => units >= 0n && units <= (growths[i] ?? 0n));
      const questions = createQuestions(QUESTIONS_MAX);
      const steps = floor && isBelow ? [floor, ...(await climb(grown, floor, top, thrifty(reach, questions)))] : [top];
      const arrivals: CoinArrival[][] = [];
      // The newest is explained first, because what is open lies there; what the budget leaves out has no transaction.
      for (const [i, step] of [...steps.entries()].toReversed()) {
        const here = growthsBetween(grown, steps[i - 1]?.growths ?? [], step.growths);
        if (here.length > 0) arrivals.push(await explainGrowth({ endpoint, request, questions }, step.block, here));
      }
      return arrivals.toReversed().flat();
    },
  };
}

const growthOf = ({ credited, sweeps }: Grown, balance: bigint, height: number): bigint =>
  sweeps.reduce((sum, sweep) => (sweep.height <= height ? sum + sweep.units : sum), balance) - credited;

type Reach = (grown: readonly Grown[], height: number) => Promise<Reached>;
/** Undefined where a state is not to be had. */
type ThriftyReach = (...asked: Parameters<Reach>) => Promise<Reached | undefined>;

/** No more states than a reading may take, and none that the node has dropped meanwhile. */
function thrifty(reach: Reach, questions: Questions): ThriftyReach {
  const states = createQuestions(STATES_MAX);
  return async (grown, height) => {
    if (!states.take(1) || !questions.take(1)) return undefined;
    try {
      return await reach(grown, height);
    } catch (error) {
      if (error instanceof UnknownBlockError) return undefined;
      throw error;
    }
  };
}

/**
 * The blocks above `low` up to `high` in which anything came, `high` among them, in their order: by halves, and without
 * asking about halves in which nothing came. The newer half is first, because what is open lies there; where no state
 * is to be had any more, all that came is one growth at the end of its part.
 */
async function climb(grown: readonly Grown[], low: Reached, high: Reached, reach: ThriftyReach): Promise<Reached[]> {
  if (low.growths.every((units, i) => units === high.growths[i])) return [];
  if (high.block.height - low.block.height <= 1) return [high];
  const middle = await reach(grown, Math.floor((low.block.height + high.block.height) / 2));
  if (middle === undefined) return [high];
  // Nothing leaves an address but by sweeps: who shows that it shrank is not believed about where it grew.
  if (middle.growths.some((units, i) => units < (low.growths[i] ?? 0n) || units > (high.growths[i] ?? 0n))) {
    return [high];
  }
  const newer = await climb(grown, middle, high, reach);
  return [...(await climb(grown, low, middle, reach)), ...newer];
}

const growthsBetween = (grown: readonly Grown[], before: Growths, after: Growths): BlockGrowth[] =>
  grown.flatMap(({ address }, i) => {
    const units = (after[i] ?? 0n) - (before[i] ?? 0n);
    return units > 0n ? [{ address, units }] : [];
  });
