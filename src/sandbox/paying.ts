import type { components } from '../../generated/api.ts';
import { AppError } from '../lib/errors.ts';
import { dueMicro } from '../payments/present.ts';
import type { Payment } from '../payments/types.ts';
import type { Sandbox } from './sandbox.ts';
import { until } from './sync.ts';

export type PayRequest = components['schemas']['PaySandboxPaymentRequest'] & {
  readonly paymentId: string;
  /** The merchant whose payment it must be; any merchant when absent. */
  readonly merchantId?: string;
};

const CREDITED_WITHIN_MS = 5_000;

/** What is due, in micro-dollars. Throws CONFLICT when nothing is. */
export function requireDue(payment: Payment): bigint {
  const due = dueMicro(payment);
  if (due > 0n) return due;
  throw new AppError('CONFLICT', 'Nothing is due on this payment. Give an amount to pay it all the same.');
}

/** Waits until the transfer is a credit of the payment and applied to it; gives up when no watcher runs. */
export async function untilCredited(
  sandbox: Sandbox,
  paymentId: string,
  txHash: string,
  confirmed: boolean,
): Promise<void> {
  sandbox.poke?.();
  await until(CREDITED_WITHIN_MS, async () => {
    const credit = await sandbox.db
      .selectFrom('credits')
      .select(['applied_at', 'confirmed_at', 'parked_at'])
      .where('payment_id', '=', paymentId)
      .where('tx_hash', '=', txHash)
      .where('canonical', '=', true)
      .executeTakeFirst();
    if (!credit) return false;
    return credit.parked_at !== null || (credit.applied_at !== null && (!confirmed || credit.confirmed_at !== null));
  });
}
