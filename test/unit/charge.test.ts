import { describe, expect, test } from 'vitest';
import { COLLECT_REASONS } from '../../src/chains/collector.ts';
import { gasCostMicro, leastWorthCollecting } from '../../src/payments/gas-share.ts';
import type { Network } from '../../src/ports/chain.ts';
import type { Settings } from '../../src/settings/settings.ts';
import {
  type ChargeInput,
  type ChargeState,
  type ChargeStatus,
  COLLECT_OUTCOMES,
  newCharge,
  step,
} from '../../src/subscriptions/schedule/charge.ts';

const NOW = new Date('2026-03-01T00:00:00.000Z');
const LATER = new Date('2026-03-02T00:00:00.000Z');

const charge = (status: ChargeStatus, change: Partial<ChargeState> = {}): ChargeState => ({
  ...newCharge(4, NOW),
  status,
  dueAt: status === 'due' ? NOW : null,
  failureCode: status === 'failed' ? 'insufficient_balance' : null,
  voidReason: status === 'void' ? 'paused' : null,
  ...change,
});

const STATUSES: readonly ChargeStatus[] = ['due', 'sending', 'confirming', 'succeeded', 'failed', 'void'];
const INPUTS: readonly ChargeInput[] = [
  { kind: 'ordered' },
  { kind: 'claimed' },
  { kind: 'collected' },
  { kind: 'confirmed' },
  { kind: 'failed', code: 'token_blocked' },
  { kind: 'deferred', until: LATER, code: 'network_unavailable' },
  { kind: 'reverted' },
  { kind: 'reversed', collectable: true },
  { kind: 'withdrawn', reason: 'late' },
];

/**
 * The status that each input leads to, by status before: due, sending, confirming, succeeded, failed, void. '-': no
 * change.
 */
const LEADS: Readonly<Record<ChargeInput['kind'], string>> = {
  ordered: '- - - - due due',
  claimed: 'sending - - - - -',
  collected: 'confirming confirming - - confirming confirming',
  confirmed: 'succeeded succeeded succeeded - succeeded succeeded',
  failed: 'failed failed - - failed -',
  deferred: 'due due - - - -',
  reverted: '- - due - - -',
  reversed: '- - - due - -',
  withdrawn: 'void - - - void -',
};

describe('a charge', () => {
  test.each(INPUTS.flatMap((input) => STATUSES.map((status, index) => ({ input, status, index, kind: input.kind }))))(
    'that is $status and gets the input $kind',
    ({ input, status, index, kind }) => {
      const before = charge(status);
      const wanted = LEADS[kind].split(' ')[index];
      const { next, tells } = step(before, input, NOW);
      if (wanted === '-') {
        expect([next, tells]).toEqual([before, null]);
        return;
      }
      expect(next.status).toBe(wanted);
      expect(next.dueAt === null).toBe(wanted !== 'due');
    },
  );

  test('reports the outcome to its subscription', () => {
    const reported = (status: ChargeStatus, input: ChargeInput) => step(charge(status), input, NOW).tells;
    expect(reported('due', { kind: 'claimed' })).toEqual({ kind: 'charge_started', number: 4 });
    expect(reported('sending', { kind: 'collected' })).toBeNull();
    expect(reported('confirming', { kind: 'confirmed' })).toEqual({
      ...{ kind: 'charge_succeeded', number: 4, again: false },
    });
    expect(reported('sending', { kind: 'failed', code: 'token_blocked' })).toEqual({
      kind: 'charge_failed',
      number: 4,
      code: 'token_blocked',
      previousAttemptAt: null,
    });
    expect(reported('sending', { kind: 'deferred', until: LATER, code: null })).toEqual({
      kind: 'charge_deferred',
      number: 4,
      until: LATER,
    });
    const reversed = (before: ChargeState) => step(before, { kind: 'reversed', collectable: false }, NOW);
    const { next, tells } = reversed(charge('succeeded'));
    expect(tells).toEqual({ kind: 'charge_reversed', number: 4, isNew: true, collectable: false });
    expect(next).toMatchObject({ status: 'due', reversedAt: NOW });
    // One that gave way comes again, and is not news.
    expect(reversed(charge('void', { reversedAt: NOW })).tells).toMatchObject({ isNew: false });
    expect(step({ ...next, status: 'confirming' }, { kind: 'confirmed' }, LATER)).toMatchObject({
      next: { status: 'succeeded', reversedAt: null },
      tells: { kind: 'charge_succeeded', number: 4, again: true },
    });
    // Money that comes back without a new collection leaves nothing of why it was given up.
    const given = charge('void', { reversedAt: NOW, voidReason: 'late' });
    expect(step(given, { kind: 'confirmed' }, LATER).next).toMatchObject({ status: 'succeeded', voidReason: null });
    expect(reported('confirming', { kind: 'reverted' })).toEqual({ kind: 'charge_reverted', number: 4 });
  });

  test('counts attempts that the chain decided, and records why it waits or failed', () => {
    const inputs: readonly ChargeInput[] = [
      { kind: 'deferred', until: LATER, code: 'network_unavailable' },
      { kind: 'ordered' },
      { kind: 'claimed' },
      { kind: 'failed', code: 'insufficient_allowance' },
      { kind: 'ordered' },
      { kind: 'claimed' },
      { kind: 'collected' },
    ];
    const history = [];
    let state = newCharge(1, NOW);
    for (const input of inputs) {
      state = step(state, input, NOW).next;
      history.push([state.status, state.attempts, state.failureCode, state.dueAt]);
    }
    expect(history).toEqual([
      ['due', 0, 'network_unavailable', LATER],
      ['due', 0, 'network_unavailable', NOW], // Due again early, because the wallet was topped up.
      ['sending', 0, 'network_unavailable', null],
      ['failed', 1, 'insufficient_allowance', null],
      ['due', 1, 'insufficient_allowance', NOW],
      ['sending', 1, 'insufficient_allowance', null],
      ['confirming', 2, null, null],
    ]);
    expect(state.lastAttemptAt).toEqual(NOW);
  });
});

test('every answer of the collector contract has an outcome', () => {
  expect(COLLECT_REASONS.map((reason) => COLLECT_OUTCOMES[reason])).toEqual([
    'collected',
    'charged_before',
    'mandate_missing',
    'mandate_revoked',
    'not_yet',
    'mandate_revoked',
    'not_yet',
    'insufficient_balance',
    'insufficient_allowance',
    'token_blocked',
  ]);
});

describe('what is worth its gas', () => {
  const worth = (network: object, price: bigint | null) =>
    leastWorthCollecting(network as Network, 100_000n, 10n ** 9n, async () => price, { manualRates: {} } as Settings);
  const ETH_3000 = 300_000_000_000n;

  test('100,000 gas at 1 gwei and 3,000 dollars cost 30 cents, which is a tenth of 3 dollars', async () => {
    expect(gasCostMicro(100_000n, 10n ** 9n, ETH_3000)).toBe(300_000n);
    expect(await worth({ coin: 'ETH' }, ETH_3000)).toBe(3_000_000n);
    expect(await worth({ coin: 'ETH', maxGasShare: 0.5 }, ETH_3000)).toBe(600_000n);
  });
  test('nothing can be said without a coin, or without its price', async () => {
    expect(await worth({}, ETH_3000)).toBeNull();
    expect(await worth({ coin: 'ETH' }, null)).toBeNull();
  });
});
