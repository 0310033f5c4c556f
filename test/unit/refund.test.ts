import { expect, test } from 'vitest';
import { type Refund, type RefundInput, type RefundStatus, step, UNTOUCHED } from '../../src/refunds/refund.ts';

const NOW = new Date('2026-01-01T10:00:00Z');
const LATER = new Date('2026-01-02T10:00:00Z');
const BLOCK = { height: 7, hash: '0xb' };
const PAID_IN = { contract: '0xc', decimals: 18 };
const TO = { address: '0x1', by: 'payer', proven: false, at: NOW, chainTime: null } as const;

const refund = (status: RefundStatus, change: Partial<Refund> = {}): Refund => ({
  ...UNTOUCHED,
  id: 'rfd_1',
  merchantId: 'mer_1',
  paymentId: 'pay_1',
  status,
  amountMinor: 500n,
  currency: 'USD',
  fromSuspense: 0n,
  fromAvailable: 5_000_000n,
  counted: true,
  token: 'USDT',
  network: 'devnet',
  decimals: 6,
  units: 5_000_000n,
  reason: 'Sold out.',
  offered: false,
  limitedAt: NOW,
  claimHash: Buffer.alloc(32),
  destination: status === 'awaiting_claim' ? null : TO,
  createdAt: NOW,
  updatedAt: NOW,
  ...change,
});

const INPUTS: Readonly<Record<RefundInput['kind'], RefundInput>> = {
  claim: { kind: 'claim', destination: TO, isOwn: false },
  renew: { kind: 'renew', claimHash: Buffer.alloc(32, 1), limitedAt: LATER },
  cancel: { kind: 'cancel' },
  process: { kind: 'process', by: 'adm_1', notes: null, begunIn: null },
  export_again: { kind: 'export_again', begunIn: null },
  ask_to_fail: { kind: 'ask_to_fail', by: 'adm_1', notes: 'Nothing was signed.' },
  fail: { kind: 'fail', by: 'adm_1', reason: 'It came back.' },
  complete: {
    kind: 'complete',
    by: 'adm_1',
    notes: null,
    txHash: '0x1',
    transfers: null,
    block: BLOCK,
    paidIn: PAID_IN,
  },
  revert: { kind: 'revert' },
};

const NOTHING = {
  ...{
    claim: null,
    renew: null,
    cancel: null,
    process: null,
    export_again: null,
    ask_to_fail: null,
    fail: null,
    complete: null,
  },
  revert: null,
} as const;

/** What each state does with each input: the next state, the event, and the money; null is refused. */
const TABLE: Readonly<Record<RefundStatus, Readonly<Record<RefundInput['kind'], readonly unknown[] | null>>>> = {
  awaiting_claim: {
    claim: ['pending', 'refund.pending', 'stays'],
    renew: ['awaiting_claim', null, 'stays'],
    cancel: ['cancelled', 'refund.cancelled', 'returns'],
    process: null,
    export_again: null,
    ask_to_fail: null,
    fail: ['failed', 'refund.failed', 'returns'],
    complete: null,
    revert: null,
  },
  pending: {
    claim: ['pending', 'refund.pending', 'stays'],
    renew: null,
    cancel: ['cancelled', 'refund.cancelled', 'returns'],
    process: ['processing', 'refund.processing', 'stays'],
    export_again: null,
    ask_to_fail: null,
    fail: ['failed', 'refund.failed', 'returns'],
    complete: ['completed', 'refund.completed', 'leaves'],
    revert: null,
  },
  processing: {
    claim: null,
    renew: null,
    cancel: null,
    process: null,
    export_again: ['processing', null, 'stays'],
    ask_to_fail: ['processing', null, 'stays'],
    fail: ['failed', 'refund.failed', 'returns'],
    complete: ['completed', 'refund.completed', 'leaves'],
    revert: null,
  },
  completed: {
    ...NOTHING,
    revert: ['processing', 'refund.reverted', 'comes_back'],
  },
  cancelled: NOTHING,
  failed: NOTHING,
};

const CASES = Object.entries(TABLE).flatMap(([status, row]) =>
  Object.entries(row).map(([kind, wanted]) => [status, kind, wanted] as const),
);

test.each(CASES)('%s, %s', (status, kind, wanted) => {
  const input = INPUTS[kind as RefundInput['kind']];
  const destination = status === 'awaiting_claim' ? null : { ...TO, by: 'merchant' as const };
  const before = refund(status as RefundStatus, { destination });
  if (wanted === null) {
    expect(() => step(before, input, NOW)).toThrow(expect.objectContaining({ code: 'CONFLICT' }));
    return;
  }
  const { next, event, money } = step(before, input, NOW);
  expect([next.status, event, money]).toEqual(wanted);
  expect(next.eventSequence).toBe(before.eventSequence + (event === null ? 0 : 1));
  expect(next.finishedAt !== null).toBe(['completed', 'cancelled', 'failed'].includes(next.status));
  expect(next.txHash !== null).toBe(next.status === 'completed');
});

test('what the payer has claimed is promised', () => {
  expect(() => step(refund('pending'), INPUTS.cancel, NOW)).toThrow(/claimed/);
});

test('where the wallet that paid has signed for, only that wallet changes it', () => {
  const proven = refund('pending', { destination: { ...TO, proven: true } });
  expect(() => step(proven, INPUTS.claim, NOW)).toThrow(expect.objectContaining({ reason: 'refund_proven' }));
  const destination = { ...TO, proven: true };
  expect(step(proven, { kind: 'claim', destination, isOwn: true }, NOW).next.destination).toEqual(destination);
});

test('counts towards the most of a day until a wallet that has sent as much has signed for it', () => {
  const claim = (proven: boolean, isOwn: boolean) =>
    step(refund('awaiting_claim'), { kind: 'claim', destination: { ...TO, proven }, isOwn }, LATER).next.limitedAt;
  expect([claim(true, true), claim(true, false), claim(false, true)]).toEqual([null, NOW, NOW]);
  const renew = (limitedAt: Date | null) =>
    step(refund('awaiting_claim'), { kind: 'renew', claimHash: Buffer.alloc(32), limitedAt }, LATER).next.limitedAt;
  expect([renew(LATER), renew(null)]).toEqual([LATER, NOW]);
});

test('a payout that was taken back leaves nothing of its completion', () => {
  const paid = step(refund('processing'), INPUTS.complete, NOW).next;
  const again = step(paid, INPUTS.revert, NOW).next;
  expect(again).toMatchObject({
    txHash: null,
    txVerified: null,
    txBlock: null,
    txPaidIn: null,
    finishedBy: null,
    reverts: 1,
  });
});
