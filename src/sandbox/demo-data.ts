import { randomBytes } from 'node:crypto';
import { recordAudit } from '../audit/record.ts';
import { inTransaction } from '../db/transaction.ts';
import { createPasswords } from '../identity/passwords.ts';
import { endSessions } from '../identity/sessions.ts';
import { openAccounts } from '../ledger/accounts.ts';
import type { Clock } from '../lib/clock.ts';
import type { Db, Trx } from '../lib/db-types.ts';
import type { KeyRing } from '../lib/envelope.ts';
import { AppError } from '../lib/errors.ts';
import { findMerchant, lockMerchant, savePasswordHash } from '../merchants/queries.ts';
import { createMerchant } from '../merchants/service.ts';
import { changeMerchantStatus } from '../merchants/status-changes.ts';
import { parseDraft } from '../payment-links/parse.ts';
import { createLink, type LinkDeps } from '../payment-links/service.ts';
import { createWebhookKeys } from '../webhooks/keys.ts';
import { keepSecret } from './secrets.ts';

export type DemoDeps = LinkDeps & { readonly db: Db; readonly clock: Clock; readonly keyRing: KeyRing };

/** The demo merchant's login, and its link. */
export type DemoMerchant = { readonly email: string; readonly password: string; readonly linkUrl: string };

const EMAIL = 'demo@kasi.example';
const SLUG = 'demo';
const PASSWORD_BYTES = 12;
const NO_ORIGIN = { ip: '', userAgent: '', requestId: '' };

/**
 * Makes a demo merchant with one payment link, once: later changes and deletions stay. It is verified, so that it may
 * do what others wait for, such as giving money back. Keeps the password in `demo-password` under the data folder; when
 * that file is lost, the merchant gets a new password. May be interrupted anywhere and repeated, also by several
 * processes at once.
 */
export async function ensureDemoMerchant(
  deps: DemoDeps,
  { dataDir }: { readonly dataDir: string },
): Promise<DemoMerchant> {
  // The file comes first: a merchant whose password was never stored would be useless.
  const { text: password, isNew } = keepSecret(dataDir, 'demo-password', generatePassword);
  const known = await findMerchant(deps.db, EMAIL);
  if (!known) await register(deps, password);
  else if (isNew) await setPassword(deps, known.id, password);
  await ensureVerified(deps);
  await ensureLink(deps);
  return { email: EMAIL, password, linkUrl: `${deps.checkoutUrl}/pay/${SLUG}` };
}

/** 96 random bits; the ending only satisfies the rule about kinds of characters. */
const generatePassword = (): string => `${randomBytes(PASSWORD_BYTES).toString('base64url')}-Aa1`;

async function register(deps: DemoDeps, password: string): Promise<void> {
  const { db, keyRing, clock } = deps;
  const [now, real] = [clock.now(), clock.real()];
  const body = {
    businessName: 'Kasi Demo Store',
    email: EMAIL,
    password,
    phone: '+94112345678',
    businessType: 'company' as const,
  };
  const parts = {
    db,
    passwords: createPasswords(),
    createKeys: (trx: Trx, merchantId: string, at: Date) => createWebhookKeys(trx, keyRing, merchantId, at),
    openAccounts,
  };
  const audit = {
    note: () => undefined,
    record: async (trx: Trx, draft?: { readonly resourceId?: string }) => {
      const id = draft?.resourceId ?? '';
      await record(trx, 'merchant.register', id, id, now);
    },
    recordOther: () => Promise.reject(new Error('a registration leaves no other entry')),
  };
  try {
    // Without the library that reads phone numbers, which few processes need.
    const { merchant } = await createMerchant(parts, body, { origin: NO_ORIGIN, now, real, audit });
    // No one has logged in.
    await inTransaction(db, (trx) => endSessions(trx, { type: 'merchant', id: merchant.id }, 'logout', real));
  } catch (error) {
    // On CONFLICT another process was faster.
    if (!(error instanceof AppError && error.code === 'CONFLICT')) throw error;
  }
}

async function setPassword({ db, clock }: DemoDeps, merchantId: string, password: string): Promise<void> {
  const passwordHash = await createPasswords().hash(password);
  await inTransaction(db, async (trx) => {
    await savePasswordHash(trx, merchantId, passwordHash);
    await endSessions(trx, { type: 'merchant', id: merchantId }, 'password_changed', clock.real());
    await record(trx, 'merchant.change_password', merchantId, merchantId, clock.now());
  });
}

/** A merchant that was rejected or frozen stays so. */
async function ensureVerified(deps: DemoDeps): Promise<void> {
  const [now, real] = [deps.clock.now(), deps.clock.real()];
  await inTransaction(deps.db, async (trx) => {
    const known = await findMerchant(trx, EMAIL);
    if (!known || (await lockMerchant(trx, known.id)).status !== 'pending_verification') return;
    // What depends on a merchant that nobody has used yet is nothing.
    const nothing = { forgetSessions: () => undefined, revokeKeys: async () => 0, followStatus: async () => undefined };
    await changeMerchantStatus(trx, { ...deps, ...nothing }, known.id, { kind: 'approve' }, now, real);
    await record(trx, 'merchant.approve', known.id, known.id, now);
  });
}

/** A deleted link leaves an empty row behind, so it is not made again. */
async function ensureLink(deps: DemoDeps): Promise<void> {
  const now = deps.clock.now();
  await inTransaction(deps.db, async (trx) => {
    const merchant = await trx
      .selectFrom('merchants')
      .select('id')
      .where('email', '=', EMAIL)
      .forNoKeyUpdate()
      .executeTakeFirst();
    if (!merchant) return;
    const links = trx.selectFrom('payment_links').select('id').where('merchant_id', '=', merchant.id).limit(1);
    if (await links.executeTakeFirst()) return;
    const body = {
      title: 'A pound of Ceylon tea',
      description: 'Try the checkout: pay with play money.',
      amount: 25,
      slug: SLUG,
    };
    const { link } = await createLink(trx, deps, parseDraft(body, merchant.id, now), now);
    await record(trx, 'payment_link.create', link.id, merchant.id, now);
  });
}

const record = (trx: Trx, action: string, resourceId: string, merchantId: string, now: Date): Promise<void> =>
  recordAudit(
    trx,
    { actorType: 'system', actorId: '', action, resourceId, merchantId, origin: null, metadata: {} },
    now,
  );
