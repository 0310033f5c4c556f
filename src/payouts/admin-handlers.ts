import type { components } from '../../generated/api.ts';
import { SECOND_MS } from '../lib/clock.ts';
import type { Db } from '../lib/db-types.ts';
import { formatUnits, MICRO_DECIMALS, presentMicro } from '../lib/money.ts';
import { presentPagination, windowOf } from '../lib/paging.ts';
import { presentUnits } from '../payments/present-transfers.ts';
import type { HandlersOf } from '../ports/operation.ts';
import { countPayouts, listPayouts, type QueuedPayout, type QueueFilter } from './queue.ts';

/** The operations of the tag `admin-payouts`. */
export function adminPayoutHandlers({ db }: { readonly db: Db }): HandlersOf<'listPayouts'> {
  return {
    listPayouts: async ({ query, now }) => {
      const { kind, network } = query;
      const filter: QueueFilter = { ...(kind && { kind }), ...(network !== undefined && { network }) };
      const [payouts, total] = await Promise.all([listPayouts(db, filter, windowOf(query)), countPayouts(db, filter)]);
      const body = { payouts: payouts.map((each) => present(each, now)), pagination: presentPagination(query, total) };
      return { status: 200, body };
    },
  };
}

const present = (payout: QueuedPayout, now: Date): components['schemas']['Payout'] => ({
  kind: payout.kind,
  id: payout.id,
  status: payout.status,
  merchantId: payout.merchantId,
  merchantName: payout.merchantName,
  merchantStatus: payout.merchantStatus,
  network: payout.network,
  token: payout.token,
  tokenAmount:
    payout.units === null
      ? formatUnits(payout.micro, MICRO_DECIMALS, true)
      : presentUnits(payout.token, payout.units, payout.decimals),
  worth: presentMicro(payout.micro),
  destinationAddress: payout.destination,
  createdAt: payout.createdAt.toISOString(),
  waitingSince: payout.waitingSince.toISOString(),
  ageSeconds: Math.max(0, Math.floor((now.getTime() - payout.waitingSince.getTime()) / SECOND_MS)),
});
