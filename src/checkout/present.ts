import type { components } from '../../generated/api.ts';
import { presentFiat } from '../lib/money.ts';
import type { Session, SessionStatus } from './session.ts';

type Schemas = components['schemas'];

export type SessionPresentDeps = { readonly checkoutUrl: string };

/** The page that the payer is sent to. */
export const sessionUrl = (id: string, deps: SessionPresentDeps): string => `${deps.checkoutUrl}/session/${id}`;

/** A session as its merchant sees it, in the given status. */
export function presentSession(
  session: Session,
  status: SessionStatus,
  deps: SessionPresentDeps,
): Schemas['CheckoutSession'] {
  return {
    ...presentCommon(session, status, deps),
    metadata: session.metadata as Schemas['Metadata'],
    createdAt: session.createdAt.toISOString(),
  };
}

/** A session as its payer sees it. */
export function presentPublicSession(
  session: Session,
  status: SessionStatus,
  deps: SessionPresentDeps & { readonly livemode: boolean },
): Schemas['PublicCheckoutSession'] {
  return {
    ...presentCommon(session, status, deps),
    merchantName: session.merchantName,
    livemode: deps.livemode,
  };
}

const presentCommon = (session: Session, status: SessionStatus, deps: SessionPresentDeps) => ({
  id: session.id,
  status,
  amount: presentFiat(session.amountMinor),
  currency: session.currency,
  paymentId: session.paymentId,
  checkoutUrl: sessionUrl(session.id, deps),
  successUrl: session.successUrl,
  cancelUrl: session.cancelUrl,
  expiresAt: session.expiresAt.toISOString(),
});
