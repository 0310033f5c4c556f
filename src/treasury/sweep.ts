import { findCursor } from '../chains/cursors.ts';
import { enqueue, type FeeQuote, prepareFees } from '../chains/operator/operator.ts';
import { askState } from '../chains/unknown-block.ts';
import { inTransaction } from '../db/transaction.ts';
import { after, HOUR_MS } from '../lib/clock.ts';
import type { Db } from '../lib/db-types.ts';
import { newId } from '../lib/ids.ts';
import { divideUp, MICRO_DECIMALS, rescaleUp } from '../lib/money.ts';
import { piecesOf } from '../lib/pieces-of.ts';
import { type Deposit, listMayGetCoin, listUnsweptDeposits } from '../payments/swept.ts';
import { isToken } from '../ports/assets.ts';
import type { Asset, Network } from '../ports/chain.ts';
import type { Chains } from '../ports/chain-kind.ts';
import type { OperatorAccount } from '../ports/operator.ts';
import type { SweepCall, SweepLimits, TreasuryReader } from '../ports/treasury.ts';
import { insertSweep, isLeftOut } from './sweep-queries.ts';

export type SweepDeps = {
  readonly db: Db;
  readonly chains: Pick<Chains, 'kindOf' | 'openOperatorNode'>;
  /** The dollars in one coin, at scale 8; null without a rate that may be used. */
  readonly coinWorth: (coin: string) => Promise<bigint | null>;
};

/** One transaction: deposits of one asset and factory. */
export type Batch = {
  readonly factory: string;
  readonly deposits: readonly Deposit[];
  readonly call: SweepCall;
  /** What it would cost now, in the smallest unit of the chain's coin. */
  readonly fee: bigint;
  /** Why it has to wait, as the rest of a sentence; null: it may go. */
  readonly waits: string | null;
};

/** What of an asset can be swept on a network now, and what has to wait. */
export type SweepPlan = {
  readonly network: Network;
  readonly asset: Asset;
  readonly height: number;
  /** The least that is swept, in units; null: nobody knows what the coin is worth, so all of it waits. */
  readonly minimum: bigint | null;
  readonly batches: readonly Batch[];
  /** Deposit addresses that hold less than the minimum. */
  readonly small: { readonly addresses: number; readonly units: bigint };
};

type StoreDeps = Omit<SweepDeps, 'coinWorth'> & { readonly sweeper: OperatorAccount };

const RATE_SCALE = 10n ** 8n;
const MICRO = 10n ** BigInt(MICRO_DECIMALS);
/** What is this fresh may still be taken back, and more may come to the same address. */
const WAIT_MS = HOUR_MS;
/** Addresses of one plan; what is left over comes an hour later. */
const DEPOSITS_MAX = 1000;
/** So many pages of addresses are asked about while those on top turn out to be empty. */
const PAGES_MAX = 20;

export type SweepChoice = {
  /** The account that would pay. */
  readonly from: string;
  readonly now: Date;
  /** How long money has to lie there. */
  readonly settledFor?: number;
  /** Addresses of one plan, and of one question to the node. */
  readonly pageSize?: number;
};

/**
 * Plans the sweeping of an asset: which deposits hold enough, in which transactions, and what those would cost. Asks
 * the node only about addresses to which something was credited that was not swept yet. Sends nothing.
 * Undefined where nothing can be swept. Throws UnknownBlockError when the chain was reorganised meanwhile.
 */
export async function planSweep(
  { db, chains, coinWorth }: SweepDeps,
  network: Network,
  asset: Asset,
  { from, now, settledFor = WAIT_MS, pageSize = DEPOSITS_MAX }: SweepChoice,
): Promise<SweepPlan | undefined> {
  const kind = chains.kindOf(network);
  const reader = kind.openTreasury?.(network);
  const at = await findCursor(db, network.name);
  if (reader === undefined || at === undefined) return undefined;
  const { limits, treasuries } = reader;
  const { contract } = asset;
  const minimum = await minimumOf(asset, limits, coinWorth);
  const plan = { network, asset, height: at.height, minimum };
  if (minimum === null) return { ...plan, batches: [], small: { addresses: 0, units: 0n } };
  const place = { network: network.name, contract };
  const except = isLeftOut(network.name, contract, treasuries, now);
  const wanted = { minimum, before: after(now, -settledFor) };
  const { sweepable, small } = await listUnsweptDeposits(db, place, wanted, except);
  const deposits = await findFilled(sweepable, { minimum, limit: pageSize }, (addresses) =>
    askState(kind.openReader(network), at, () => reader.readBalances(contract, addresses, at)),
  );
  const batches = deposits.length === 0 ? [] : await priceBatches(chains, reader, { network, asset, from, deposits });
  return { ...plan, batches, small };
}

/** The least worth of a deposit in units, rounded up; null for a coin without a rate. */
async function minimumOf(
  asset: Asset,
  { minimumMicro }: SweepLimits,
  coinWorth: SweepDeps['coinWorth'],
): Promise<bigint | null> {
  if (isToken(asset)) return rescaleUp(minimumMicro, MICRO_DECIMALS, asset.decimals);
  const rateE8 = await coinWorth(asset.symbol);
  return rateE8 && divideUp(minimumMicro * 10n ** BigInt(asset.decimals) * RATE_SCALE, rateE8 * MICRO);
}

/**
 * The deposits that hold at least the minimum on the chain: what lies there counts, not what was credited, since anyone
 * may have swept it. Goes on below those that are empty, so that they do not hide what is worth less.
 */
async function findFilled(
  credited: readonly Deposit[],
  { minimum, limit }: { readonly minimum: bigint; readonly limit: number },
  readBalances: (addresses: readonly string[]) => Promise<readonly bigint[]>,
): Promise<Deposit[]> {
  const filled: Deposit[] = [];
  for (const page of piecesOf(credited.slice(0, PAGES_MAX * limit), limit)) {
    const balances = await readBalances(page.map(({ address }) => address));
    const lying = page.map((deposit, i) => ({ ...deposit, units: balances[i] ?? 0n }));
    filled.push(...lying.filter(({ units }) => units >= minimum));
    if (filled.length >= limit) break;
  }
  return filled.slice(0, limit);
}

type Priced = {
  readonly network: Network;
  readonly asset: Asset;
  readonly from: string;
  readonly deposits: readonly Deposit[];
};

async function priceBatches(
  chains: SweepDeps['chains'],
  reader: TreasuryReader,
  { network, asset, from, deposits }: Priced,
): Promise<Batch[]> {
  const { limits } = reader;
  const { baseFee, tip } = await chains.openOperatorNode(network).readMarket();
  const price = baseFee + tip;
  const batches: Batch[] = [];
  for (const [factory, own] of Map.groupBy(deposits, (deposit) => deposit.factory.toLowerCase())) {
    for (const page of piecesOf(own, limits.batchMax)) {
      const paymentIds = page.map(({ paymentId }) => paymentId);
      const call = await reader.prepareSweep(from, { factory, contract: asset.contract, paymentIds });
      const fee = price * call.work;
      batches.push({
        factory,
        deposits: page,
        call,
        fee,
        waits: reasonToWait(limits, asset, { page, call, fee, price }),
      });
    }
  }
  return batches;
}

/** Why a batch has to wait, as the rest of a sentence; null when it pays. Pure. */
export function reasonToWait(
  limits: SweepLimits,
  { symbol }: Pick<Asset, 'symbol'>,
  {
    page,
    call,
    fee,
    price,
  }: { readonly page: readonly unknown[]; readonly call: SweepCall; readonly fee: bigint; readonly price: bigint },
): string | null {
  const count = BigInt(page.length);
  const workEach = (call.work - limits.workOfBatch) / count;
  if (workEach > limits.workMax(symbol))
    return `moving one deposit of ${symbol} takes ${workEach} gas, more than the ${limits.workMax(symbol)} that are allowed (sweep.gasMax)`;
  if (price > limits.priceMax)
    return `a unit of gas costs ${price} wei, more than the ${limits.priceMax} that are allowed (sweep.gasPriceMaxGwei)`;
  if (fee > limits.feeMax * count)
    return `each deposit would cost ${fee / count} wei, more than the ${limits.feeMax} that are allowed (sweep.feeMax)`;
  return null;
}

/** The ids of the transactions that were stored, and why none was although some could be, as the rest of a sentence. */
export type Stored = { readonly ids: readonly string[]; readonly waits: string | null };

/**
 * Signs and stores the batches of a plan that need not wait, all in one transaction; the outbox sends them after the
 * commit. Throws when another process has put one of the deposits into a sweep meanwhile.
 */
export async function storeSweeps(
  { db, chains, sweeper }: StoreDeps,
  { network, asset, height, batches }: SweepPlan,
  now: Date,
): Promise<Stored> {
  const ready = batches.filter(({ waits }) => waits === null);
  if (ready.length === 0) return { ids: [], waits: null };
  const quote = await prepareFees({ db, chains, operator: sweeper }, network);
  if (quote.kind !== 'quoted') return { ids: [], waits: tooDear(quote) };
  return inTransaction(db, async (trx) => {
    const sweeps = ready.map((batch) => ({ ...batch, id: newId('operatorTransaction', now) }));
    for (const { id, factory, deposits, call } of sweeps) {
      const sweep = { id, network: network.name, contract: asset.contract, factory, height, work: call.work, deposits };
      await insertSweep(trx, sweep, now);
    }
    for (const { id, call } of sweeps) {
      const order = { ...call, network, purpose: 'treasury.sweep', subject: id, id, fees: quote.fees };
      await enqueue(trx, { operator: sweeper }, order, now);
    }
    return { ids: sweeps.map(({ id }) => id), waits: null };
  });
}

const tooDear = ({ priceWei, limitWei }: Extract<FeeQuote, { kind: 'too_expensive' }>): string =>
  `a unit of gas costs ${priceWei} wei, more than the ${limitWei} that are allowed (gasPriceMaxGwei)`;

/**
 * Signs and stores transactions that sweep the chain's own coin from addresses where it isn't credited: somebody sent
 * it by mistake, or so late that nobody looked for it any more. `deposits` are payments with the factories of their
 * addresses; an empty address costs next to nothing. `left` are those that stay, because they may still be paid in it.
 */
export async function storeCoinSweeps(
  { db, chains, sweeper }: StoreDeps,
  network: Network,
  deposits: readonly { readonly id: string; readonly factory: string }[],
  now: Date,
): Promise<Stored & { readonly left: readonly string[] }> {
  const reader = chains.kindOf(network).openTreasury?.(network);
  const ids = deposits.map(({ id }) => id);
  const left = await listMayGetCoin(db, ids, now);
  const free = deposits.filter(({ id }) => !left.includes(id));
  if (reader === undefined) return { ids: [], waits: 'no address of this network can be swept from here', left: [] };
  if (free.length === 0) return { ids: [], waits: null, left };
  const quote = await prepareFees({ db, chains, operator: sweeper }, network);
  if (quote.kind !== 'quoted') return { ids: [], waits: tooDear(quote), left };
  const calls: SweepCall[] = [];
  for (const [factory, own] of Map.groupBy(free, (deposit) => deposit.factory)) {
    for (const some of piecesOf(own, reader.limits.batchMax)) {
      const paymentIds = some.map(({ id }) => id);
      calls.push(await reader.prepareSweep(sweeper.address, { factory, contract: reader.coin, paymentIds }));
    }
  }
  return inTransaction(db, async (trx) => {
    const ids: string[] = [];
    for (const call of calls) {
      const order = { ...call, network, purpose: 'treasury.sweep-coin', fees: quote.fees };
      ids.push((await enqueue(trx, { operator: sweeper }, order, now)).id);
    }
    return { ids, waits: null, left };
  });
}
