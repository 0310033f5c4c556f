import { describe, expect, test } from 'vitest';
import { AppError } from '../../src/lib/errors.ts';
import {
  payableFrom,
  step,
  type Withdrawal,
  type WithdrawalInput,
  type WithdrawalStatus,
} from '../../src/withdrawals/withdrawal.ts';
import { BLOCK, HASH, NOW, WALLET, withdrawalOf } from '../support/withdrawals.ts';

const LATER = new Date('2026-01-02T08:00:00.000Z');
const PAID_IN = { contract: '0xc', decimals: 18 };
const BANK = { encryptedNumber: Buffer.alloc(1), tail: '7890', name: 'Bank of Ceylon', branch: 'Kandy' };

const STATUSES: WithdrawalStatus[] = ['pending', 'approved', 'processing', 'completed', 'rejected', 'failed'];
const INPUTS: { [K in WithdrawalInput['kind']]: Extract<WithdrawalInput, { kind: K }> } = {
  approve: { kind: 'approve', by: 'adm_1', notes: 'checked', offRampAddress: WALLET, chainTime: null },
  reject: { kind: 'reject', by: 'adm_1', reason: 'no such account' },
  cancel: { kind: 'cancel' },
  process: { kind: 'process', by: 'adm_1', notes: null, begunIn: null },
  export_again: { kind: 'export_again', begunIn: null },
  ask_to_fail: { kind: 'ask_to_fail', by: 'adm_1', notes: 'nothing was signed' },
  fail: { kind: 'fail', by: 'adm_1', reason: 'the bank sent it back' },
  complete: { kind: 'complete', by: 'adm_2', notes: '', txHash: HASH, transfers: null, block: BLOCK, paidIn: PAID_IN },
  revert: { kind: 'revert' },
};

/** Every allowed transition: the next status, its event, and what happens to the money. All others are a CONFLICT. */
const MOVES: Readonly<Record<string, string>> = {
  'pending approve': 'approved withdrawal.approved stays',
  'pending reject': 'rejected withdrawal.rejected returns',
  'pending cancel': 'rejected withdrawal.rejected returns',
  'approved process': 'processing withdrawal.processing stays',
  'approved complete': 'completed withdrawal.completed leaves',
  'approved fail': 'failed withdrawal.failed returns',
  'processing export_again': 'processing null stays',
  'processing ask_to_fail': 'processing null stays',
  'processing complete': 'completed withdrawal.completed leaves',
  'processing fail': 'failed withdrawal.failed returns',
  'completed revert': 'processing withdrawal.reverted comes_back',
};

function outcome(withdrawal: Withdrawal, input: WithdrawalInput): string {
  try {
    const { next, event, money } = step(withdrawal, input, LATER);
    return `${next.status} ${event} ${money}`;
  } catch (error) {
    return error instanceof AppError ? error.code : String(error);
  }
}

describe('what each input does in each state', () => {
  const cases = STATUSES.flatMap((status) =>
    Object.values(INPUTS).map((input) => [status, input.kind, input] as const),
  );
  test.each(cases)('%s, on %s', (status, kind, input) => {
    expect(outcome(withdrawalOf({ status }), input)).toBe(MOVES[`${status} ${kind}`] ?? 'CONFLICT');
  });

  test('a step mutates nothing, counts its event and keeps what was requested', () => {
    for (const [status, , input] of cases) {
      const before = Object.freeze(withdrawalOf({ status }));
      if (outcome(before, input) === 'CONFLICT') continue;
      const { next } = step(before, input, LATER);
      // Its merchant is told nothing.
      const eventSequence = ['ask_to_fail', 'export_again'].includes(input.kind) ? 1 : 2;
      expect(next).toMatchObject({ eventSequence, updatedAt: LATER, createdAt: before.createdAt });
      expect([next.amountMinor, next.feeMinor, next.network, next.currency, next.id]).toEqual([
        before.amountMinor,
        before.feeMinor,
        before.network,
        before.currency,
        before.id,
      ]);
    }
  });
});

describe('a step records', () => {
  test('the approver, and for a bank withdrawal where its crypto leg goes from then on', () => {
    const approved = step(withdrawalOf({ bank: BANK, destinationAddress: null }), INPUTS.approve, LATER).next;
    expect(approved).toMatchObject({ reviewedBy: 'adm_1', reviewedAt: LATER, notes: 'checked', finishedAt: null });
    expect(approved.destinationAddress).toBe(WALLET);
  });

  test('no change to the destination of a crypto withdrawal on approval', () => {
    const input = { ...INPUTS.approve, offRampAddress: '0x00000000000000000000000000000000000000ff' };
    expect(step(withdrawalOf(), input, LATER).next.destinationAddress).toBe(WALLET);
  });

  test('who asks to fail it, until it is completed', () => {
    const asked = step(withdrawalOf({ status: 'processing' }), INPUTS.ask_to_fail, LATER).next;
    expect(asked).toMatchObject({ failRequest: { by: 'adm_1', at: LATER }, notes: 'nothing was signed' });
    expect(step(asked, INPUTS.fail, LATER).next.failRequest).toEqual(asked.failRequest);
    expect(step(asked, INPUTS.complete, LATER).next.failRequest).toBeNull();
  });

  test('who finished it and when; an empty note keeps the previous one', () => {
    const approved = step(withdrawalOf(), INPUTS.approve, LATER).next;
    const completed = step(approved, INPUTS.complete, LATER).next;
    expect(completed).toMatchObject({ txHash: HASH, txVerified: true, notes: 'checked', reviewedBy: 'adm_1' });
    expect(completed).toMatchObject({ finishedBy: 'adm_2', finishedAt: LATER, reason: null });
  });

  test('the reason of a rejection or failure, for the merchant and as the latest note', () => {
    expect(step(withdrawalOf(), INPUTS.reject, LATER).next).toMatchObject({
      reviewedBy: 'adm_1',
      finishedBy: 'adm_1',
      reason: 'no such account',
      notes: 'no such account',
    });
    expect(step(withdrawalOf({ status: 'processing', notes: 'sent' }), INPUTS.fail, LATER).next).toMatchObject({
      reason: 'the bank sent it back',
      notes: 'the bank sent it back',
    });
  });

  test('nothing of a payout that the chain took back, who approved it, and how often that happened', () => {
    const approved = step(withdrawalOf(), INPUTS.approve, LATER).next;
    const completed = step(approved, INPUTS.complete, LATER).next;
    expect(completed).toMatchObject({ txVerified: true, txBlock: BLOCK, txPaidIn: PAID_IN, reverts: 0 });
    const { updatedAt, processingAt, ...reverted } = step(completed, INPUTS.revert, LATER).next;
    const { updatedAt: _, processingAt: before, ...expected } = approved;
    expect(reverted).toEqual({
      ...expected,
      status: 'processing',
      begunIn: completed.txPaidIn,
      processedBy: 'adm_2',
      reverts: 1,
      eventSequence: 4,
    });
    expect([before, processingAt, updatedAt]).toEqual([null, LATER, LATER]);
    expect(step({ ...completed, processingAt: NOW }, INPUTS.revert, LATER).next.processingAt).toEqual(NOW);
  });

  test('a payout that no chain was asked about as such', () => {
    const approved = step(withdrawalOf(), INPUTS.approve, LATER).next;
    const { next } = step(approved, { ...INPUTS.complete, block: null }, LATER);
    expect(next).toMatchObject({ status: 'completed', txVerified: false, txBlock: null });
  });

  test('no reviewer for a cancellation', () => {
    expect(step(withdrawalOf(), INPUTS.cancel, LATER).next).toMatchObject({
      cancelled: true,
      reviewedBy: null,
      finishedBy: null,
      finishedAt: LATER,
      reason: null,
    });
  });
});

test.each<[string, Date | null, Date]>([
  ["the network's time, when our clock was ahead", new Date('2026-01-02T07:50:00Z'), new Date('2026-01-02T07:50:00Z')],
  ["the approval's, when the network's time was ahead", new Date('2026-01-02T08:00:09Z'), LATER],
  ['a quarter of an hour earlier, when no time of the network is known', null, new Date('2026-01-02T07:45:00Z')],
])('a payout counts from %s', (_, approvedChainTime, from) => {
  expect(payableFrom({ reviewedAt: LATER, approvedChainTime })).toEqual(from);
  expect(payableFrom({ reviewedAt: null, approvedChainTime: null })).toBeNull();
});
