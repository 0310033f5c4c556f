import { sql } from 'kysely';
import { after, DAY_MS, SECOND_MS } from '../lib/clock.ts';
import type { Trx } from '../lib/db-types.ts';
import type { KeyRing } from '../lib/envelope.ts';
import { type AppError, conflict } from '../lib/errors.ts';
import { lockMerchant } from '../merchants/queries.ts';
import { createWebhookKeys, listKeys, type WebhookKey } from './keys.ts';
import { KEYS_TRIED } from './verify/verify.ts';

/** How many retiring keys may sign beside the active one. */
const RETIRING_MAX = 3;
/** Deliveries that were claimed while a key signed are sent long before. */
const FORGOTTEN_AFTER_MS = DAY_MS;
/** So many of older releases go at once. */
const FORGOTTEN_MAX = 1000;

export type Rotation = {
  readonly merchantId: string;
  /** How long the previously active key keeps signing; 0 ends every older key now. */
  readonly gracePeriodSeconds: number;
  readonly real: Date;
};

/**
 * Gives a merchant a new key, which signs every delivery claimed after the commit. CONFLICT when too many keys would
 * sign at once. See decision webhooks/signing-keys-are-read-with-every-claim.
 */
export async function rotateKeys(trx: Trx, ring: KeyRing, rotation: Rotation): Promise<WebhookKey> {
  const { merchantId, gracePeriodSeconds, real } = rotation;
  await lockMerchant(trx, merchantId); // Two rotations at once would both retire the same key.
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
  await forgetKeys(trx, merchantId, after(real, -FORGOTTEN_AFTER_MS));
  return createWebhookKeys(trx, ring, merchantId, real);
}

/** Deletes keys that ended before this time and explain nothing any more. */
async function forgetKeys(trx: Trx, merchantId: string, before: Date): Promise<void> {
  await sql`
    delete from webhook_keys where retires_at < ${before} and id in (
      select id from webhook_keys where merchant_id = ${merchantId}
       order by created_at desc, id desc limit ${FORGOTTEN_MAX} offset ${KEYS_TRIED})`.execute(trx);
}

function tooMany(keys: readonly WebhookKey[]): AppError {
  const ends = keys.flatMap(({ retiresAt }) => retiresAt?.toISOString() ?? []).sort();
  return conflict(
    `Three older keys still sign along, the most that may. The first ends at ${ends[0]}; send gracePeriodSeconds 0 to end all of them now.`,
  );
}
