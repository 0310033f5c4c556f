import { type RawBuilder, type SqlBool, sql } from 'kysely';
import type { Trx } from '../lib/db-types.ts';
import { AppError } from '../lib/errors.ts';
import { MICRO_DECIMALS, rescaleUp } from '../lib/money.ts';
import type { Asset } from '../ports/chain.ts';
import type { AuditTrail } from '../ports/operation.ts';
import type { PayoutMoney, PlacedTransfer } from '../ports/placed.ts';
import { heldWrongly, type Shown, verifyPayout } from './check.ts';
import { type Asked, factsOf, type NarrowDeps, type Narrowed, showsSame } from './narrow.ts';
import type { Payout, PayoutKind } from './payout.ts';
import { readClaim } from './rows.ts';
import { choose, type Held, isFormerly, keeping, listTaken } from './transfers.ts';

/** A payout that is given other transfers of its transaction than it has. */
export type Moved = {
  readonly kind: PayoutKind;
  readonly id: string;
  readonly from: readonly number[];
  readonly transfers: readonly number[];
};

/**
 * What a feature does with its own row: it has these transfers in place of those. Returns its merchant; null where it
 * has others by now, and nothing is done.
 */
export type MovePayout = (trx: Trx, moved: Omit<Moved, 'kind'> & { readonly txHash: string }) => Promise<string | null>;

export type MoveDeps = NarrowDeps & { readonly move: Readonly<Record<PayoutKind, MovePayout>> };

/** A payout that has some of what is asked for, and what it has. */
type Holder = Pick<Held, 'destination' | 'contract'> & { readonly id: string; readonly from: readonly number[] };
/** What the chain shows to have gone to an address. */
type View = Shown & { readonly destination: string | null };
/** A holder that may have what is not its own, and what the chain shows of it. */
type Mover = Holder & { readonly kind: PayoutKind; readonly micro: bigint; readonly found: Shown };

/** More are not asked about: each takes as long as a completion. */
const MOVERS_MAX = 10;
const RETRY_SECONDS = 5;

/**
 * Which payouts have to be moved within a transaction that has nothing left for one that the chain shows in it. Of one
 * that was small a single endpoint was asked, which may have given it a place of a larger one: they are asked about
 * again, as the largest is. None where each has its own, or where that can't be told. Throws CONFLICT (`tx_hash_used`)
 * where one is not shown to be paid by what it has, and by nothing else, either. Takes as long as asking the chain
 * does, so never inside a transaction. See decision payouts/one-transfer-one-payout.
 */
export async function findMoved(deps: MoveDeps, asked: Asked, narrowed: Narrowed | null): Promise<readonly Moved[]> {
  const { place, shown } = asked;
  const rows = keeping(await listTaken(deps.db, place), narrowed ? [narrowed] : []);
  // Of places that a release before gave it is not known which transfers they are.
  if (shown.transfers.some(({ former }) => former) && rows.some(({ index }) => isFormerly(index))) return [];
  const movers = await findMovers(deps, asked, rows);
  const taken = new Set(rows.map(({ index }) => index));
  // Those that have their own stay, where that is enough.
  const moved = reseat(shown, taken, movers.filter(hasOthers)) ?? reseat(shown, taken, movers) ?? [];
  if (moved.length > 0) await requireSame(deps, asked, movers);
  return moved;
}

/** The holders of what pays it that may have what is others', the holders of what is their own, and so on. */
async function findMovers(deps: MoveDeps, asked: Asked, rows: readonly Held[]): Promise<readonly Mover[]> {
  const { place, shown } = asked;
  const left = new Map(holdersOf(rows).map((each) => [each.id, each]));
  const movers: Mover[] = [];
  const views: View[] = [{ ...shown, destination: place.destination }];
  for (const view of views) {
    for (const holder of [...left.values()].filter(({ from }) => view.transfers.some(isOneOf(from)))) {
      const claim = await readClaim(deps.db, holder.id, place.txHash, []);
      const [asset] = claim?.assets ?? [];
      if (!claim || !asset || movers.length === MOVERS_MAX) continue;
      const due = dueOf(claim, asset);
      const units = isSame(holder, view) ? unitsOf(view, holder.from) : 0n;
      if (units === due) continue;
      left.delete(holder.id);
      const found = await askAgain(deps, asked, { claim, asset, isWrong: units < due });
      if (found === null) continue;
      movers.push({ ...holder, kind: claim.kind, micro: claim.minMicro, found });
      views.push({ ...found, destination: holder.destination });
    }
  }
  return movers;
}

/** Those that the chain showed, with all that they have. */
const holdersOf = (rows: readonly Held[]): Holder[] =>
  [...Map.groupBy(rows, ({ payoutId }) => payoutId)].flatMap(([id, held]) => {
    const from = held.map(({ index }) => index);
    return held.slice(0, 1).flatMap(({ isShown, destination, contract }) => {
      return isShown && from.every((index) => index >= 0) ? [{ id, from, destination, contract }] : [];
    });
  });

const isOneOf =
  (places: readonly number[]) =>
  ({ index }: PlacedTransfer): boolean =>
    places.includes(index);

const isSame = (holder: Holder, { destination, asset }: View): boolean =>
  holder.destination?.toLowerCase() === destination?.toLowerCase() && holder.contract === asset.contract;

const dueOf = ({ minUnits, minMicro }: Payout, { decimals }: Asset): bigint =>
  minUnits ?? rescaleUp(minMicro, MICRO_DECIMALS, decimals);

/** How much these transfers are; none that is not shown is any. */
const unitsOf = ({ transfers }: PayoutMoney, places: readonly number[]): bigint =>
  transfers.filter(isOneOf(places)).reduce((total, { units }) => total + units, 0n);

/** Whether what it has is not what paid it. */
const hasOthers = ({ from, found }: Mover): boolean =>
  from.some((place) => !found.transfers.some(isOneOf([place]))) || unitsOf(found, from) < found.due;

type Doubtful = { readonly claim: Payout; readonly asset: Asset; readonly isWrong: boolean };

/** What the chain shows of a payout that has what may be others'; null: nothing, and what it has may be its own. */
async function askAgain(
  deps: MoveDeps,
  { place: { network, txHash }, facts, settings }: Asked,
  { claim, asset, isWrong }: Doubtful,
): Promise<Shown | null> {
  return verifyPayout(deps, factsOf(claim, asset, facts), txHash, settings).catch((error: unknown) => {
    if (!(error instanceof AppError) || error.code !== 'CONFLICT') throw error;
    if (isWrong || error.retryAfterSeconds !== undefined) throw heldWrongly(network, claim.id, error);
    return null;
  });
}

/** What depends on the answer about one that is small may be large: then two endpoints have to show that as well. */
async function requireSame(deps: MoveDeps, { place, facts, shown, settings }: Asked, movers: readonly Mover[]) {
  const most = movers.reduce((one, other) => (other.micro > one.micro ? other : one));
  if (most.micro <= facts.minMicro) return;
  const again = await verifyPayout(deps, { ...facts, atStake: most.micro }, place.txHash, settings);
  if (again !== null && showsSame(again, shown)) return;
  const message = 'Two answers about what this one was paid by differ.';
  throw heldWrongly(place.network, most.id, { message, retryAfterSeconds: RETRY_SECONDS });
}

/**
 * Gives what is enough to the one that has nothing, and what is left to these: one keeps what it has where that is its
 * own and free. Null where it is not enough for all. Pure.
 */
function reseat(
  shown: Pick<Shown, keyof PayoutMoney>,
  taken: ReadonlySet<number>,
  movers: readonly Mover[],
): readonly Moved[] | null {
  if (movers.length === 0) return null;
  const used = new Set([...taken].filter((index) => !movers.some(({ from }) => from.includes(index))));
  const own = choose(shown, used);
  if (own === null) return null;
  const isAway = ({ from }: Mover): boolean => from.some((place) => own.includes(place));
  for (const place of own) used.add(place);
  const moved: Moved[] = [];
  for (const { kind, id, from, found } of movers.toSorted((a, b) => Number(isAway(a)) - Number(isAway(b)))) {
    const transfers = choose(found, used, from);
    if (transfers === null) return null;
    for (const place of transfers) used.add(place);
    if (!isEqual(from, transfers)) moved.push({ kind, id, from, transfers });
  }
  return inOrder(moved);
}

const isEqual = (one: readonly number[], other: readonly number[]): boolean =>
  one.length === other.length && one.every((place) => other.includes(place));

/** In which order each finds its new transfers given up by others; null: they would have to change places. */
function inOrder(moved: readonly Moved[]): readonly Moved[] | null {
  const [left, ordered] = [[...moved], [] as Moved[]];
  while (left.length > 0) {
    const free = left.findIndex(({ id, transfers }) =>
      left.every((other) => other.id === id || !other.from.some((place) => transfers.includes(place))),
    );
    if (free < 0) return null;
    ordered.push(...left.splice(free, 1));
  }
  return ordered;
}

/** Says in this transaction that a payout is given other transfers: the triggers refuse that otherwise. */
export const placeAnew = async (trx: Trx, id: string): Promise<void> => {
  await sql`select set_config('kasi.placed_anew', ${id}, true)`.execute(trx);
};

/** Whether a row has these transfers of the transaction that paid it. */
export const has = (from: readonly number[]): RawBuilder<SqlBool> => sql`tx_transfers = ${[...from]}::integer[]`;

/** Moves payouts in the transaction that completes one with what they had. */
export async function keepMoved(
  trx: Trx,
  { move }: Pick<MoveDeps, 'move'>,
  moved: readonly Moved[],
  { txHash, audit }: { readonly txHash: string; readonly audit: AuditTrail },
): Promise<void> {
  for (const { kind, ...one } of moved) {
    const merchantId = await move[kind](trx, { ...one, txHash });
    if (merchantId === null) continue;
    const metadata = { txHash, transfers: [...one.transfers], former: [...one.from] };
    await audit.recordOther(trx, `${kind}.move`, { resourceId: one.id, merchantId, metadata });
  }
}
