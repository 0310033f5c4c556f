import type { Selectable } from 'kysely';
import type { components } from '../../generated/api.ts';
import type { Merchants } from '../../generated/db.ts';
import { lookUpOn } from '../db/look-ups.ts';
import type { Db, Trx } from '../lib/db-types.ts';
import { notFound } from '../lib/errors.ts';
import type { Id } from '../lib/ids.ts';
import type { MerchantStanding, MerchantStatus } from '../ports/security.ts';
import type { CollectsBy } from './guard.ts';
import { type LogoDeps, logoUrlOf } from './logo.ts';
import type { BusinessType, Merchant, RefundOfferException } from './merchant.ts';

type Row = Omit<Selectable<Merchants>, 'password_hash' | 'terms'> & {
  readonly webhook_url: string | null;
  readonly two_factor_since: Date | null;
};

/** Merchants with their webhook URL and second factor. */
export const selectMerchant = (db: Db | Trx) =>
  db
    .selectFrom('merchants as m')
    .leftJoin('webhook_endpoints as e', 'e.merchant_id', 'm.id')
    .leftJoin('second_factors as f', 'f.holder_id', 'm.id')
    .select([
      'm.id',
      'm.business_name',
      'm.email',
      'm.phone',
      'm.business_type',
      'm.status',
      'm.status_reason',
      'm.rejected_at',
      'm.wallet_address',
      'm.payment_tolerance_bps',
      'm.refund_offers',
      'm.refund_offer_minimum_cents',
      'm.support_email',
      'm.support_url',
      'm.website',
      'm.brand_color',
      'm.logo_name',
      'm.send_receipts',
      'm.embed_origins',
      'm.created_at',
      'm.updated_at',
      'e.url as webhook_url',
      'f.enabled_at as two_factor_since',
    ]);

/** A row of `selectMerchant`. */
export const toMerchant = (row: Row): Merchant => ({
  id: row.id as Id<'merchant'>,
  businessName: row.business_name,
  email: row.email,
  phone: row.phone,
  businessType: row.business_type as BusinessType,
  status: row.status as MerchantStatus,
  statusReason: row.status_reason,
  rejectedAt: row.rejected_at,
  walletAddress: row.wallet_address,
  webhookUrl: row.webhook_url,
  twoFactorEnabled: row.two_factor_since !== null,
  paymentToleranceBps: row.payment_tolerance_bps,
  refundOffers: row.refund_offers as RefundOfferException[],
  refundOfferMinimum: row.refund_offer_minimum_cents,
  supportEmail: row.support_email,
  supportUrl: row.support_url,
  website: row.website,
  brandColor: row.brand_color,
  logoName: row.logo_name,
  sendReceipts: row.send_receipts,
  embedOrigins: row.embed_origins,
  createdAt: row.created_at,
  updatedAt: row.updated_at,
});

/** The merchant; throws NOT_FOUND. */
export async function getMerchant(db: Db | Trx, id: string): Promise<Merchant> {
  const [row] = await lookUpOn(db, selectMerchant(db).where('m.id', '=', id));
  if (row === undefined) throw notFound('merchant');
  return toMerchant(row);
}

/** The merchant with this id or (normalised) e-mail address. */
export async function findMerchant(db: Db | Trx, idOrEmail: string): Promise<Merchant | undefined> {
  const row = await selectMerchant(db)
    .where((eb) => eb.or([eb('m.id', '=', idOrEmail), eb('m.email', '=', idOrEmail)]))
    .executeTakeFirst();
  return row && toMerchant(row);
}

/**
 * Takes the row lock that serialises every change to one merchant; throws NOT_FOUND. Inserts of rows that refer to the
 * merchant don't wait.
 */
export async function lockMerchant(trx: Trx, id: string): Promise<Merchant> {
  const row = await selectMerchant(trx).where('m.id', '=', id).forNoKeyUpdate('m').executeTakeFirst();
  if (!row) throw notFound('merchant');
  return toMerchant(row);
}

/**
 * Takes a share lock, so that the merchant can't change until the transaction ends; throws NOT_FOUND. Changes wait,
 * other share locks don't.
 */
export async function lockMerchantShared(trx: Trx, id: string): Promise<Merchant> {
  const row = await selectMerchant(trx).where('m.id', '=', id).forShare('m').executeTakeFirst();
  if (!row) throw notFound('merchant');
  return toMerchant(row);
}

/** The credentials that a login is checked against. */
export type MerchantCredentials = {
  readonly id: Id<'merchant'>;
  readonly email: string;
  readonly passwordHash: string;
  readonly status: MerchantStatus;
};

const selectCredentials = (db: Db | Trx) =>
  db.selectFrom('merchants').select(['id', 'email', 'password_hash', 'status']);

type CredentialsRow = { id: string; email: string; password_hash: string; status: string };

const toCredentials = (row: CredentialsRow): MerchantCredentials => ({
  id: row.id as Id<'merchant'>,
  email: row.email,
  passwordHash: row.password_hash,
  status: row.status as MerchantStatus,
});

/** The credentials of a (normalised) e-mail address. */
export async function findCredentialsByEmail(db: Db, email: string): Promise<MerchantCredentials | undefined> {
  const [row] = await lookUpOn(db, selectCredentials(db).where('email', '=', email));
  return row && toCredentials(row);
}

/** The credentials of a merchant; throws NOT_FOUND. */
export async function getCredentials(db: Db, id: string): Promise<MerchantCredentials> {
  const row = await selectCredentials(db).where('id', '=', id).executeTakeFirst();
  if (!row) throw notFound('merchant');
  return toCredentials(row);
}

/** Locks the merchant and reads its credentials; throws NOT_FOUND. */
export async function lockCredentials(trx: Trx, id: string): Promise<MerchantCredentials> {
  const row = await selectCredentials(trx).where('id', '=', id).forNoKeyUpdate().executeTakeFirst();
  if (!row) throw notFound('merchant');
  return toCredentials(row);
}

/** Stores a new password hash. */
export async function savePasswordHash(trx: Trx, id: string, passwordHash: string): Promise<void> {
  await trx.updateTable('merchants').set({ password_hash: passwordHash }).where('id', '=', id).execute();
}

/** What payers see of a merchant. */
export type MerchantFace = Pick<
  components['schemas']['PublicPayment'],
  'merchantName' | 'merchantContact' | 'merchantBrand' | 'embedOrigins'
>;

/** The merchant as payers see it. */
export async function getMerchantFace(db: Db | Trx, merchantId: string, deps: LogoDeps): Promise<MerchantFace> {
  return (await getMerchantAtWork(db, merchantId, deps)).face;
}

/** The same, with what says whether the merchant may collect. */
export async function getMerchantAtWork(db: Db | Trx, merchantId: string, deps: LogoDeps) {
  const query = db.selectFrom('merchants').select(FACE).select(COLLECTS_BY).where('id', '=', merchantId);
  const [row] = await lookUpOn(db, query);
  if (row === undefined) throw new Error(`there is no merchant ${merchantId}`);
  return { face: toFace(row, deps), ...toCollectsBy(row) };
}

/** What says whether the merchant may collect; throws NOT_FOUND. */
export async function getCollectsBy(db: Db | Trx, merchantId: string): Promise<CollectsBy> {
  const row = await db.selectFrom('merchants').select(COLLECTS_BY).where('id', '=', merchantId).executeTakeFirst();
  if (!row) throw notFound('merchant');
  return toCollectsBy(row);
}

/** The columns of a merchant that say whether it may collect. */
const COLLECTS_BY = ['status', 'rejected_at'] as const;

/** What these columns say. */
const toCollectsBy = (row: Pick<Selectable<Merchants>, (typeof COLLECTS_BY)[number]>): CollectsBy => ({
  status: row.status as MerchantStatus,
  rejectedAt: row.rejected_at,
});

/** The columns of a merchant `m` that requests need. */
export const STANDING = ['m.status', 'm.rejected_at', 'm.payment_tolerance_bps'] as const;

export type StandingRow = Pick<Selectable<Merchants>, 'status' | 'rejected_at' | 'payment_tolerance_bps'>;

/** What these columns say. */
export const toStanding = (row: StandingRow): MerchantStanding => ({
  ...toCollectsBy(row),
  toleranceBps: row.payment_tolerance_bps,
});

/** The columns of a merchant that payers see. */
export const FACE = [
  'business_name',
  'support_email',
  'support_url',
  'website',
  'brand_color',
  'logo_name',
  'embed_origins',
] as const;

/** What payers see in these columns. */
export const toFace = (row: Pick<Selectable<Merchants>, (typeof FACE)[number]>, deps: LogoDeps): MerchantFace => ({
  merchantName: row.business_name,
  merchantContact: { email: row.support_email, url: row.support_url, website: row.website },
  merchantBrand: { color: row.brand_color, logoUrl: logoUrlOf(row.logo_name, deps) },
  embedOrigins: row.embed_origins,
});

/** Whether the merchant exists, in any state. */
export async function merchantExists(db: Db, merchantId: string): Promise<boolean> {
  return (await db.selectFrom('merchants').select('id').where('id', '=', merchantId).executeTakeFirst()) !== undefined;
}

/** Whether a merchant has this (normalised) e-mail address. */
export async function hasEmail(db: Db, email: string): Promise<boolean> {
  return (await findCredentialsByEmail(db, email)) !== undefined;
}

export type MerchantDraft = Pick<Merchant, 'id' | 'businessName' | 'email' | 'phone' | 'businessType'> & {
  readonly passwordHash: string;
};

/** Inserts a merchant in pending_verification; false when its e-mail address is taken. */
export async function insertMerchant(trx: Trx, draft: MerchantDraft, now: Date): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await trx
    .insertInto('merchants')
    .values({
      id: draft.id,
      business_name: draft.businessName,
      email: draft.email,
      password_hash: draft.passwordHash,
      phone: draft.phone,
      business_type: draft.businessType,
      status: 'pending_verification',
      created_at: now,
      updated_at: now,
    })
    .onConflict((conflict) => conflict.column('email').doNothing())
    .executeTakeFirst();
  return numInsertedOrUpdatedRows === 1n;
}

/** Writes the fields that can change; the caller holds the lock. The webhook URL is saved by `saveWebhookUrl`. */
export async function saveMerchant(trx: Trx, merchant: Merchant): Promise<void> {
  await trx
    .updateTable('merchants')
    .set({
      business_name: merchant.businessName,
      phone: merchant.phone,
      business_type: merchant.businessType,
      status: merchant.status,
      status_reason: merchant.statusReason,
      wallet_address: merchant.walletAddress,
      payment_tolerance_bps: merchant.paymentToleranceBps,
      refund_offers: [...merchant.refundOffers],
      refund_offer_minimum_cents: merchant.refundOfferMinimum,
      support_email: merchant.supportEmail,
      support_url: merchant.supportUrl,
      website: merchant.website,
      brand_color: merchant.brandColor,
      logo_name: merchant.logoName,
      send_receipts: merchant.sendReceipts,
      embed_origins: [...merchant.embedOrigins],
      updated_at: merchant.updatedAt,
    })
    .where('id', '=', merchant.id)
    .execute();
}

/** Stores the webhook URL. A new URL enables the endpoint again; null deletes it. */
export async function saveWebhookUrl(trx: Trx, merchantId: string, url: string | null, now: Date): Promise<void> {
  if (url === null) {
    await trx.deleteFrom('webhook_endpoints').where('merchant_id', '=', merchantId).execute();
    return;
  }
  const enabled = { url, status: 'enabled', disabled_reason: null, failing_since: null, updated_at: now };
  await trx
    .insertInto('webhook_endpoints')
    .values({ merchant_id: merchantId, ...enabled })
    .onConflict((conflict) => conflict.column('merchant_id').doUpdateSet(enabled))
    .execute();
}
