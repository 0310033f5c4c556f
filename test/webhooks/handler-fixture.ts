import { recordAudit } from '../../src/audit/record.ts';
import { isWalletAddress } from '../../src/chains/evm/wallet-address.ts';
import { createSecondFactors } from '../../src/identity/second-factor.ts';
import type { Id } from '../../src/lib/ids.ts';
import type { Answer, AuditTrail } from '../../src/ports/operation.ts';
import type { SessionPrincipal } from '../../src/ports/security.ts';
import { SANDBOX_DEFAULTS } from '../../src/settings/settings.ts';
import { webhookHandlers } from '../../src/webhooks/handlers.ts';
import { createSigningKeys } from '../../src/webhooks/keys.ts';
import type { Webhooks } from './fixture.ts';

type Handlers = ReturnType<typeof webhookHandlers>;
type Success<K extends keyof Handlers> = Extract<Answer<K>, { readonly status: 200 }>;

const ORIGIN = { ip: '203.0.113.7', userAgent: 'test', requestId: 'req-test' };

/** The handlers, each called as the HTTP layer would for a merchant; `more` is the input beyond the principal. */
export function makeHandlers(hooks: Webhooks) {
  const { db, ring, log, clock, urls, events } = hooks;
  const keys = createSigningKeys(db, ring, log);
  const outbound = hooks.openOutbound();
  const handlers = webhookHandlers({
    ...{ ...urls, db, clock, events, keys, outbound, keyRing: ring },
    settings: { current: async () => SANDBOX_DEFAULTS, latest: () => SANDBOX_DEFAULTS },
    ...{ checkUrl: outbound.checkUrl, livemode: false, validateAddress: isWalletAddress, forgetSessions: () => {} },
    secondFactors: createSecondFactors({ sideDb: db, keyRing: ring, livemode: false }),
  });

  const auditOf = (merchantId: string): AuditTrail => {
    const who = { actorType: 'merchant', actorId: merchantId, merchantId, origin: ORIGIN } as const;
    return {
      note: () => {},
      recordOther: () => Promise.reject(new Error('nothing else is audited here')),
      record: (trx, draft) => {
        const entry = { ...who, action: 'webhook.test', resourceId: draft?.resourceId ?? '', metadata: {} };
        return recordAudit(trx, entry, clock.now());
      },
    };
  };

  return async <K extends keyof Handlers>(
    operation: K,
    merchantId: Id<'merchant'>,
    more: object = {},
  ): Promise<Success<K>> => {
    const principal: SessionPrincipal = {
      kind: 'merchant',
      via: 'session',
      merchantId,
      sessionId: 'ses_1',
      status: 'active',
      rejectedAt: null,
      toleranceBps: null,
    };
    const times = { now: clock.now(), real: clock.real() };
    const input = { params: {}, query: {}, headers: {}, body: undefined, origin: ORIGIN, ...times };
    const call = {
      ...input,
      principal,
      audit: auditOf(merchantId),
      keep: async () => undefined,
      signal: () => new AbortController().signal,
      ...more,
    };
    return (await (handlers[operation] as (call: object) => Promise<unknown>)(call)) as Success<K>;
  };
}
