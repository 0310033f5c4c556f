import type { components } from '../../generated/api.ts';
import { inTransaction } from '../db/transaction.ts';
import { rememberDevice } from '../identity/devices.ts';
import { normaliseEmail } from '../identity/emails.ts';
import { type Passwords, requireGoodPassword } from '../identity/passwords.ts';
import type { SecondFactors } from '../identity/second-factor.ts';
import { type BegunSession, startSession } from '../identity/sessions.ts';
import { updateIncident } from '../incidents/incidents.ts';
import type { Db, Trx } from '../lib/db-types.ts';
import { type AppError, conflict } from '../lib/errors.ts';
import { newId } from '../lib/ids.ts';
import type { JsonObject } from '../lib/json.ts';
import { inSentence } from '../lib/shown-text.ts';
import type { Circumstances } from '../ports/operation.ts';
import { drawLogo, saveLogo } from './logo.ts';
import { type Merchant, step } from './merchant.ts';
import {
  describeChange,
  diffProfile,
  opensMoney,
  type Profile,
  type ProfileRules,
  parseProfile,
  parseRegistration,
} from './profile.ts';
import { getMerchant, hasEmail, insertMerchant, lockMerchant, saveMerchant, saveWebhookUrl } from './queries.ts';
import { type AnnounceDeps, announceStatus } from './status-changes.ts';

export type RegistrationDeps = {
  readonly db: Db;
  readonly passwords: Passwords;
  /** Creates the key that signs the new merchant's webhooks. */
  readonly createKeys: (trx: Trx, merchantId: string, real: Date) => Promise<unknown>;
  /** Opens the new merchant's ledger accounts. */
  readonly openAccounts: (trx: Trx, merchantId: string) => Promise<void>;
};

type Registered = { readonly merchant: Merchant; readonly session: BegunSession };

/**
 * Creates a merchant in pending_verification with its webhook key, ledger accounts and first session. Throws
 * VALIDATION_ERROR for an invalid name, phone number or password, and CONFLICT for a taken e-mail address, in any case.
 */
export async function registerMerchant(
  deps: RegistrationDeps,
  body: components['schemas']['RegisterMerchantRequest'],
  circumstances: Circumstances,
): Promise<Registered> {
  return createMerchant(deps, { ...body, ...(await parseRegistration(body)) }, circumstances);
}

/** The same with a name and a phone number that are known to be good. */
export async function createMerchant(
  deps: RegistrationDeps,
  body: components['schemas']['RegisterMerchantRequest'],
  { origin, now, real, audit }: Circumstances,
): Promise<Registered> {
  requireGoodPassword('password', body.password);
  const email = normaliseEmail(body.email);
  // An early check that saves hashing the password; the insert below decides.
  if (await hasEmail(deps.db, email)) throw emailTaken();
  const passwordHash = await deps.passwords.hash(body.password);
  const id = newId('merchant', now);
  const { businessName, phone, businessType } = body;

  return inTransaction(deps.db, async (trx) => {
    if (!(await insertMerchant(trx, { id, email, passwordHash, businessName, phone, businessType }, now)))
      throw emailTaken();
    await deps.openAccounts(trx, id);
    await deps.createKeys(trx, id, real);
    const holder = { type: 'merchant', id } as const;
    const session = await startSession(trx, holder, origin, real);
    const deviceToken = await rememberDevice(trx, holder, { ip: origin.ip }, real);
    await audit.record(trx, { resourceId: id, actor: { type: 'merchant', id }, merchantId: id });
    return { merchant: await getMerchant(trx, id), session: { ...session, deviceToken } };
  });
}

const emailTaken = (): AppError => conflict('This e-mail address is already registered. Log in instead.');

export type UpdateDeps = AnnounceDeps & ProfileRules & { readonly secondFactors: Pick<SecondFactors, 'require'> };

/**
 * Changes the profile fields that differ; returns the merchant and metadata for the audit entry. Without a difference
 * nothing changes, `updatedAt` included. A rejected merchant that changes its profile goes back to review. What lets
 * money go elsewhere needs a code of the second factor, see `opensMoney` and `RequireSecondFactor`.
 */
export async function updateMerchant(
  trx: Trx,
  deps: UpdateDeps,
  merchantId: string,
  body: components['schemas']['UpdateMerchantRequest'],
  { now, real }: Pick<Circumstances, 'now' | 'real'>,
): Promise<{ readonly merchant: Merchant; readonly change: JsonObject }> {
  // Drawn before the lock, because that takes a while.
  const logo = body.logo ? await drawLogo(body.logo) : null;
  const wanted: Partial<Profile> = {
    ...(await parseProfile(body, deps)),
    ...(body.logo !== undefined && { logoName: logo?.name ?? null }),
  };
  const before = await lockMerchant(trx, merchantId);
  const changed = diffProfile(before, wanted);
  if (Object.keys(changed).length === 0) return { merchant: before, change: {} };
  const holder = { type: 'merchant', id: before.id } as const;
  const proof = opensMoney(before, changed) ? await deps.secondFactors.require(trx, holder, body.otp, real) : {};

  const { next, events } = step(before, { kind: 'update_profile' });
  const merchant: Merchant = { ...before, ...changed, ...next, updatedAt: now };
  await saveMerchant(trx, merchant);
  if (changed.logoName !== undefined) await saveLogo(trx, merchantId, logo);
  if (changed.webhookUrl !== undefined) await saveWebhookUrl(trx, merchantId, changed.webhookUrl, now);
  if (events.length > 0) await announceStatus(trx, deps, merchant, now);
  if (before.status === 'active' && changed.businessName !== undefined) await tellOfName(trx, before, merchant, now);
  const change: JsonObject = { changed: describeChange(before, changed), ...proof };
  return {
    merchant,
    change: events.length > 0 ? { ...change, previousStatus: before.status, newStatus: merchant.status } : change,
  };
}

/** See decision merchants/another-name-is-told. */
function tellOfName(
  trx: Trx,
  { businessName: former }: Merchant,
  { id, businessName }: Merchant,
  now: Date,
): Promise<void> {
  const message = `Payers read ${quoted(businessName)} now, and read ${quoted(former)} before.`;
  // Not `followIncident`: of names that differ in figures only it would keep the first for a minute.
  return updateIncident(trx, { kind: 'merchant.renamed', subject: id, message, detail: null }, now);
}

/** A name that ended the quotation would speak in our words. */
const quoted = (name: string): string => `"${inSentence(name.replaceAll('"', "'"))}"`;
