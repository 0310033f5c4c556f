import type { components } from '../../generated/api.ts';
import { NOW, paymentOption, publicPayment } from './public-payment.ts';

type PublicPayment = components['schemas']['PublicPayment'];
type PaymentOption = components['schemas']['PaymentOption'];
type Transaction = PublicPayment['transactions'][number];

const ADDRESSES = {
  BTC: 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4',
  ETH: '0xD1220A0cf47c7B9Be7A2E6BA89F429762e7b9aDb',
};
/** How long the quote of an option holds, unless a test says otherwise. */
const HOLDS_MS = 760_000;
export const TXID = '7f1c2a9be04d6358a1b7c0e9d2f4836a5b6c7d8e9f0a1b2c3d4e5f60718293a4';
export const OTHER_TXID = 'c0ffee0b7a5d4e3f2a1b0c9d8e7f6a5b4c3d2e1f0a9b8c7d6e5f4a3b2c1d0e9f';

type Change = { readonly holdsMs?: number; readonly unavailable?: boolean };

/** An option in a coin, quoted for 12 minutes and 40 seconds more. */
export function coinOption(
  token: 'BTC' | 'ETH',
  network: string,
  amount: string,
  { holdsMs = HOLDS_MS, unavailable = false }: Change = {},
): PaymentOption {
  const address = ADDRESSES[token];
  const chainId = token === 'ETH' ? 1 : null;
  const paymentUri =
    token === 'BTC'
      ? `bitcoin:${address}?amount=${amount}`
      : `ethereum:${address}@1?value=${BigInt(amount.replace('.', '')) * 10n ** 10n}`;
  const expiresAt = new Date(NOW.getTime() + holdsMs).toISOString();
  const quote = { rate: '60000', source: 'fixed', quotedAt: NOW.toISOString(), expiresAt };
  const decimals = token === 'BTC' ? 8 : 18;
  return { token, network, chainId, amount, address, paymentUri, contract: null, decimals, quote, unavailable };
}

/** The changes by which a payment describes this option of its own. */
export const choosing = ({ token, network, amount, address, paymentUri, unavailable }: PaymentOption) => ({
  ...{ token, network, tokenAmount: amount, tokenAmountDue: amount },
  cryptoAddress: unavailable ? '' : address,
  paymentUri: unavailable ? '' : paymentUri,
});

/** A payment of 4,500 rupees that takes all four tokens, of which the payer has chosen Bitcoin. */
export function coinPayment(change: Partial<PublicPayment> = {}, bitcoin: PaymentOption | null = null): PublicPayment {
  const chosen = bitcoin ?? coinOption('BTC', 'bitcoin', '0.00025000');
  return publicPayment({
    options: [
      ...['ethereum', 'base'].map((network) => paymentOption('USDT', network, '15.000000')),
      paymentOption('USDC', 'base', '15.000000'),
      ...['ethereum', 'base'].map((network) => coinOption('ETH', network, '0.00500001')),
      chosen,
    ],
    status: 'pending',
    confirmations: { seen: 0, required: 2 },
    ...choosing(chosen),
    ...change,
  });
}

/** A transfer of all of it in Bitcoin, which waits for a block unless it has confirmations. */
export const bitcoinTransfer = (change: Partial<Transaction> = {}): Transaction => ({
  hash: TXID,
  network: 'bitcoin',
  token: 'BTC',
  amount: '0.00025000',
  confirmations: 0,
  block: 0,
  blockTime: NOW.toISOString(),
  worth: { amount: '15.000000', rate: '60000', source: 'fixed', quotedAt: NOW.toISOString() },
  value: 4500,
  astray: null,
  internal: false,
  ...change,
});

/** The changes after all of it was seen in Bitcoin. */
export const bitcoinArrived = (change: Partial<Transaction> = {}): Partial<PublicPayment> => ({
  ...{ status: 'confirming', amountReceived: 4500, amountDue: 0, tokenAmountDue: '0.00000000' },
  confirmations: { seen: change.confirmations ?? 0, required: 2 },
  transactions: [bitcoinTransfer(change)],
});
