import { insertRows } from '../db/many-rows.ts';
import { after, MINUTE_MS, SECOND_MS } from '../lib/clock.ts';
import type { Trx } from '../lib/db-types.ts';
import { piecesOf } from '../lib/pieces-of.ts';
import type { BlockRef, Network, Pooled, PoolSight, Spends, Transfer } from '../ports/chain.ts';
import { toCreditRow } from './credits.ts';
import { type Paid, readQuotesFor } from './deposits.ts';
import { CONFIRMATION_DEADLINE_MS } from './payment.ts';
import {
  bringBack,
  followMissing,
  listGoneSince,
  listOftenReplaced,
  listPooled,
  listStored,
  listWaiting,
  moveToBlocks,
  type Place,
  POOL,
  type StoredTransfer,
  takeBackReplaced,
  type Waiting,
} from './pool-queries.ts';

/** What no node shows and nothing is known to have replaced may be back soon: nodes restart, and pools overflow. */
const MISSING_FOR_MS = 10 * MINUTE_MS;
/** On a node that belongs to this installation. */
const MISSING_ON_DEMAND_MS = 3 * SECOND_MS;
/** Between what is replaced and what replaces it a look may fall. */
const REPLACED_WITHIN_MS = 2 * MINUTE_MS;
/** Then blocks alone are heard for a payment. See decision payments/replaced-twenty-times. */
const REPLACED_MAX = 20;
/** Of a transaction with more inputs, the first ones are stored: enough to tell what replaces it. */
const SPENDS_KEPT = 100;
/** Rows of one statement. A transaction may have thirty thousand outputs. */
const ROWS_MAX = 2_000;
/** What a miner makes for itself may be spent once it has so many confirmations. */
const MATURE_AFTER = 100;
const NO_TRANSACTION = '0'.repeat(64);

/**
 * Stores what waits to be mined and pays a payment, and takes back what waited and is gone. What is gone without a
 * known replacement is waited for. See decision payments/missing-is-waited-for.
 */
export async function storeSight(
  trx: Trx,
  network: Pick<Network, 'name' | 'onDemand'>,
  { arrived: shown, gone, isPartial = false }: PoolSight,
  paid: readonly Paid[],
  now: Date,
): Promise<void> {
  const arrived = withoutRivals(shown);
  const tired = await listOftenReplaced(trx, network.name, paymentsOf(paid), REPLACED_MAX);
  const hashes = new Set(arrived.map(({ txHash }) => txHash));
  const heard = paid.filter(({ paymentId, transfer }) => !tired.has(paymentId) && hashes.has(transfer.txHash));
  const ours = new Set(heard.map(({ transfer }) => transfer.txHash));
  const spends = new Map(arrived.flatMap((each) => (ours.has(each.txHash) ? [[each.txHash, () => each.spends]] : [])));
  await storeTransfers(trx, network.name, heard, spends, now);
  const replaced = gone.flatMap(({ txHash, by }) => (by === null ? [] : [{ txHash, by }]));
  await takeBackReplaced(trx, network.name, replaced, now);
  const missing = gone.flatMap(({ txHash, by }) => (by === null ? [txHash] : []));
  const patience = network.onDemand ? MISSING_ON_DEMAND_MS : MISSING_FOR_MS;
  // A sight in part does not tell what is still there.
  if (isPartial && missing.length === 0) return;
  await followMissing(trx, network.name, missing, after(now, -patience), now);
}

/** Of transactions that spend the same, the last: looks that died and other nodes may show both; one can be mined. */
function withoutRivals(arrived: PoolSight['arrived']): PoolSight['arrived'] {
  const taken = new Set<string>();
  return arrived.toReversed().filter(({ spends }) => {
    const isRival = spends.some((each) => taken.has(each));
    if (!isRival) for (const each of spends) taken.add(each);
    return !isRival;
  });
}

/**
 * Stores transfers of blocks, or of the pool where their block is `POOL`: what waited gets its block, what was gone
 * comes back, and what waited beside a transaction of `spends` that spends the same is gone. Returns how many are new
 * or came back. Repeating it changes nothing. The caller has locked the network's cursor.
 */
export async function storeTransfers(
  trx: Trx,
  network: string,
  paid: readonly Paid[],
  spends: Spends,
  now: Date,
): Promise<number> {
  const replaced = spends.size === 0 ? [] : findReplaced(await listPooled(trx, network), spends);
  if (paid.length === 0 && replaced.length === 0) return 0;
  const since = after(now, -REPLACED_WITHIN_MS);
  const before = [
    ...(await listWaiting(trx, network, hashesOf(replaced))),
    ...(await listGoneSince(trx, network, paymentsOf(paid), since)),
  ];
  await takeBackReplaced(trx, network, replaced, now);
  const stored = await listStored(trx, network, [...new Set(paid.map(({ transfer }) => transfer.txHash))]);
  const { fresh, mined, back } = sort(paid, stored, spends);
  await moveToBlocks(trx, mined, now);
  await bringBack(trx, back, since, now);
  const rows = await toRows(trx, fresh, spends, before, now);
  for (const some of piecesOf(rows, ROWS_MAX)) await insertRows(trx, 'credits', some);
  if (rows.length > 0) trx.wake('kasi_credits');
  return rows.length + back.length;
}

/** Which of the waiting transactions can not be mined any more, because another one spends what they spend. */
function findReplaced(pooled: readonly Pooled[], spends: Spends): { readonly txHash: string; readonly by: string }[] {
  if (pooled.length === 0) return [];
  const spenders = new Map([...spends].flatMap(([txHash, own]) => own().map((outpoint) => [outpoint, txHash])));
  return pooled.flatMap(({ txHash, spends: own }) => {
    const by = spends.has(txHash)
      ? undefined
      : own.map((each) => spenders.get(each)).find((each) => each !== undefined);
    return by === undefined ? [] : [{ txHash, by }];
  });
}

/** What has to be done about each transfer. One that is stored in another block is left alone. */
function sort(paid: readonly Paid[], stored: readonly StoredTransfer[], spends: Spends) {
  const known = new Map(stored.map((row) => [`${row.tx_hash} ${row.transfer_index}`, row]));
  const [fresh, mined, back]: [Paid[], Place[], Place[]] = [[], [], []];
  for (const each of paid) {
    const { txHash, index, block } = each.transfer;
    const row = known.get(`${txHash} ${index}`);
    if (row === undefined) fresh.push(each);
    else {
      const place = { id: row.id, block, maturesAt: maturesAt(block, spends.get(txHash)?.()) };
      if (!row.canonical) back.push(place);
      else if (row.block_hash === POOL.hash && block.hash !== POOL.hash) mined.push(place);
    }
  }
  return { fresh, mined, back };
}

/** New credits. `before`: what their payments got, or were to get, from transactions that are gone since. */
async function toRows(trx: Trx, fresh: readonly Paid[], spends: Spends, before: readonly Waiting[], now: Date) {
  const quotesOf = await readQuotesFor(trx, fresh);
  const groups = Map.groupBy(fresh, ({ paymentId, transfer }) => `${paymentId} ${transfer.txHash}`);
  return [...groups.values()].flatMap((group) => {
    const [first] = group;
    if (first === undefined) return [];
    const { txHash, block } = first.transfer;
    const own = spends.get(txHash)?.() ?? [];
    const moment = momentOf(first.transfer, group, own, before) ?? (block.time < now ? block.time : now);
    const matures = maturesAt(block, own);
    return group.map((each, i) => ({
      ...toCreditRow({ ...each.transfer, block: { ...block, time: moment } }, each.paymentId, now, quotesOf(each)),
      block_time: block.hash === POOL.hash ? moment : block.time,
      arrived_at: moment,
      spends: i === 0 ? own.slice(0, SPENDS_KEPT) : [],
      matures_at: matures === null ? null : BigInt(matures),
    }));
  });
}

/**
 * When a transaction arrived that replaces another one of the same payer to the same payment: when that one did, unless
 * it paid less, or longer ago than a price holds. See decisions payments/replacement-keeps-its-moment and
 * payments/a-day-in-the-pool.
 */
function momentOf(
  { block }: Transfer,
  group: readonly Paid[],
  spends: readonly string[],
  before: readonly Waiting[],
): Date | undefined {
  const isOutdated = (at: Date): boolean =>
    block.hash !== POOL.hash && block.time > after(at, CONFIRMATION_DEADLINE_MS);
  const units = group.reduce((sum, { transfer }) => sum + transfer.units, 0n);
  const own = new Set(spends);
  return before
    .filter((each) => each.payment_id === group[0]?.paymentId && each.units >= units)
    .filter((each) => each.spends.some((outpoint) => own.has(outpoint)))
    .map(({ arrived_at }) => arrived_at)
    .filter((at) => !isOutdated(at))
    .sort((a, b) => a.getTime() - b.getTime())[0];
}

/** From which block on a transfer counts; null: as any other. A miner's own transaction spends nothing. */
const maturesAt = ({ hash, height }: Pick<BlockRef, 'hash' | 'height'>, spends: readonly string[] | undefined) =>
  hash !== POOL.hash && spends?.every((outpoint) => outpoint.startsWith(NO_TRANSACTION))
    ? height + MATURE_AFTER - 1
    : null;

const paymentsOf = (paid: readonly Paid[]): string[] => [...new Set(paid.map(({ paymentId }) => paymentId))];
const hashesOf = (all: readonly { readonly txHash: string }[]): string[] => all.map(({ txHash }) => txHash);
