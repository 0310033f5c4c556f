import type { components } from '../../generated/api.ts';
import { NOW } from './public-payment.ts';

type PublicSubscription = components['schemas']['PublicSubscription'];

const DAY_MS = 86_400_000;
const PAYER = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8';
const TOKEN = '0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359';
const COLLECTOR = '0xe7f1725E7734CE288F8367e1Bb143E90bb3F0512';
const REF = '0x9c2e4f6a8b0d1c3e5f7091a2b3c4d5e6f708192a3b4c5d6e7f8091a2b3c4d5e6';

const MERCHANT = {
  merchantName: 'Ceylon Tea House',
  merchantContact: { email: null, url: null, website: null },
  merchantBrand: { color: null, logoUrl: null },
  merchantCollects: true,
};

/** `days` after NOW. */
export const inDays = (days: number): string => new Date(NOW.getTime() + days * DAY_MS).toISOString();

/** The state with an active mandate: the customer has nothing to sign. */
export const AGREED = {
  mandateStatus: 'active',
  submittedAt: null,
  typedData: null,
  nextChargeAt: inDays(30),
} satisfies Partial<PublicSubscription>;

/** The public view of a monthly subscription for 25 dollars without a mandate yet, with changes. */
export function publicSubscription(change: Partial<PublicSubscription> = {}): PublicSubscription {
  const limits = {
    maxPerPeriod: '25000000',
    period: 2_419_200,
    start: 1_767_319_445,
    end: 2_082_855_845,
    carry: 1,
    ref: REF,
  };
  const typedData: PublicSubscription['typedData'] = {
    types: { EIP712Domain: [{ name: 'name', type: 'string' }], Mandate: [{ name: 'payer', type: 'address' }] },
    primaryType: 'Mandate',
    domain: { name: 'Kasi Subscriptions', version: '1', chainId: 31_337, verifyingContract: COLLECTOR.toLowerCase() },
    message: { payer: PAYER.toLowerCase(), token: TOKEN.toLowerCase(), ...limits },
  };
  return {
    id: 'sub_01jggm8d2f5h7k9m1p3r6t8v0x',
    ...MERCHANT,
    planName: 'Tea club',
    description: 'A parcel of fresh tea every month.',
    amount: 25,
    currency: 'USD',
    interval: 'monthly',
    ...{ status: 'active', cancelReason: null, trialEnd: null, paidUntil: null },
    firstChargeAt: inDays(0),
    nextChargeAt: null,
    currentPeriodEnd: inDays(31),
    walletAddress: PAYER,
    network: 'devnet',
    chainId: 31_337,
    token: 'USDT',
    tokenContract: TOKEN,
    tokenDecimals: 6,
    collector: COLLECTOR,
    mandateStatus: 'pending',
    agreeBy: 'signature',
    submittedAt: null,
    failureCode: null,
    mandate: {
      id: '0x3f1a9d0c7b6e5842f1d0c9b8a7968574635241302f1e0d9c8b7a695847362514',
      payer: PAYER,
      token: TOKEN,
      ...limits,
    },
    typedData,
    terms: {
      mostPerCharge: '25.000000',
      mostAtOnce: '50.000000',
      mostInAll: '3275.000000',
      windowDays: 28,
      from: inDays(-1 / 24),
      until: '2036-01-02T03:04:05.000Z',
    },
    allowance: { recommended: '325000000' },
    livemode: true,
    ...change,
  };
}

const { mandate } = publicSubscription();

/** The differences for 4,500 rupees. */
export const IN_RUPEES = {
  amount: 4500,
  currency: 'LKR',
  mandate: { ...mandate, maxPerPeriod: '18750000' },
  terms: {
    ...publicSubscription().terms,
    mostPerCharge: '18.750000',
    mostAtOnce: '37.500000',
    mostInAll: '2456.250000',
  },
  allowance: { recommended: '243750000' },
} satisfies Partial<PublicSubscription>;

/** The differences with two weeks of trial. */
export const WITH_TRIAL = {
  status: 'trialing',
  trialEnd: inDays(14),
  firstChargeAt: inDays(14),
  nextChargeAt: inDays(14),
  currentPeriodEnd: inDays(14),
} satisfies Partial<PublicSubscription>;
