import { type RawBuilder, type SqlBool, sql } from 'kysely';
import type { Db, Trx } from '../lib/db-types.ts';
import { isDollar } from '../ports/assets.ts';
import { COIN_PLACE, LOG_PLACES, type PlacedTransfer } from '../ports/placed.ts';
import { coinTaken, hashTaken, partTaken, referenceTaken, type Shown, takenOfBank, wholeTaken } from './check.ts';
import { ALL_ROWS } from './rows.ts';

export type Place = {
  readonly payoutId: string;
  readonly network: string;
  readonly txHash: string;
  /** Where the payout goes. */
  readonly destination: string | null;
  /** It is in a coin of which no receipt shows what contracts send. */
  readonly isSentUnseen: boolean;
  /** A bank pays it: no chain can show it. */
  readonly isByBank: boolean;
};

/** Whether this names a transaction, and not what a bank calls a transfer. */
const isHash = (text: string): boolean => /^(0x)?[0-9a-f]{64}$/.test(text);

/** All that a transaction did: nobody looked at its transfers. As the database stores it. */
export const WHOLE = -1;

/**
 * The transfers of a transaction that pay one payout and have paid no other; null for the whole transaction, where the
 * chain was not asked and had not shown it before, and it is in no coin: then that is all of its tokens. Keeps others
 * from taking them until the transaction ends, so it comes before any lock that two completions could share: the
 * merchant's debt, a payment. `narrow` may free some of it then. Throws CONFLICT (`tx_hash_used`). See
 * decision payouts/one-transfer-one-payout.
 */
export async function takeTransfers(
  trx: Trx,
  place: Place,
  shown: Shown | null,
  narrow: () => Promise<void>,
): Promise<number[] | null> {
  const { network, txHash } = place;
  // The trigger that stores them takes the same lock.
  await sql`select pg_advisory_xact_lock(hashtextextended(${`payout ${network} ${txHash}`}, 0))`.execute(trx);
  await narrow();
  const taken = await readTaken(trx, place, shown, []);
  const former = formerOf(shown, taken, await listFormer(trx, place));
  return chooseTransfers(place, shown, taken, { former, awaited: await listAwaited(trx, place, shown) });
}

/** What a payout keeps of a transaction, in place of what it had. */
export type Kept = { readonly id: string; readonly transfers: readonly number[] };

/** The same as far as can be told without a lock: a refusal that waiting would only delay. */
export async function requireTransfers(
  db: Db,
  place: Place,
  shown: Shown | null,
  kept: readonly Kept[],
): Promise<void> {
  const taken = await readTaken(db, place, shown, kept);
  const former = shown === null ? await listFormer(db, place) : [];
  chooseTransfers(place, shown, taken, { former, awaited: await listAwaited(db, place, shown) });
}

async function readTaken(db: Db | Trx, place: Place, shown: Shown | null, kept: readonly Kept[]) {
  const rows = keeping(await listTaken(db, place), kept);
  const coin = rows.find(({ index }) => index === COIN_PLACE);
  if (coin && place.isSentUnseen) requireOthersCoin(place, shown, coin);
  return takenOf(
    shown,
    place,
    rows.filter((row) => concerns(place, shown, row)),
  );
}

/** What is taken once these payouts keep that and no more. Pure. */
export const keeping = (rows: readonly Held[], kept: readonly Kept[]): Held[] => [
  ...rows.filter(({ payoutId }) => !kept.some(({ id }) => id === payoutId)),
  ...kept.flatMap(({ id, transfers }) => {
    const row = rows.find(({ payoutId }) => payoutId === id);
    return row === undefined ? [] : transfers.map((index) => ({ ...row, index }));
  }),
];

/**
 * Throws where the chain showed the coin to be the other one's: then it is not what two say that a contract sent. Says
 * what to do where it shows it to be this one's.
 */
function requireOthersCoin({ network, destination }: Place, shown: Shown | null, coin: Held): void {
  if (coin.isShown && shown === null) throw hashTaken(network);
  const isSame = coin.destination?.toLowerCase() === destination?.toLowerCase();
  if (!coin.isShown && shown !== null && !isSame) throw coinTaken(network);
}

/** Whether what another payout has may be what is to pay this one. See decision payouts/one-transfer-one-payout. */
export function concerns({ isSentUnseen, isByBank }: Place, shown: Shown | null, { index, token, destination }: Taken) {
  // What a bank paid went to none of our addresses, and the chain shows what did.
  if (index === WHOLE && destination === null) return shown === null;
  // All that paid in a token is no coin, and no coin has paid in a token.
  if (isSentUnseen) return index !== WHOLE || !isDollar(token);
  return isByBank || index >= WHOLE;
}

/** Which transfers of the transaction have paid this payout before the chain took them back. */
async function listFormer(db: Db | Trx, { payoutId, txHash }: Place): Promise<readonly number[]> {
  const lost = db.selectFrom('lost_payouts').select('transfers').where('payout_id', '=', payoutId);
  const rows = await lost.where('tx_hash', '=', txHash).orderBy('revert', 'desc').limit(1).execute();
  return rows[0]?.transfers ?? [];
}

/**
 * Which transfers of the transaction have paid others before the chain took them back, that may be completed with it.
 * None where the chain was asked: it shows what there is.
 */
async function listAwaited(
  db: Db | Trx,
  { payoutId, network, txHash }: Place,
  shown: Shown | null,
): Promise<readonly number[]> {
  if (shown !== null) return [];
  const { rows } = await sql<{ index: number }>`
    select unnest(l.transfers) as index from lost_payouts l join (${ALL_ROWS}) p on p.id = l.payout_id
     where l.network = ${network} and l.tx_hash = ${txHash} and l.payout_id <> ${payoutId}
       and p.status = 'processing'`.execute(db);
  return rows.map(({ index }) => index);
}

/** A transfer that has paid a payout, and what of that. */
export type Taken = {
  readonly index: number;
  readonly token: string;
  readonly destination: string | null;
  /** Null: it was not noted. */
  readonly contract: string | null;
};

/** Which payout has it. */
export type Held = Taken & {
  readonly payoutId: string;
  /** Whether the chain showed it. */
  readonly isShown: boolean;
};

/** What of a transaction has paid payouts. */
export async function listTaken(db: Db | Trx, { network, txHash }: Place): Promise<readonly Held[]> {
  const { rows } = await sql<Held>`
    select t.transfer_index as index, t.payout_id as "payoutId", p.token, p.destination, p.contract,
           p.tx_verified as "isShown"
      from payout_transfers t join (${ALL_ROWS}) p on p.id = t.payout_id
     where t.network = ${network} and ${isNamed(txHash)}
     order by t.transfer_index`.execute(db);
  return rows;
}

/** Whether a row `t` is of this transaction or bank's reference. A release before kept each space of a reference. */
const isNamed = (txHash: string): RawBuilder<SqlBool> =>
  txHash.includes(' ')
    ? sql`regexp_replace(t.tx_hash, ' +', ' ', 'g') = ${txHash}`
    : sql`t.tx_hash in (${txHash}, ${asReference(txHash)})`;

/** As a release before wrote a hash that it was told without 0x: it took it for a bank's reference. */
const asReference = (txHash: string): string => txHash.replace(/^0x/, '').toUpperCase();

/** Whether a release before gave this place, counting the transfers that were listed. */
export const isFormerly = (index: number): boolean => index >= 0 && index < LOG_PLACES;

/**
 * The places that are taken. Of those that a release before gave in a transaction with logs it is known which transfers
 * they can be: of those to the same address in the same token so large ones are taken that what is left is never more
 * than what was left. Pure.
 */
export function takenOf(
  shown: Shown | null,
  { destination }: Pick<Place, 'destination'>,
  rows: readonly Taken[],
): ReadonlySet<number> {
  const taken = new Set(rows.map(({ index }) => index));
  if (!shown?.transfers.some(({ former }) => former)) return taken;
  const isSame = (row: Taken): boolean =>
    row.destination?.toLowerCase() === destination?.toLowerCase() &&
    (row.contract === null ? row.token === shown.asset.symbol : row.contract === shown.asset.contract);
  const places = rows.filter((row) => isFormerly(row.index) && isSame(row)).map(({ index }) => index);
  const untaken = shown.transfers.filter(({ index }) => !taken.has(index));
  return new Set([...taken, ...holdersOf(untaken, places).map(({ index }) => index)]);
}

/**
 * Gives places of before to the largest transfers that can have them all together, where one that has a place moves to
 * another one for the next. Largest first: in whatever other way all places were given, no larger ones had them.
 */
function holdersOf(transfers: readonly PlacedTransfer[], places: readonly number[]): PlacedTransfer[] {
  const holders = new Map<number, PlacedTransfer>();
  const seat = (each: PlacedTransfer, tried: Set<number>): boolean =>
    places.some((place) => {
      if (tried.has(place) || !canBe(each, place)) return false;
      tried.add(place);
      const holder = holders.get(place);
      if (holder && !seat(holder, tried)) return false;
      holders.set(place, each);
      return true;
    });
  for (const each of transfers.toSorted((a, b) => compare(b.units, a.units))) seat(each, new Set());
  return [...holders.values()];
}

/** Whether a release before can have given a transfer this place. */
const canBe = ({ former }: PlacedTransfer, index: number): boolean =>
  former !== undefined && former.from <= index && index <= former.to;

/**
 * Which other payouts have what paid a lost one: all transfers that its places can be; null where one of these may be
 * free, because its destination has that. `shown` has to have the transfers of all senders. Pure.
 */
export function holdersOfLost(
  { transfers, asset }: Pick<Shown, 'transfers' | 'asset'>,
  { destination }: Pick<Place, 'destination'>,
  lost: readonly number[],
  rows: readonly Held[],
): readonly string[] | null {
  const fitting = (place: number) =>
    transfers.filter((each) => (isFormerly(place) && each.former ? canBe(each, place) : each.index === place));
  const isSame = (row: Held): boolean =>
    row.destination?.toLowerCase() === destination?.toLowerCase() && row.contract === asset.contract;
  // Of a place of before it is known which transfer it is where it can be but one.
  const placed = rows.filter(isSame).flatMap(({ index, payoutId }) => {
    const fit = fitting(index);
    return fit.length === 1 ? fit.map((each) => ({ payoutId, place: each.index })) : [];
  });
  const holders = lost.map((each) => {
    const found = fitting(each).map(({ index }) => placed.find(({ place }) => place === index)?.payoutId);
    const known = found.filter((id) => id !== undefined);
    return known.length === found.length ? known : [];
  });
  return holders.length > 0 && holders.every((known) => known.length > 0) ? [...new Set(holders.flat())] : null;
}

/** The places of before, where each can be but one transfer. */
function formerOf(shown: Shown | null, taken: ReadonlySet<number>, places: readonly number[]): readonly number[] {
  const free = shown?.transfers.filter(({ index }) => !taken.has(index)) ?? [];
  if (!free.some(({ former }) => former)) return places;
  return places.flatMap((place) => {
    if (!isFormerly(place)) return [place];
    const fit = free.filter((each) => canBe(each, place));
    return fit.length === 1 ? fit.map(({ index }) => index) : [];
  });
}

/** `awaited` keeps a transaction from being taken whole, and not its transfers from whichever of two they have paid. */
function chooseTransfers(
  { network, txHash, isSentUnseen, isByBank }: Place,
  shown: Shown | null,
  taken: ReadonlySet<number>,
  { former, awaited }: { readonly former: readonly number[]; readonly awaited: readonly number[] },
): number[] | null {
  if (isByBank && isHash(txHash) && taken.size + awaited.length > 0) throw takenOfBank(network);
  if (shown === null && isSentUnseen) return isFree(former, taken) ? [...former] : [coinPlace(taken, awaited)];
  if (taken.has(WHOLE)) throw isHash(txHash) ? wholeTaken(network) : referenceTaken();
  if (shown === null) {
    if (isFree(former, taken)) return [...former];
    if (awaited.some((place) => place > COIN_PLACE) || taken.size > 0) throw partTaken(network);
    return null;
  }
  const chosen = choose(shown, taken, former);
  if (chosen === null) throw hashTaken(network);
  return chosen;
}

/**
 * Where no chain is asked, a payout in coins has the coin of the transaction, and leaves its tokens to others. Where
 * another one has that, or may have it, it has a place that says so, below: see `isSaidByTwo`.
 */
function coinPlace(taken: ReadonlySet<number>, awaited: readonly number[]): number {
  const others = [...taken, ...awaited].filter((place) => place <= WHOLE);
  return others.length === 0 ? COIN_PLACE : Math.min(COIN_PLACE, ...others) - 1;
}

/** Whether a payout is in coins of which nothing but people can say that a transaction has sent them, too. */
export const isSaidByTwo = (transfers: readonly number[] | null): boolean =>
  transfers?.some((place) => place < COIN_PLACE) ?? false;

/**
 * Whether what the chain showed before it took a payout back can pay it again unasked. It is not known where another
 * one has the whole, and of places that two releases gave: a coin has the same one in each.
 */
function isFree(former: readonly number[], taken: ReadonlySet<number>): boolean {
  const isByLog = (place: number): boolean => place >= LOG_PLACES;
  const [first] = former;
  if (first === undefined || taken.has(WHOLE) || former.some((place) => taken.has(place))) return false;
  if (first <= COIN_PLACE) return true;
  return [...former, ...taken].every((place) => isByLog(place) === isByLog(first));
}

/**
 * Which of the transfers that nobody has taken pay what is due: the smallest that is enough by itself, so that a larger
 * one stays for a larger payout, else as few as possible together. Those of `former` come first: what is left then has
 * paid others. Null when they are not enough. Pure.
 */
export function choose(
  { transfers, kept, due }: Omit<Shown, 'block' | 'asset'>,
  taken: ReadonlySet<number>,
  former: readonly number[] = [],
): number[] | null {
  const others = transfers.filter(({ index }) => taken.has(index));
  // What others got stays with them, whatever came back. Where that took less than this one, all of this one arrived.
  if (kept < due || kept <= sum(others)) return null;
  const free = transfers.filter(({ index }) => !taken.has(index)).toSorted((a, b) => compare(b.units, a.units));
  const again = free.filter(({ index }) => former.includes(index));
  if (again.length > 0 && again.length === former.length && sum(again) >= due) return [...former];
  const enough = free.findLast(({ units }) => units >= due);
  if (enough) return [enough.index];
  const together: number[] = [];
  let rest = due;
  for (const { index, units } of free) {
    if (rest <= 0n) break;
    together.push(index);
    rest -= units;
  }
  return rest <= 0n ? together.toSorted((a, b) => a - b) : null;
}

const sum = (transfers: readonly { readonly units: bigint }[]): bigint =>
  transfers.reduce((total, { units }) => total + units, 0n);

const compare = (a: bigint, b: bigint): number => (a < b ? -1 : a > b ? 1 : 0);
