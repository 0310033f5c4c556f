import type { components } from '../../generated/api.ts';
import { presentFiat } from '../lib/money.ts';
import type { MerchantFace } from '../merchants/queries.ts';
import { presentUnits } from '../payments/present-transfers.ts';
import type { Payment } from '../payments/types.ts';
import { isClaimable, type Refund } from './refund.ts';

type Schemas = components['schemas'];

/** The view for the merchant, and of events. */
export const presentRefund = (refund: Refund): Schemas['Refund'] => ({
  id: refund.id,
  paymentId: refund.paymentId,
  statusMessage: refund.failure,
  offered: refund.offered,
  ...presentShared(refund),
  finishedAt: refund.finishedAt?.toISOString() ?? null,
});

/** The same with the claim link, which is shown only when it is made. */
export const presentCreated = (refund: Refund, claimUrl: string | null): Schemas['CreatedRefund'] => ({
  ...presentRefund(refund),
  claimUrl,
});

type PublicFacts = {
  readonly face: MerchantFace;
  readonly livemode: boolean;
  readonly wallet: Schemas['PublicRefund']['wallet'];
};

/** The view for the payer. */
export const presentPublicRefund = (
  refund: Refund,
  payment: Pick<Payment, 'id' | 'amountMinor'>,
  { face, livemode, wallet }: PublicFacts,
): Schemas['PublicRefund'] => ({
  ...presentShared(refund),
  merchantName: face.merchantName,
  merchantContact: face.merchantContact,
  merchantBrand: face.merchantBrand,
  paymentId: payment.id,
  paymentAmount: presentFiat(payment.amountMinor),
  isChangeable: isClaimable(refund),
  isProven: refund.destination?.proven ?? false,
  wallet,
  livemode,
});

const presentShared = (refund: Refund) => ({
  status: refund.status,
  amount: presentFiat(refund.amountMinor),
  currency: refund.currency,
  token: refund.token as Schemas['Token'],
  network: refund.network,
  tokenAmount: presentUnits(refund.token, refund.units, refund.decimals),
  reason: refund.reason,
  destinationAddress: refund.destination?.address ?? null,
  txHash: refund.txHash,
  createdAt: refund.createdAt.toISOString(),
});

/** The address of the page where a payer claims a refund. */
export const claimUrlOf = ({ checkoutUrl }: { readonly checkoutUrl: string }, secret: string): string =>
  `${checkoutUrl}/refund/${secret}`;

/** What the audit log keeps of a refund that was made. */
export const describeRefund = (refund: Refund) => {
  const { paymentId, amount, currency, token, network, tokenAmount, reason, destinationAddress } =
    presentRefund(refund);
  return { paymentId, amount, currency, token, network, tokenAmount, reason, destinationAddress };
};
