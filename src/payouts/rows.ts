import { type RawBuilder, sql } from 'kysely';
import type { Asset, BlockPlace } from '../ports/chain.ts';
import type { Payout, PayoutKind } from './payout.ts';

/** What withdrawals and refunds say of their payouts, in the same columns. Micro-dollars; `units` only of refunds. */
export const ROWS: Readonly<Record<PayoutKind, RawBuilder<unknown>>> = {
  withdrawal: sql`
    select 'withdrawal' as kind, id, status, network, currency as token, destination_address as destination, tx_hash,
           tx_verified, tx_block, tx_block_hash, final_at, finished_at, (amount_minor - fee_minor) * 10000 as micro,
           null::numeric(78, 0) as units
      from withdrawals`,
  refund: sql`
    select 'refund' as kind, id, status, network, token, destination_address as destination, tx_hash,
           tx_verified, tx_block, tx_block_hash, final_at, finished_at, from_suspense + from_available as micro, units
      from refunds`,
};

export const KINDS: readonly PayoutKind[] = ['withdrawal', 'refund'];

/** Those of both kinds. */
export const ALL_ROWS: RawBuilder<unknown> = sql`${ROWS.withdrawal} union all ${ROWS.refund}`;

/** The columns that make a claim about a payout, of a row `p`. */
export const CLAIM: RawBuilder<unknown> = sql`p.kind, p.id, p.network, p.token, p.destination, p.micro, p.units`;

export type ClaimRow = {
  readonly kind: PayoutKind;
  readonly id: string;
  readonly network: string;
  readonly token: string;
  readonly destination: string | null;
  readonly micro: bigint;
  readonly units: bigint | null;
};

/** The claim of a row about a transaction; none where it goes to no address. */
export function toPaidOut(
  { kind, id, network, token: symbol, destination, micro: minMicro, units }: ClaimRow,
  txHash: string,
  block: BlockPlace | null,
): Payout[] {
  if (destination === null) return [];
  const token = symbol as Asset['symbol'];
  return [
    { kind, id, network, txHash, token, destination, block, minMicro, ...(units !== null && { minUnits: units }) },
  ];
}
