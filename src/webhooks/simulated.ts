import type { components } from '../../generated/api.ts';
import { after, HOUR_MS, MINUTE_MS } from '../lib/clock.ts';
import { newId } from '../lib/ids.ts';

type Schemas = components['schemas'];

const ADDRESS = '0x000000000000000000000000000000000000dEaD';
const CONTRACT = '0x0000000000000000000000000000000000000001';
const TX_HASH = `0x${'0'.repeat(63)}1`;
const AMOUNT = '25.000000';
const PAYMENT_URI = `ethereum:${CONTRACT}@31337/transfer?address=${ADDRESS}&uint256=25000000`;

/** The URLs of this installation. */
export type SimulationDeps = { readonly publicUrl: string; readonly checkoutUrl: string };

/** A made-up paid payment with every field of a real one; its `metadata.simulated` is true. */
export function simulatePayment(deps: SimulationDeps, now: Date): Schemas['Payment'] {
  const id = newId('payment', now);
  const paidAt = now.toISOString();
  const createdAt = after(now, -5 * MINUTE_MS).toISOString();
  const option = { token: 'USDT', network: 'devnet', chainId: 31337, contract: CONTRACT, decimals: 6 } as const;
  const transfer = {
    hash: TX_HASH,
    network: 'devnet',
    token: 'USDT',
    amount: AMOUNT,
    confirmations: 2,
    block: 1,
  } as const;
  return {
    id,
    status: 'paid',
    reason: null,
    exception: null,
    amount: 25,
    currency: 'USD',
    cryptoAmount: AMOUNT,
    cryptoAddress: ADDRESS,
    token: 'USDT',
    network: 'devnet',
    tokenAmount: AMOUNT,
    paymentUri: PAYMENT_URI,
    options: [
      { ...option, amount: AMOUNT, address: ADDRESS, paymentUri: PAYMENT_URI, quote: null, unavailable: false },
    ],
    amountReceived: 25,
    amountDue: 0,
    amountRefunded: 0,
    tokenAmountDue: '0.000000',
    confirmations: { seen: 2, required: 2 },
    transactions: [{ ...transfer, blockTime: paidAt, worth: null, value: 25, astray: null, internal: false }],
    txHash: TX_HASH,
    rate: { value: '1', source: 'simulated', quotedAt: createdAt },
    qrCodeUrl: `${deps.publicUrl}/v1/public/payments/${id}/qr.png`,
    checkoutUrl: `${deps.checkoutUrl}/payment/${id}`,
    description: 'A simulated payment to test your webhook endpoint',
    items: [],
    customerEmail: 'payer@shop.example',
    metadata: { simulated: true },
    customFields: [],
    paymentLinkId: null,
    sessionId: null,
    subscriptionId: null,
    chargeId: null,
    paidAt,
    expiresAt: after(now, HOUR_MS).toISOString(),
    createdAt,
  };
}
