import { openIncident } from '../incidents/incidents.ts';
import type { Trx } from '../lib/db-types.ts';
import { formatUnits, MICRO_DECIMALS } from '../lib/money.ts';
import type { Payment } from './types.ts';

/** Opens an incident: a reorg went deeper than we wait for and reversed what a merchant could already spend. */
export async function openReversalIncident(trx: Trx, payment: Payment, lostMicro: bigint, now: Date): Promise<void> {
  const lost = formatUnits(lostMicro, MICRO_DECIMALS, true);
  const message = `A reorg took back ${lost} USD that were available.`;
  await openIncident(trx, { kind: 'payment.reversed', subject: payment.id, message }, now);
}
