import type { components } from '../../generated/api.ts';
import { NOW } from './public-payment.ts';

type PublicRefund = components['schemas']['PublicRefund'];

/** The token in the link of the only refund. */
export const CLAIM = 'Q2xhaW1Ub2tlbk9mVGhpcnR5VHdvQnl0ZXMtMDAwMDA';

/** The public view of a refund of 3,000 rupees whose payer has not said yet where it shall go. */
export function publicRefund(change: Partial<PublicRefund> = {}): PublicRefund {
  return {
    status: 'awaiting_claim',
    merchantName: 'Ceylon Tea House',
    merchantContact: { email: 'help@teahouse.example', url: null, website: null },
    merchantBrand: { color: null, logoUrl: null },
    paymentId: 'pay_01jggfnds9e9gt3f3v5s7k2m4n',
    paymentAmount: 4500,
    amount: 3000,
    currency: 'LKR',
    ...{ token: 'USDT', network: 'devnet', tokenAmount: '10.000000' },
    reason: 'The workshop was shorter than announced.',
    ...{ destinationAddress: null, isChangeable: true, isProven: false, wallet: null, txHash: null },
    createdAt: NOW.toISOString(),
    livemode: true,
    ...change,
  };
}
