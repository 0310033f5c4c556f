import { after, SECOND_MS } from '../lib/clock.ts';
import type { Trx } from '../lib/db-types.ts';
import type { KeyRing } from '../lib/envelope.ts';
import { AppError } from '../lib/errors.ts';
import { lockMerchant } from '../merchants/queries.ts';
import { createWebhookKeys, listKeys, type WebhookKey } from './keys.ts';

/** How many older keys may sign beside the active one. */
const RETIRING_MAX = 3;

export type Rotation = {
  readonly merchantId: string;
  /** How long the key that was active signs along; with 0 every older key ends now. */
  readonly gracePeriodSeconds: number;
  readonly now: Date;
  readonly real: Date;
};

/**
 * Gives a merchant a new key, which signs everything that is claimed from the commit on. Who signs is read with every claim and every
 * question, so no process has anything to forget. CONFLICT when too many would sign along.
 */
export async function rotateKeys(trx: Trx, ring: KeyRing, rotation: Rotation): Promise<WebhookKey> {
  const { merchantId, gracePeriodSeconds, now, real } = rotation;
  await lockMerchant(trx, merchantId); // Two at once would both end the same key.
  const old = await listKeys(trx, merchantId, real);
  if (gracePeriodSeconds > 0 && old.length > RETIRING_MAX) throw tooMany(old);
  await trx
    .updateTable('webhook_keys')
    .set({ retires_at: after(real, gracePeriodSeconds * SECOND_MS) })
    .where('merchant_id', '=', merchantId)
    .where((eb) =>
      gracePeriodSeconds > 0
        ? eb('retires_at', 'is', null)
        : eb.or([eb('retires_at', 'is', null), eb('retires_at', '>', real)]),
    )
    .execute();
  return createWebhookKeys(trx, ring, merchantId, now);
}

function tooMany(keys: readonly WebhookKey[]): AppError {
  const ends = keys.flatMap(({ retiresAt }) => retiresAt?.toISOString() ?? []).sort();
  return new AppError(
    'CONFLICT',
    `Three older keys still sign along, the most that may. The first ends at ${ends[0]}; send gracePeriodSeconds 0 to end all of them now.`,
  );
}
