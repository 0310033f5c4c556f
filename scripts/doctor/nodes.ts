import { estimateCalls } from '../../src/chains/calls.ts';
import { createChains } from '../../src/chains/chains.ts';
import { IDLE_DEPTH } from '../../src/chains/glance.ts';
import { judge } from '../../src/chains/network-checks.ts';
import type { Config } from '../../src/config.ts';
import { listKnown } from '../../src/deployment/networks.ts';
import { KINDS } from '../../src/kinds.ts';
import { DAY_MS, MINUTE_MS, SECOND_MS } from '../../src/lib/clock.ts';
import type { Db } from '../../src/lib/db-types.ts';
import { messageOf } from '../../src/lib/errors.ts';
import { inTime } from '../../src/lib/in-time.ts';
import { assetsOf } from '../../src/ports/assets.ts';
import type { BlockRef, Network } from '../../src/ports/chain.ts';
import type { ChainView } from '../../src/ports/chain-kind.ts';
import { type Line, ok, type Patient, problem } from './line.ts';

const WITHIN_MS = 10_000;
/** An endpoint may be this many blocks behind another one that was asked at the same moment. */
const BEHIND_MAX = 8;
const MONTH_MINUTES = (30 * DAY_MS) / MINUTE_MS;
/** Blocks over which the time between two is measured. */
const MEASURED = 1_000;

const STAND = 'our contracts stand';

type View = Pick<ChainView, 'identify' | 'getHead' | 'findFinalized' | 'findBlocks' | 'findOldest' | 'readCoins'> & {
  readonly name: string;
};
type Asked = { readonly view: View; readonly head: BlockRef };

/** Asks every endpoint of every network by itself. */
export const examineNodes = ({ config, db }: Patient): Promise<Line[]> =>
  ofNetworks(config, (network) => examineNetwork(network, config, db));

async function ofNetworks({ networks }: Config, examine: (network: Network) => Promise<readonly Line[]>) {
  const lines = networks.map((network) =>
    examine(network).catch((error: unknown) => [problem(`${network.name}: ${messageOf(error)}`)]),
  );
  return (await Promise.all(lines)).flat();
}

/** All endpoints of a network; one alone is called "its node". */
function viewsOf(network: Network): readonly View[] {
  const reader = createChains(KINDS, [network]).kindOf(network).openReader(network);
  return reader.several?.all ?? [{ ...reader, name: 'its node' }];
}

async function examineNetwork(network: Network, { operatorKey }: Config, db: Db): Promise<Line[]> {
  const kind = createChains(KINDS, [network]).kindOf(network);
  const { chain } = kind.describe(network);
  const genesisHash = (await listKnown(db)).find((each) => each.chain === chain)?.genesisHash ?? null;
  const views = viewsOf(network);
  const asked = await Promise.all(views.map((view) => examineView(network, view, genesisHash)));
  const well = asked.flatMap((each) => ('head' in each ? [each] : []));
  const problems = asked.flatMap((each) => ('head' in each ? [] : [each]));
  if (well.length === 0) return problems;
  const failure = await judge((each) => kind.checkNetwork(each, operatorKey), network);
  if (failure) return [...problems, problem(failure.message)];
  const height = Math.max(...well.map(({ head }) => head.height));
  const assets = assetsOf(network).map(({ symbol, decimals }) => `${symbol} (${decimals} decimals)`);
  const { contracts } = kind.describe(network);
  const ours = contracts.some(({ role }) => role === 'account') ? 'the account of its addresses can be read' : STAND;
  const summary = ok(`${network.name}: block ${height}, ${[ours, ...assets].join(', ')}`);
  const kept = await Promise.all(well.map(({ view }) => examineKept(network, view)));
  return [...problems, summary, ...kept.flat(), ...(views.length > 1 ? await compareViews(network, well, height) : [])];
}

/** How far back a node that throws old blocks away can be asked: what is older can't be rescanned there. */
async function examineKept(network: Network, { name, findOldest }: View): Promise<Line[]> {
  const oldest = findOldest && (await inTime(findOldest(), WITHIN_MS));
  if (!oldest) return [];
  return [
    ok(`${network.name}: ${name} keeps blocks from ${oldest} on: what is older is neither read again nor rescanned`),
  ];
}

async function examineView(network: Network, view: View, genesisHash: string | null): Promise<Asked | Line> {
  const who = `${network.name}: ${view.name}`;
  try {
    const identity = await inTime(view.identify(), WITHIN_MS);
    if (identity.chainId !== network.chainId)
      return problem(`${who} serves chain ${identity.chainId}, not ${network.chainId}: correct the RPC URL`);
    if (genesisHash !== null && genesisHash !== identity.genesisHash)
      return problem(`${who} serves another chain with the same id (block 0 differs): correct the RPC URL`);
    const head = await inTime(view.getHead(), WITHIN_MS);
    const finalized = network.confirmations === 'finalized' ? await inTime(view.findFinalized(), WITHIN_MS) : head;
    if (finalized) return (await examineCoins(network, view, head)) ?? { view, head };
    return problem(`${who} calls no block final: set confirmations to a number, or name an endpoint that does`);
  } catch (error) {
    const message = messageOf(error);
    return problem(message.startsWith(`${network.name}:`) ? message : `${who}: ${message}`);
  }
}

/** Some providers refuse to say what addresses hold after a block, and answer everything else. */
async function examineCoins({ name, native }: Network, view: View, head: BlockRef): Promise<Line | undefined> {
  if (native === undefined || view.readCoins === undefined) return undefined;
  try {
    await inTime(view.readCoins([native.contract], head), WITHIN_MS);
    return undefined;
  } catch (error) {
    return problem(
      `${name}: ${view.name} does not say what addresses hold, so payments in ${native.symbol} are not seen there: ` +
        messageOf(error),
    );
  }
}

/** A line for each endpoint: whether it is as far as the others, and shows the same chain. */
async function compareViews(network: Network, asked: readonly Asked[], height: number): Promise<Line[]> {
  const deep = Math.max(0, height - IDLE_DEPTH);
  const shown = await Promise.all(
    asked.map(async ({ view, head }) => {
      const [block] = await inTime(view.findBlocks([deep]), WITHIN_MS).catch(() => []);
      return { name: view.name, behind: height - head.height, hash: block?.hash };
    }),
  );
  const [reference] = shown.filter(({ hash }) => hash !== undefined);
  return shown.map(({ name, behind, hash }) => {
    const who = `${network.name}: ${name}`;
    if (hash === undefined || behind > BEHIND_MAX)
      return problem(`${who} is ${behind} blocks behind another endpoint: it is no second opinion while it lags`);
    if (hash !== reference?.hash)
      return problem(
        `${who} has ${hash} as block ${deep}, and ${reference?.name} has ${reference?.hash}: replace the one that is wrong`,
      );
    return ok(`${who} answers, ${behind === 0 ? 'as far as any' : `${behind} blocks behind`}`);
  });
}

/** What the watcher costs at each endpoint, to be compared with a provider's plan. */
export const examineCalls = ({ config }: Patient): Promise<Line[]> =>
  ofNetworks(config, async (network) => {
    const views = viewsOf(network);
    const measured = await Promise.any(views.map(measureBlockMs)).catch(() => undefined);
    if (measured === undefined) return [problem(`${network.name}: no endpoint says how often the chain makes a block`)];
    const { first, others } = estimateCalls(network, measured);
    const every = `with a block every ${(measured / SECOND_MS).toFixed(1)} s`;
    return views.map(({ name }, at) => {
      const who = views.length > 1 ? `${network.name}: ${name}` : network.name;
      if (at > 0) return ok(`${who}: ${amount(others.idle)} while idle, and a few for each transfer to us`);
      return ok(`${who}: ${amount(first.idle)} while idle, ${amount(first.busy)} if something always waits, ${every}`);
    });
  });

async function measureBlockMs({ getHead, findBlocks }: View): Promise<number> {
  const head = await inTime(getHead(), WITHIN_MS);
  const [before] = await inTime(findBlocks([Math.max(0, head.height - MEASURED)]), WITHIN_MS);
  if (before === undefined || before.height === head.height) throw new Error('the chain has one block');
  // Blocks are dated in whole seconds.
  return Math.max(SECOND_MS, head.time.getTime() - before.time.getTime()) / (head.height - before.height);
}

const amount = (calls: number): string => {
  const rounded = Number(calls.toPrecision(2));
  return `about ${rounded.toLocaleString('en-US')} calls a month (${Number((calls / MONTH_MINUTES).toPrecision(2))} a minute)`;
};
