import type { components } from '../../generated/api.ts';
import { conflict } from '../../src/lib/errors.ts';
import { signStatement } from '../../src/lib/jws.ts';
import { signingKey } from '../../src/lib/standard-webhooks.ts';
import { codeOf, INSTRUCTIONS_TYPE } from '../../src/payments/instructions.ts';

type PublicPayment = components['schemas']['PublicPayment'];
type PublicLink = components['schemas']['PublicPaymentLink'];
type PaymentOption = components['schemas']['PaymentOption'];
type SignedInstructions = components['schemas']['SignedInstructions'];

const SIGNER = signingKey(Buffer.alloc(32, 7));

export const NOW = new Date('2026-01-02T03:04:05.006Z');
const ADDRESS = '0xD1220A0cf47c7B9Be7A2E6BA89F429762e7b9aDb';
const HASH = '0x8a1f0c6de2b94375c1a7e09f5d3b2846a0e7c9d14f6b83520d9e1c7a4b5f6038';
const CONTRACTS: Readonly<Record<string, string>> = {
  USDT: '0xfb6916095ca1df60bb79ce92ce3ea74c37c5d359',
  USDC: '0x5fbdb2315678afecb367f032d93f642f64180aa3',
};

/** One of a payment's options, with 6 decimals. */
export function paymentOption(token: 'USDT' | 'USDC', network: string, amount: string): PaymentOption {
  const contract = CONTRACTS[token] ?? null;
  const units = BigInt(amount.replace('.', ''));
  const paymentUri = `ethereum:${contract}@31337/transfer?address=${ADDRESS}&uint256=${units}`;
  const dollar = { quote: null, unavailable: false } as const;
  return { token, network, chainId: 31337, amount, address: ADDRESS, paymentUri, contract, decimals: 6, ...dollar };
}

/** The public view of an untouched payment of 4,500 rupees, with changes. */
export function publicPayment(change: Partial<PublicPayment> = {}): PublicPayment {
  const option = paymentOption('USDT', 'devnet', '15.000000');
  return {
    id: 'pay_01jggfnds9e9gt3f3v5s7k2m4n',
    status: 'initiated',
    reason: null,
    exception: null,
    merchantContact: { email: null, url: null, website: null },
    merchantName: 'Ceylon Tea House',
    merchantBrand: { color: null, logoUrl: null },
    merchantCollects: true,
    embedOrigins: [],
    amount: 4500,
    currency: 'LKR',
    description: 'Spring tea workshop',
    items: [],
    rate: { value: '300', source: 'bank', quotedAt: NOW.toISOString() },
    token: 'USDT',
    network: 'devnet',
    tokenAmount: option.amount,
    cryptoAmount: option.amount,
    cryptoAddress: option.address,
    paymentUri: option.paymentUri,
    options: [option, paymentOption('USDC', 'devnet', '15.000000')],
    amountReceived: 0,
    amountDue: 4500,
    amountRefunded: 0,
    refundOffer: null,
    tokenAmountDue: '15.000000',
    confirmations: { seen: 0, required: 2 },
    transactions: [],
    replaced: [],
    expiresAt: new Date(NOW.getTime() + 59 * 60_000 + 7000).toISOString(),
    paidAt: null,
    ...{ thankYou: null, thankYouUrl: null },
    successUrl: null,
    cancelUrl: null,
    sessionId: null,
    linkSlug: null,
    qrCodeUrl: 'http://localhost:3000/v1/public/payments/pay_01jggfnds9e9gt3f3v5s7k2m4n/qr.png',
    livemode: true,
    ...change,
  };
}

/** The signed instructions of a payment that may be paid. Throws CONFLICT for another. */
export function signedInstructions(payment: PublicPayment, now = NOW): SignedInstructions {
  const { id: paymentId, merchantName, token, network, livemode, expiresAt } = payment;
  const option = payment.options.find((each) => each.token === token && each.network === network);
  const isDue = payment.status === 'initiated' || payment.status === 'pending';
  if (!option || !isDue || payment.cryptoAddress === '') throw conflict('Nothing is to be paid.');
  const merchantId = 'mer_01jggf3t6he2nb5w8c4y7z9m1k';
  const { chainId, contract, decimals } = option;
  const instructions = {
    ...{ version: 1, paymentId, merchantId, merchantName, network, chainId, token, contract, decimals },
    ...{ address: payment.cryptoAddress, amount: payment.tokenAmountDue },
    ...{ holdsUntil: expiresAt, expiresAt, issuedAt: now.toISOString(), livemode },
  };
  const keysUrl = `https://pay.example/v1/public/merchants/${merchantId}/webhook-keys`;
  const verifyUrl = `https://pay.example/checkout/verify/${paymentId}`;
  const signed = signStatement(SIGNER, INSTRUCTIONS_TYPE, instructions);
  return { ...signed, keysUrl, code: codeOf(instructions), verifyUrl, instructions };
}

/** The changes after `amount` of the 15 USDT has arrived. */
export function arrived(amount: number, confirmations = 1): Partial<PublicPayment> {
  const due = Math.max(0, 15 - amount);
  return {
    amountReceived: amount * 300,
    amountDue: due * 300,
    amountRefunded: 0,
    tokenAmountDue: due.toFixed(6),
    paymentUri: paymentOption('USDT', 'devnet', (due || 15).toFixed(6)).paymentUri,
    confirmations: { seen: due > 0 ? 0 : confirmations, required: 2 },
    transactions: [
      {
        hash: HASH,
        network: 'devnet',
        token: 'USDT',
        amount: amount.toFixed(6),
        confirmations,
        block: 1042,
        blockTime: '2026-01-02T03:11:40.000Z',
        worth: null,
        value: amount * 300,
        astray: null,
        internal: false,
      },
    ],
  };
}

/** What a checkout session adds to its payment. */
export const OF_SESSION = {
  sessionId: 'cs_01jggfq7w3e8yt1b4n6m9p2s5d',
  successUrl: 'https://shop.example/thanks?order=7&note=a%20b',
  cancelUrl: 'https://shop.example/cart',
} as const;

/** What the link's 25 dollars come to. */
export const SHOWN_RUPEES: PublicLink['displayAmount'] = {
  ...{ amount: 7500, currency: 'LKR' },
  rate: { value: '300', source: 'bank', quotedAt: NOW.toISOString() },
};

const QUESTION = { required: false, maxLength: null, minimum: null, maximum: null, options: [] as string[] };

/** What makes of a link one that asks a question of every kind, shows rupees, and takes twelve payments. */
export const ASKING: Partial<PublicLink> = {
  displayAmount: SHOWN_RUPEES,
  ...{ maxPayments: 12, paymentsLeft: 9, paymentsOpen: 1 },
  customFields: [
    {
      ...{ ...QUESTION, key: 'size', label: 'Size of your apron', kind: 'choice', required: true },
      options: ['Small', 'Medium', 'Large'],
    },
    {
      ...QUESTION,
      key: 'seats',
      label: 'How many of you come',
      kind: 'number',
      required: true,
      minimum: 1,
      maximum: 6,
    },
    { ...QUESTION, key: 'note', label: 'What you can not eat', kind: 'text', maxLength: 20, options: [] },
  ],
};

/** The public view of a payment link. */
export function publicLink(change: Partial<PublicLink> = {}): PublicLink {
  return {
    id: 'plink_01jggfm2k8f4rs7a0d3h6x9c5v',
    title: 'Spring tea workshop',
    description: 'Three hours, tea and cake included.\nBring a friend.',
    amount: 25,
    ...{ currency: 'USD', payerAmount: null, items: [] },
    acceptedTokens: ['USDT', 'USDC'],
    slug: 'spring-workshop',
    url: 'http://localhost:3000/checkout/pay/spring-workshop',
    merchantName: 'Ceylon Tea House',
    merchantBrand: { color: null, logoUrl: null },
    merchantCollects: true,
    embedOrigins: [],
    ...{ displayAmount: null, customFields: [], maxPayments: null, paymentsLeft: null, paymentsOpen: null },
    status: 'active',
    expiresAt: null,
    livemode: true,
    ...change,
  };
}
