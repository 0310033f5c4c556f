import { type RawBuilder, type SqlBool, sql } from 'kysely';
import { listRecordedAssets } from '../deployment/unlisted.ts';
import type { Db, Trx } from '../lib/db-types.ts';
import { assetsOf } from '../ports/assets.ts';
import type { Asset, BlockPlace, Network } from '../ports/chain.ts';
import type { Payout, PayoutKind } from './payout.ts';

/** What withdrawals and refunds say of their payouts, in the same columns. Micro-dollars; units only of refunds. */
export const ROWS: Readonly<Record<PayoutKind, RawBuilder<unknown>>> = {
  withdrawal: sql`
    select 'withdrawal' as kind, id, status, network, currency as token, destination_address as destination, tx_hash,
           tx_verified, tx_block, tx_block_hash, tx_contract as contract, tx_decimals as decimals, final_at,
           finished_at, (amount_minor - fee_minor) * 10000 as micro, null::numeric(78, 0) as units,
           null::integer as counted_in
      from withdrawals`,
  refund: sql`
    select 'refund' as kind, id, status, network, token, destination_address as destination, tx_hash,
           tx_verified, tx_block, tx_block_hash, tx_contract as contract, tx_decimals as decimals, final_at,
           finished_at, from_suspense + from_available as micro, units, decimals as counted_in
      from refunds`,
};

export const KINDS: readonly PayoutKind[] = ['withdrawal', 'refund'];

/** Those of both kinds. */
export const ALL_ROWS: RawBuilder<unknown> = sql`${ROWS.withdrawal} union all ${ROWS.refund}`;

/** The columns that make a claim about a payout, of a row `p`; in `paid` it says what it was paid in. */
export const claimOf = (paid: 'p' | 'l'): RawBuilder<unknown> => sql`
  p.kind, p.id, p.network, p.token, p.destination, p.micro, p.units, p.counted_in as "countedIn",
  ${sql.ref(`${paid}.contract`)}, ${sql.ref(`${paid}.decimals`)}`;

/** Whether a payout may have been paid in any of these: of a row `p`, as above. */
export const isPaidInAny = (paid: 'p' | 'l', assets: readonly Asset[]): RawBuilder<SqlBool> =>
  sql`(${sql.ref(`${paid}.contract`)} is not null or p.token = any (${assets.map(({ symbol }) => symbol)}::text[]))`;

/** All that was ever paid in on a network, as far as it was recorded, its coin included. */
export async function listPaidIn(db: Db | Trx, network: Network): Promise<readonly Asset[]> {
  const listed = assetsOf(network);
  const recorded = await listRecordedAssets(db, network.name);
  return [...listed, ...recorded.filter(({ contract }) => !listed.some((asset) => asset.contract === contract))];
}

export type ClaimRow = {
  readonly kind: PayoutKind;
  readonly id: string;
  readonly network: string;
  readonly token: string;
  readonly destination: string | null;
  readonly micro: bigint;
  readonly units: bigint | null;
  readonly countedIn: number | null;
  readonly contract: string | null;
  readonly decimals: number | null;
};

/**
 * The claim of a row about a transaction; none where it goes to no address. `known`: what it may have been paid in
 * where that was not noted.
 */
export function toPaidOut(
  { kind, id, network, token, destination, micro: minMicro, units, countedIn, contract, decimals }: ClaimRow,
  txHash: string,
  block: BlockPlace | null,
  known: readonly Asset[],
): Payout[] {
  if (destination === null) return [];
  const symbol = token as Asset['symbol'];
  const maybe = known.filter((each) => each.symbol === symbol && each.decimals === (countedIn ?? each.decimals));
  const assets = contract === null || decimals === null ? maybe : [{ symbol, contract, decimals }];
  const paid = { kind, id, network, txHash, token: symbol, destination, block, minMicro, assets };
  return [{ ...paid, ...(units !== null && { minUnits: units }) }];
}

/** The claim of a withdrawal or refund about a transaction; null where there is none. `known`: as above. */
export async function readClaim(
  db: Db | Trx,
  payoutId: string,
  txHash: string,
  known: readonly Asset[],
): Promise<Payout | null> {
  const { rows } = await sql<ClaimRow>`
    select ${claimOf('p')} from (${ALL_ROWS}) p where p.id = ${payoutId}`.execute(db);
  return rows.flatMap((row) => toPaidOut(row, txHash, null, known))[0] ?? null;
}
