import type { Db, Trx } from '../lib/db-types.ts';
import { AppError } from '../lib/errors.ts';
import { max } from '../lib/money.ts';
import { isSentUnseen } from '../ports/assets.ts';
import type { Asset, CheckPayout, Network } from '../ports/chain.ts';
import type { AuditTrail } from '../ports/operation.ts';
import { COIN_PLACE, type PayoutMoney } from '../ports/placed.ts';
import type { Settings } from '../settings/settings.ts';
import { type PayoutFacts, type Shown, verifyPayout, wholeTaken } from './check.ts';
import { type Payout, type PayoutKind, paidInColumns } from './payout.ts';
import { listPaidIn, readClaim } from './rows.ts';
import { choose, concerns, listTaken, type Place, WHOLE } from './transfers.ts';

/** What a payout keeps of a transaction that had all of it. */
type Kept = {
  readonly transfers: readonly number[];
  /** Where the chain shows them, and in what; null: no receipt shows them, or they may be in more than one. */
  readonly seen: Pick<Shown, 'block' | 'asset'> | null;
};

export type Narrowed = Kept & { readonly kind: PayoutKind; readonly id: string };

/**
 * What a feature does with its own row: it keeps these transfers, and is looked at again where they are seen. Returns
 * its merchant; null where it has not all of this transaction any more, and nothing is done.
 */
export type NarrowPayout = (
  trx: Trx,
  payout: Kept & { readonly id: string; readonly txHash: string },
) => Promise<string | null>;

export type NarrowDeps = {
  readonly db: Db;
  readonly networks: readonly Network[];
  readonly checkPayout: CheckPayout;
  readonly narrow: Readonly<Record<PayoutKind, NarrowPayout>>;
};

/** A payout that the chain shows in a transaction. */
export type Asked = {
  readonly place: Place;
  readonly facts: PayoutFacts;
  readonly shown: Shown;
  readonly settings: Settings;
};

/**
 * What another payout keeps of the transaction, where it has all of it because no chain was asked; null where none has.
 * Throws CONFLICT (`tx_hash_used`) where the chain does not show which transfers paid that one, with a time to retry
 * where it may show that later, and what asking the chain throws. Takes as long as that, so never inside a transaction.
 * See decision payouts/one-transfer-one-payout.
 */
export async function findNarrowed(deps: NarrowDeps, asked: Asked): Promise<Narrowed | null> {
  const { place } = asked;
  const whole = (await listTaken(deps.db, place)).find(
    (row) => row.index === WHOLE && concerns(place, asked.shown, row),
  );
  if (whole === undefined) return null;
  const network = deps.networks.find(({ name }) => name === place.network);
  const known = network === undefined ? [] : await listPaidIn(deps.db, network);
  const first = await readClaim(deps.db, whole.payoutId, place.txHash, known);
  if (first === null) throw wholeTaken(place.network);
  const said: Denied[] = [];
  const kept: Kept[] = [];
  // What it was paid in was not noted. Where it may have been more than one, it keeps what each could be.
  for (const asset of first.assets) {
    // No receipt shows what a Safe sent of a coin, and nothing else of the transaction can have paid that.
    const isCoin = isSentUnseen(asset) && !isSentUnseen(asked.shown.asset);
    const paid: Kept | Denied = isCoin ? COIN : await findPaid(deps, asked, first, asset);
    if ('message' in paid) said.push(paid);
    else kept.push(paid);
  }
  if (kept.length === 0 && said.every(({ isShort }) => isShort)) kept.push(...(await findShort(deps, asked, first)));
  const [only] = kept;
  if (only === undefined) throw wholeTaken(place.network, said[0]);
  const transfers = kept.flatMap((each) => each.transfers).toSorted((a, b) => a - b);
  return { kind: first.kind, id: first.id, transfers, seen: kept.length === 1 ? only.seen : null };
}

const COIN: Kept = { transfers: [COIN_PLACE], seen: null };

/** What the chain has to show of a payout that was completed with the transaction before, for another one. */
export const factsOf = (
  { kind, network, token, destination, minMicro, minUnits }: Payout,
  asset: Asset,
  { notBefore, minMicro: atStake }: Pick<PayoutFacts, 'notBefore' | 'minMicro'>,
): PayoutFacts => ({
  ...{ network, token, destination, minMicro, atStake, notBefore, begunIn: asset },
  ...(minUnits !== undefined && { minUnits }),
  ...(kind === 'refund' && { pays: kind }),
});

/** Why the chain does not show a payout. `isShort`: it got a part of what was due. */
type Denied = { readonly message: string; readonly isShort: boolean };

const denied = (message: string, isShort = false): Denied => ({ message, isShort });

/** What paid the first payout in this asset, or why nothing did. */
async function findPaid(
  deps: NarrowDeps,
  { place, facts, shown, settings }: Asked,
  first: Payout,
  asset: Asset,
): Promise<Kept | Denied> {
  const { id, network, destination } = first;
  const claim = factsOf(first, asset, facts);
  const paid = await verifyPayout(deps, claim, place.txHash, settings).catch((error: unknown) => {
    if (!(error instanceof AppError) || error.code !== 'CONFLICT') throw error;
    // What an endpoint that lags does not show yet may have paid the first one.
    if (error.retryAfterSeconds !== undefined) throw wholeTaken(network, error);
    return denied(error.message, error.reason === 'payout_too_small');
  });
  if (paid === null) return denied('The chain is not asked.');
  if ('message' in paid) return paid;
  const isSame = destination.toLowerCase() === place.destination?.toLowerCase();
  // Both answers have to be one list: where a node changes it, one transfer could pay both.
  if (isSame && asset.contract === shown.asset.contract && !showsSame(paid, shown))
    return denied(`The chain shows other transfers for ${id} than for this one.`);
  const transfers = choose(paid, new Set());
  return transfers === null ? denied('The chain shows too little.') : { transfers, seen: paid };
}

/**
 * All that the first payout got, where that is less than was due: people said that it was completed, who sent the rest.
 * None where what pays this one may be of that. What went to another address, or in another contract, is not.
 */
async function findShort(deps: NarrowDeps, asked: Asked, first: Payout): Promise<readonly Kept[]> {
  const { place, facts, shown, settings } = asked;
  const isSame = first.destination.toLowerCase() === place.destination?.toLowerCase();
  if (isSame && first.assets.some(({ contract }) => contract === shown.asset.contract)) return [];
  const kept: Kept[] = [];
  for (const asset of first.assets) {
    // As much depends on the answer as if all of it had come, and it may have come from anyone.
    const atStake = max(first.minMicro, facts.minMicro);
    const claim = { ...factsOf(first, asset, facts), minMicro: 1n, minUnits: 1n, atStake };
    const got = await verifyPayout(deps, claim, place.txHash, { ...settings, payoutWallets: [] }).catch(
      (error: unknown) => {
        throw error instanceof AppError && error.code === 'CONFLICT' ? wholeTaken(place.network, error) : error;
      },
    );
    if (got === null) return [];
    kept.push({ transfers: got.transfers.map(({ index }) => index), seen: null });
  }
  return kept;
}

/** Whether two answers are of the same transfers, and of as much that stayed. */
export const showsSame = (one: PayoutMoney, other: PayoutMoney): boolean => describe(one) === describe(other);

const describe = ({ transfers, kept }: PayoutMoney): string =>
  [kept, ...transfers.flatMap(({ index, units }) => [index, units])].join(' ');

/** What narrowing writes, as columns of whichever table. */
export const narrowedColumns = ({ transfers, seen }: Kept) => ({
  tx_transfers: [...transfers],
  ...(seen && {
    ...{ tx_verified: true, tx_block: BigInt(seen.block.height), tx_block_hash: seen.block.hash },
    ...paidInColumns({ txPaidIn: seen.asset }),
  }),
});

/** Has the other payout keep these transfers and no more, in the transaction that completes one with the rest. */
export async function keepNarrowed(
  trx: Trx,
  { narrow }: Pick<NarrowDeps, 'narrow'>,
  { kind, id, transfers, seen }: Narrowed,
  { txHash, audit }: { readonly txHash: string; readonly audit: AuditTrail },
): Promise<void> {
  const merchantId = await narrow[kind](trx, { id, txHash, transfers, seen });
  if (merchantId === null) return;
  const metadata = { txHash, transfers: [...transfers] };
  await audit.recordOther(trx, `${kind}.narrow`, { resourceId: id, merchantId, metadata });
}
