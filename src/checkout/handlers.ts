import type { components } from '../../generated/api.ts';
import { after, MINUTE_MS } from '../lib/clock.ts';
import type { Db } from '../lib/db-types.ts';
import { invalidField, notFound } from '../lib/errors.ts';
import type { JsonObject } from '../lib/json.ts';
import { parseFiat } from '../lib/money.ts';
import { findPageProblem } from '../lib/page-url.ts';
import { requireMayCollect, requireMayCreate } from '../merchants/guard.ts';
import { parseItems } from '../payments/items.ts';
import type { PaymentDeps } from '../payments/service.ts';
import type { Call, HandlersOf } from '../ports/operation.ts';
import { presentPublicSession, presentSession, sessionUrl } from './present.ts';
import { findSession, type SessionRef } from './queries.ts';
import { createSession, expireSession, type SessionRequest } from './service.ts';
import { type Session, statusOf } from './session.ts';

export type SessionHandlerDeps = PaymentDeps & { readonly db: Db; readonly livemode: boolean };

type Operation =
  | 'createCheckoutSession'
  | 'createSdkCheckoutSession'
  | 'getCheckoutSession'
  | 'expireCheckoutSession'
  | 'getPublicCheckoutSession';

const LIFETIME_MINUTES = 120;

/** The operations of the tag `checkout`. */
export function sessionHandlers(deps: SessionHandlerDeps): HandlersOf<Operation> {
  const create = async ({
    principal,
    body,
    now,
    trx,
  }: Call<'createCheckoutSession'> | Call<'createSdkCheckoutSession'>) => {
    requireMayCreate(principal.status);
    requireMayCollect(principal, await deps.settings.current());
    const request = parseRequest(body, principal.merchantId, now);
    const { toleranceBps: merchantToleranceBps } = principal;
    const { id, paymentId, expiresAt } = await createSession(trx, deps, { ...request, merchantToleranceBps }, now);
    const ids = { id, sessionId: id, paymentId };
    const answer = { ...ids, checkoutUrl: sessionUrl(id, deps), expiresAt: expiresAt.toISOString() };
    return { status: 200, body: answer } as const;
  };
  return {
    createCheckoutSession: create,
    createSdkCheckoutSession: create,
    getCheckoutSession: async ({ principal, params, now }) => {
      const session = await getSession(deps.db, { id: params.id, merchantId: principal.merchantId });
      return { status: 200, body: presentSession(session, statusOf(session, now), deps) };
    },
    expireCheckoutSession: async ({ principal, params, now, trx, audit }) => {
      const session = await expireSession(trx, deps, { id: params.id, merchantId: principal.merchantId }, now);
      audit.note({ metadata: { paymentId: session.paymentId } });
      return { status: 200, body: presentSession(session, session.status, deps) };
    },
    getPublicCheckoutSession: async ({ params, now }) => {
      const session = await getSession(deps.db, { id: params.id });
      return { status: 200, body: presentPublicSession(session, statusOf(session, now), deps) };
    },
  };
}

function parseRequest(
  body: components['schemas']['CreateCheckoutSessionRequest'],
  merchantId: string,
  now: Date,
): Omit<SessionRequest, 'merchantToleranceBps'> {
  return {
    merchantId,
    amountMinor: parseFiat(body.amount),
    currency: body.currency,
    description: body.description ?? null,
    items: parseItems(body.items, { amountMinor: parseFiat(body.amount), currency: body.currency }),
    customerEmail: body.customerEmail ?? null,
    locale: body.locale ?? null,
    successUrl: parseReturnUrl('successUrl', body.successUrl),
    cancelUrl: parseReturnUrl('cancelUrl', body.cancelUrl),
    metadata: (body.metadata ?? {}) as JsonObject,
    expiresAt: after(now, (body.expiresInMinutes ?? LIFETIME_MINUTES) * MINUTE_MS),
  };
}

/** A URL that a browser may be sent to, unchanged. The contract has checked its scheme and length. */
function parseReturnUrl(field: string, text: string): string {
  const problem = findPageProblem(text);
  if (problem !== null) throw invalidField(field, problem);
  return text;
}

async function getSession(db: Db, ref: SessionRef): Promise<Session> {
  const session = await findSession(db, ref);
  if (!session) throw notFound('checkout session');
  return session;
}
