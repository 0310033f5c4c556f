import Fastify from 'fastify';
import { recordAudit } from '../../src/audit/record.ts';
import { isWalletAddress } from '../../src/chains/evm/wallet-address.ts';
import { type Listener, startListener } from '../../src/db/listen.ts';
import { createEvents } from '../../src/events/record.ts';
import { registerTokens } from '../../src/http/tokens.ts';
import { createPasswords } from '../../src/identity/passwords.ts';
import { createSecondFactors } from '../../src/identity/second-factor.ts';
import { createThrottle } from '../../src/identity/throttle.ts';
import { openAccounts } from '../../src/ledger/accounts.ts';
import type { Db, Trx } from '../../src/lib/db-types.ts';
import { createKeyRing } from '../../src/lib/envelope.ts';
import type { MerchantDeps } from '../../src/merchants/handlers.ts';
import { registerMerchant } from '../../src/merchants/service.ts';
import type { StatusChangeDeps } from '../../src/merchants/status-changes.ts';
import { createMerchantSessions, type MerchantSessions, merchantVerifier } from '../../src/merchants/verifier.ts';
import { createOutbound } from '../../src/outbound/outbound.ts';
import type { AuditTrail, Circumstances } from '../../src/ports/operation.ts';
import { wakeSubscriptions } from '../../src/subscriptions/merchants.ts';
import { fanOutToEndpoints } from '../../src/webhooks/fan-out.ts';
import { createWebhookKeys } from '../../src/webhooks/keys.ts';
import type { TestConnection } from './connection.ts';
import { revokeKeysWith } from './merchants-moved.ts';

/** Cheap hashes: their cost is tested elsewhere. */
const CHEAP = { memoryKib: 64, passes: 1, lanes: 1 };

export type TestMerchants = {
  readonly deps: MerchantDeps & StatusChangeDeps;
  readonly sessions: MerchantSessions;
  readonly listener: Listener;
  readonly close: () => Promise<void>;
};

/** Everything that the merchants folder needs, built from the real parts. */
export async function makeTestMerchants({ db, database }: TestConnection): Promise<TestMerchants> {
  const app = Fastify();
  const tokens = await registerTokens(app, { 'merchant-api': 'm'.repeat(32), 'admin-api': 'a'.repeat(32) });
  await app.ready();
  const ring = createKeyRing(Buffer.alloc(32, 1));
  const outbound = createOutbound({ sandbox: false, allowedPrivateCidrs: [] });
  const listener = await startListener(database.url, () => {});
  const sessions = createMerchantSessions(db, listener);
  const events = createEvents({ livemode: false, fanOut: fanOutToEndpoints });
  const deps: TestMerchants['deps'] = {
    db,
    tokens,
    passwords: createPasswords(CHEAP),
    throttle: createThrottle(db, { secret: Buffer.alloc(32, 2), scale: 10 }),
    verifier: merchantVerifier({ tokens, sessions }),
    secondFactors: createSecondFactors({ sideDb: db, keyRing: ring, livemode: false }),
    events,
    revokeKeys: revokeKeysWith({ events, keyRing: ring, livemode: false }),
    followStatus: wakeSubscriptions,
    forgetSessions: sessions.forget,
    validateAddress: isWalletAddress,
    checkUrl: outbound.checkUrl,
    livemode: false,
    checkoutUrl: 'http://localhost:3000/checkout',
    createKeys: (trx, merchantId, now) => createWebhookKeys(trx, ring, merchantId, now),
    openAccounts,
  };
  const close = async (): Promise<void> => {
    await listener.stop();
    await outbound.close();
    await app.close();
  };
  return { deps, sessions, listener, close };
}

export type TestTrail = AuditTrail & { readonly drafts: Parameters<AuditTrail['record']>[1][] };

/** The circumstances of a call at `now` from a documentation address; `audit.drafts` collects what would be audited. */
export function circumstancesAt(now: Date, ip = '203.0.113.7'): Circumstances & { readonly audit: TestTrail } {
  const drafts: TestTrail['drafts'] = [];
  const origin = { ip, userAgent: 'test', requestId: 'req-test' };
  const recordOther: AuditTrail['recordOther'] = (trx, action, draft) =>
    recordAudit(
      trx,
      {
        actorType: draft.actor?.type ?? 'system',
        actorId: draft.actor?.id ?? '',
        action,
        resourceId: draft.resourceId ?? '',
        merchantId: draft.merchantId ?? null,
        origin,
        metadata: draft.metadata ?? {},
      },
      now,
    );
  const audit: TestTrail = {
    drafts,
    note: () => {},
    record: async (_trx, draft) => void drafts.push(draft),
    recordOther,
  };
  return { origin, now, real: now, audit };
}

let registered = 0;

export const PASSWORD = 'Str0ng-enough';

/** A new merchant with its first session. */
export function registerTestMerchant(deps: MerchantDeps, now: Date, email?: string) {
  registered += 1;
  const body = {
    businessName: 'Ceylon Tea House',
    email: email ?? `owner${registered}@example.com`,
    password: PASSWORD,
    phone: '+94 77 123 4567',
    businessType: 'company' as const,
  };
  return registerMerchant(deps, body, circumstancesAt(now));
}

/** Stores an active merchant and nothing else: no session, no accounts, no keys. */
export async function insertBareMerchant(db: Db | Trx, id: string, at: Date): Promise<void> {
  await db
    .insertInto('merchants')
    .values({
      id,
      business_name: 'Ceylon Tea House',
      email: `${id}@example.com`,
      password_hash: 'none',
      phone: '+94771234567',
      business_type: 'company',
      status: 'active',
      created_at: at,
      updated_at: at,
    })
    .execute();
}
