import type { Trx } from '../lib/db-types.ts';
import { conflict, notFound } from '../lib/errors.ts';
import { newId } from '../lib/ids.ts';
import type { JsonObject } from '../lib/json.ts';
import type { Currency } from '../lib/money.ts';
import { applyInput, createPayment, type PaymentDeps, type PaymentDraft } from '../payments/service.ts';
import type { Locale } from '../payments/types.ts';
import { presentSession } from './present.ts';
import { insertSession, lockSession, type SessionRef, saveSession, takeOutcomes } from './queries.ts';
import { type Session, statusOf, step } from './session.ts';

/** What a session needs to follow its payment. */
export type SessionDeps = Pick<PaymentDeps, 'events' | 'checkoutUrl'>;

export type SessionRequest = {
  readonly merchantId: string;
  /** The merchant's own tolerance; null means the platform's. */
  readonly merchantToleranceBps: number | null;
  readonly amountMinor: bigint;
  readonly currency: Currency;
  readonly description: string | null;
  readonly items: PaymentDraft['items'];
  readonly customerEmail: string | null;
  readonly locale: Locale | null;
  readonly successUrl: string;
  readonly cancelUrl: string;
  readonly metadata: JsonObject;
  readonly expiresAt: Date;
};

/** Makes a session and its payment, which expire at the same time. Throws what createPayment throws. */
export async function createSession(
  trx: Trx,
  deps: PaymentDeps,
  request: SessionRequest,
  now: Date,
): Promise<Pick<Session, 'id' | 'paymentId' | 'expiresAt'>> {
  const { successUrl, cancelUrl } = request;
  const id = newId('checkoutSession', now);
  const payment = await createPayment(
    trx,
    deps,
    {
      ...request,
      source: { kind: 'session', sessionId: id, successUrl, cancelUrl },
      acceptedTokens: null,
    },
    now,
  );
  insertSession(trx, { ...request, id, paymentId: payment.id, createdAt: now });
  return { id, paymentId: payment.id, expiresAt: request.expiresAt };
}

/**
 * Ends an open session by cancelling its payment. Throws NOT_FOUND, or CONFLICT when the session or its payment is no
 * longer open.
 */
export async function expireSession(
  trx: Trx,
  deps: PaymentDeps,
  ref: Required<SessionRef>,
  now: Date,
): Promise<Session> {
  const session = await lockSession(trx, ref);
  if (!session) throw notFound('checkout session');
  const status = statusOf(session, now);
  if (status !== 'open') {
    throw conflict(`The session is ${status}. Only an open session can be expired.`);
  }
  await applyInput(trx, deps, { id: session.paymentId, merchantId: ref.merchantId }, { kind: 'cancel' }, now);
  return followPayment(trx, deps, session, now);
}

/** Moves a locked session along with the recorded outcomes of its payment, and announces each change. */
export async function followPayment(trx: Trx, deps: SessionDeps, session: Session, now: Date): Promise<Session> {
  let current = session;
  for (const outcome of await takeOutcomes(trx, session.id)) {
    const { next, event } = step(current, outcome);
    current = next;
    if (event === null) continue;
    await saveSession(trx, next, now);
    const { merchantId, id: resourceId, eventSequence: sequence } = next;
    const data = presentSession(next, next.status, deps);
    await deps.events.record(trx, { merchantId, type: event, resourceId, sequence, data }, now);
  }
  return current;
}
