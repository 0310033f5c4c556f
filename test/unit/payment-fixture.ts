import type { Input } from '../../src/payments/payment.ts';
import { NO_TOTALS, type Payment, type SeenCredit, type Totals } from '../../src/payments/types.ts';

export const NOW = new Date('2026-01-01T10:00:00Z');
export const DEADLINE = new Date('2026-01-01T11:00:00Z');
export const E18 = 10n ** 18n;
export const CENT = 10n ** 16n;

/** 100 USD with a tolerance of 50 cents. */
export const payment = (change: Partial<Payment> = {}): Payment => ({
  id: 'pay_1',
  merchantId: 'mer_1',
  status: 'initiated',
  reason: null,
  exception: null,
  source: 'direct',
  linkId: null,
  sessionId: null,
  subscriptionId: null,
  chargeId: null,
  linkSnapshot: null,
  successUrl: null,
  cancelUrl: null,
  amountMinor: 10_000n,
  currency: 'USD',
  amountMicro: 100_000_000n,
  toleranceMicro: 500_000n,
  feeBps: 0,
  lateWindowMs: 86_400_000n,
  rate: { pair: 'USD/USD', valueE8: '100000000', source: 'definition', quotedAt: NOW.toISOString() },
  description: null,
  items: null,
  customerEmail: null,
  locale: null,
  metadata: {},
  customFields: null,
  options: ['USDT', 'USDC'].map((token) => ({
    token,
    network: 'devnet',
    chainId: 31337,
    contract: `0x${token}`,
    decimals: 6,
    units: '100000000',
    address: '0xabc',
    paymentUri: 'ethereum:',
  })),
  chosen: null,
  factoryAddress: '0xf',
  txHash: null,
  seenE18: 0n,
  confirmedE18: 0n,
  creditCount: 0,
  booked: { suspense: 0n, pending: 0n, available: 0n },
  returned: { counted: 0n, wrong: 0n, settled: 0n },
  settledMicro: 0n,
  settledWrongMicro: 0n,
  feeMicro: 0n,
  moves: 0,
  eventSequence: 1,
  createdAt: NOW,
  updatedAt: NOW,
  expiresAt: DEADLINE,
  confirmingAt: null,
  paidAt: null,
  reversedAt: null,
  ...change,
});

/** A transfer that counts and has this many confirmations. */
export const credit = (dollars: bigint, confirmations: number, change: Partial<SeenCredit> = {}): SeenCredit => ({
  id: `crd_${dollars}_${confirmations}`,
  network: 'devnet',
  token: 'USDT',
  txHash: '0x1',
  units: dollars * 1_000_000n,
  decimals: 6,
  valueE18: dollars * E18,
  rate: null,
  counted: true,
  canonical: true,
  inclusion: 1,
  bookedMicro: dollars * 1_000_000n,
  blockNumber: BigInt(100 - confirmations),
  blockTime: NOW,
  arrivedAt: NOW,
  wasPooled: false,
  seenAt: NOW,
  confirmedAt: null,
  hadFailed: false,
  confirmations,
  ...change,
});

/** The totals after this many cents arrived in time; `change` overrides them. */
export const totals = (seen: bigint, change: Partial<Totals> = {}): Totals => ({
  ...NO_TOTALS,
  seen: seen * CENT,
  inTime: seen * CENT,
  inLateWindow: seen * CENT,
  ...change,
});

export const observed: Input = { kind: 'observed', arrived: 1, arrivedWrong: 0 };
export const clock = (scannedTo: Date | null): Input => ({ kind: 'clock', scannedTo });
export const later = (date: Date, hours: number): Date => new Date(date.getTime() + hours * 3_600_000);
