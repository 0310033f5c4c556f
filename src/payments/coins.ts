import { insertRows } from '../db/many-rows.ts';
import { openIncident, resolveIncidents } from '../incidents/incidents.ts';
import { after, MINUTE_MS } from '../lib/clock.ts';
import type { Trx } from '../lib/db-types.ts';
import { formatUnits } from '../lib/money.ts';
import type { CoinArrival, CoinGrowth, CoinMatcher, CoinReading, Network } from '../ports/chain.ts';
import {
  endRequests,
  findCoinCursor,
  LATE_FOR_MS,
  listOpenCoins,
  listOverCoins,
  listRequested,
  listStoredCoins,
  moveCoinCursor,
  readStoredCoins,
  requestCoins,
  restoreCredit,
  type StoredCoin,
} from './coin-queries.ts';
import { type CreditRow, toCreditRow } from './credits.ts';
import { findPaymentIds } from './deposits.ts';
import { readQuotes } from './quotes.ts';

/** Addresses of payments that are over are read so often. */
const LATE_EVERY_MS = 10 * MINUTE_MS;
/**
 * Where the places of coins begin, among the transfers of a transaction: those of tokens begin at 0. See
 * decision payments/coins-are-compared-whole.
 */
const COIN_PLACES = 1_000_000;
const INTERNAL = 'internal:';
/** When an address has so many credits, all that a reading finds there in a block becomes one. */
const CREDITS_MAX = 1_000;

/** Compares what came to deposit addresses in the chain's coin with what is credited there. */
export const coinMatcher: CoinMatcher = {
  ask: async (db, network, at, now) => {
    const cursor = await findCoinCursor(db, network.name);
    const late = isLateDue(network, cursor, at.hash, now);
    if (cursor?.hash === at.hash && !late) return null;
    const since = after(cursor?.lateTo ?? now, -LATE_FOR_MS);
    const [open, over] = await Promise.all([
      cursor?.hash === at.hash ? [] : listOpenCoins(db, network),
      late ? listOverCoins(db, network, since) : [],
    ]);
    const heights = [cursor?.height ?? 0, ...(late ? [cursor?.lateHeight ?? 0] : [])];
    return { addresses: [...new Set([...open, ...over])], late, since: Math.min(at.height, ...heights) };
  },
  findDiffering: async (db, network, balances, sweeps) => {
    if (balances.length === 0) return [];
    const stored = await readStoredCoins(
      db,
      network,
      balances.map(({ address }) => address),
    );
    const leaving = Map.groupBy(sweeps, ({ address }) => address);
    return balances.flatMap(({ address, units }) => {
      const { credited = 0n, sweeps: before = [] } = stored.get(address) ?? {};
      const now = (leaving.get(address) ?? []).map((each) => ({ height: each.block.height, units: each.units }));
      const growth = { address, credited, sweeps: [...before, ...now] };
      const more = surplus(growth, units);
      return more === 0n ? [] : [{ ...growth, surplus: more }];
    });
  },
  observe,
};

function isLateDue(
  { onDemand = false }: Network,
  cursor: Awaited<ReturnType<typeof findCoinCursor>>,
  hash: string,
  now: Date,
): boolean {
  if (cursor === undefined || cursor.lateAt === null) return true;
  // A chain that makes blocks on demand makes few.
  return cursor.lateHash !== hash && (onDemand || now >= after(cursor.lateAt, LATE_EVERY_MS));
}

/** How much more came to an address that holds `held` than is credited. */
const surplus = ({ credited, sweeps }: CoinGrowth, held: bigint): bigint =>
  sweeps.reduce((sum, { units }) => sum + units, held) - credited;

/**
 * Stores the arrivals of those addresses where they still make up for all that is not credited: what another process
 * stored meanwhile is counted already, and what they leave out is found by the next reading.
 */
async function observe(trx: Trx, network: Network, reading: CoinReading, now: Date): Promise<void> {
  const { balances, arrivals } = reading;
  if (balances.length === 0) return moveCoinCursor(trx, reading, now);
  const addresses = balances.map(({ address }) => address);
  const stored = await readStoredCoins(trx, network, addresses);
  const arrived = Map.groupBy(arrivals, ({ address }) => address);
  const [rows, short]: [CoinArrival[], Short[]] = [[], []];
  const open = new Set<string>();
  for (const { address, units } of balances) {
    const known = stored.get(address) ?? { address, credited: 0n, credits: 0, sweeps: [] };
    const growth = surplus(known, units);
    const own = growth > 0n ? (arrived.get(address) ?? []) : [];
    if (growth < 0n) short.push({ ...known, held: units });
    else if (own.reduce((sum, each) => sum + each.units, 0n) === growth)
      rows.push(...(known.credits >= CREDITS_MAX ? byBlock(own) : own));
    else open.add(address);
  }
  await storeArrivals(trx, network, rows, now);
  await followShort(trx, network, { addresses, short, open }, now);
  if (open.size === 0) await moveCoinCursor(trx, reading, now);
}

/** Arrivals at an address as one a block, which no transaction explains: anybody can send thousands. */
function byBlock(arrivals: readonly CoinArrival[]): CoinArrival[] {
  return [...Map.groupBy(arrivals, ({ block }) => block.hash).values()].map((own) => {
    const units = own.reduce((sum, each) => sum + each.units, 0n);
    return own.length === 1 ? own[0]! : { ...own[0]!, units, txHash: null, place: 0, from: '' };
  });
}

/** Stores arrivals as credits. One that a reorg took, and that is back in the same block, counts again. */
async function storeArrivals(trx: Trx, network: Network, arrivals: readonly CoinArrival[], now: Date): Promise<void> {
  const { native } = network;
  if (native === undefined || arrivals.length === 0) return;
  const payments = await findPaymentIds(trx, network, [...new Set(arrivals.map(({ address }) => address))]);
  const ids = [...payments.values()];
  const quotesOf = await readQuotes(trx, ids);
  const named = arrivals.map((arrival) => ({ ...arrival, txHash: arrival.txHash ?? internalHash(arrival) }));
  const hashes = named.map(({ txHash }) => txHash);
  const before = createBefore(await listStoredCoins(trx, network, hashes, ids));
  const rows: CreditRow[] = [];
  for (const arrival of named) {
    const paymentId = payments.get(arrival.address);
    if (paymentId === undefined) continue;
    const { block, txHash, from, address: to, units } = arrival;
    const gone = before.take(arrival);
    if (gone?.block_hash === block.hash) {
      await restoreCredit(trx, gone.id);
      continue;
    }
    const transfer = {
      network: network.name,
      block,
      txHash,
      index: before.place(arrival),
      token: native,
      from,
      to,
      units,
    };
    const row = toCreditRow(transfer, paymentId, now, quotesOf(paymentId, native.symbol));
    // What was valued once keeps its worth, whatever block it comes back in.
    rows.push(gone === undefined ? row : { ...row, value_e18: gone.value_e18, rate: gone.rate });
  }
  await insertRows(trx, 'credits', rows);
  if (rows.length > 0) trx.wake('kasi_credits');
}

/** Stands for the transaction that nobody knows; no chain has such a hash. */
const internalHash = ({ block, address }: CoinArrival): string => `${INTERNAL}${block.hash}:${address}`;

type Named = CoinArrival & { readonly txHash: string };

/** What is stored of the same transactions and payments. */
function createBefore(stored: readonly StoredCoin[]) {
  const taken = new Set(stored.map(({ tx_hash, transfer_index }) => `${tx_hash} ${transfer_index}`));
  const gone = stored.filter(({ canonical }) => !canonical);
  const isSame = ({ txHash, address, units }: Named, each: StoredCoin): boolean =>
    each.recipient === address &&
    each.amount_units === units &&
    (each.tx_hash === txHash || (each.tx_hash.startsWith(INTERNAL) && txHash.startsWith(INTERNAL)));
  return {
    /** The credit that a reorg took of the same transfer: the one of the same block if there is one. Each once. */
    take: (arrival: Named): StoredCoin | undefined => {
      const same = gone.filter((each) => isSame(arrival, each));
      const found = same.find((each) => each.block_hash === arrival.block.hash) ?? same[0];
      if (found) gone.splice(gone.indexOf(found), 1);
      return found;
    },
    /**
     * Its place. An endpoint that contradicts itself may name one transaction twice: then it is the next free one,
     * since the amounts are what was compared.
     */
    place: ({ txHash, place }: Named): number => {
      let index = COIN_PLACES + place;
      while (taken.has(`${txHash} ${index}`)) index += 1;
      taken.add(`${txHash} ${index}`);
      return index;
    },
  };
}

type Short = CoinGrowth & { readonly held: bigint };

/** What was read of addresses: where less is held than is credited, and where more came that is not explained yet. */
type Judged = {
  readonly addresses: readonly string[];
  readonly short: readonly Short[];
  readonly open: ReadonlySet<string>;
};

/**
 * Says which addresses hold less than is credited, and has them read until they do not. Changes no credit: the reading
 * may be the lie, and the endpoints are asked about each credit by others (decision payments/second-opinion).
 */
async function followShort(trx: Trx, network: Network, { addresses, short, open }: Judged, now: Date): Promise<void> {
  const { name, native } = network;
  if (native === undefined) return;
  const lacking = new Set(short.map(({ address }) => address));
  const requested = await listRequested(trx, name, addresses);
  const ended = requested.filter(({ address }) => !lacking.has(address) && !open.has(address));
  if (ended.length > 0) {
    await endRequests(
      trx,
      name,
      ended.map(({ address }) => address),
    );
    await resolveIncidents(
      trx,
      'payment.coin_short',
      ended.map(({ paymentId }) => paymentId),
      now,
    );
  }
  if (short.length === 0) return;
  const payments = await findPaymentIds(trx, network, [...lacking]);
  for (const each of short) {
    const paymentId = payments.get(each.address);
    if (paymentId === undefined) continue;
    const show = (units: bigint): string => `${formatUnits(units, native.decimals)} ${native.symbol}`;
    const received = each.credited + surplus(each, each.held);
    const message = `${show(each.credited)} are credited at ${each.address} on ${name}, and the chain shows that ${show(received)} ever came there. Nothing was changed.`;
    await requestCoins(trx, name, [{ address: each.address, paymentId }], now);
    await openIncident(trx, { kind: 'payment.coin_short', subject: paymentId, network: name, message }, now);
  }
}
