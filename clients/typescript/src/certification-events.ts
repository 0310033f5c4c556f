import type { EventDraft } from './generated/certify/cases.ts';
import type { SuiteEvent } from './generated/certify/play.ts';
import type { Payment } from './models.ts';

const ADDRESS = '0x000000000000000000000000000000000000dEaD';
const CONTRACT = '0x0000000000000000000000000000000000000001';
const PAYMENT_URI = `ethereum:${CONTRACT}@31337/transfer?address=${ADDRESS}&uint256=25000000`;

/** Makes events of made-up payments, each with every field of a real one. */
export function sampleEvents(merchantId: string): (draft: EventDraft) => SuiteEvent {
  const run = crypto.randomUUID().replaceAll('-', '').slice(0, 16);
  const timestamp = new Date().toISOString();
  return (draft) => {
    const id = `evt_${run}${draft.role}`;
    const paymentId = `pay_${run}${draft.payment}`;
    const { type, sequence } = draft;
    const data = samplePayment(paymentId, draft.paymentStatus, timestamp);
    const body = JSON.stringify({ id, type, timestamp, livemode: false, merchantId, sequence, data });
    return { ...draft, id, paymentId, body };
  };
}

function samplePayment(id: string, status: 'confirming' | 'paid', at: string): Payment {
  const token = { token: 'USDT', network: 'devnet' } as const;
  const chain = { chainId: 31337, contract: CONTRACT, decimals: 6, address: ADDRESS, paymentUri: PAYMENT_URI };
  const seen = status === 'paid' ? 2 : 1;
  const hash = `0x${'0'.repeat(63)}1`;
  const amount = '25.000000';
  return {
    id,
    status,
    reason: null,
    exception: null,
    amount: 25,
    currency: 'USD',
    cryptoAmount: amount,
    cryptoAddress: ADDRESS,
    ...token,
    tokenAmount: amount,
    paymentUri: PAYMENT_URI,
    options: [{ ...token, ...chain, amount, quote: null, unavailable: false }],
    amountReceived: 25,
    amountDue: 0,
    amountRefunded: 0,
    tokenAmountDue: '0.000000',
    confirmations: { seen, required: 2 },
    transactions: [
      {
        ...{ hash, ...token, amount, confirmations: seen, block: 1, blockTime: at },
        ...{ worth: null, value: 25, astray: null, internal: false },
      },
    ],
    txHash: hash,
    rate: { value: '1', source: 'simulated', quotedAt: at },
    qrCodeUrl: `http://localhost:3000/v1/public/payments/${id}/qr.png`,
    checkoutUrl: `http://localhost:3000/checkout/payment/${id}`,
    description: 'A simulated payment to test your webhook endpoint',
    items: [],
    customerEmail: 'payer@shop.example',
    metadata: { simulated: true },
    customFields: [],
    paymentLinkId: null,
    sessionId: null,
    subscriptionId: null,
    chargeId: null,
    paidAt: status === 'paid' ? at : null,
    expiresAt: at,
    createdAt: at,
  };
}
