import { expect, test } from 'vitest';
import { requireMayCollect, requireMayCreate, requireOwnProfile } from '../../src/merchants/guard.ts';
import { type MerchantInput, step } from '../../src/merchants/merchant.ts';
import type { MerchantStatus } from '../../src/ports/security.ts';

const STATUSES: readonly MerchantStatus[] = ['pending_verification', 'active', 'rejected', 'frozen', 'terminated'];
const INPUTS: readonly MerchantInput[] = [
  { kind: 'approve' },
  { kind: 'reject', reason: 'no papers' },
  { kind: 'freeze', reason: 'odd payments' },
  { kind: 'unfreeze', reason: 'explained' },
  { kind: 'terminate', reason: null },
];

/** Every allowed transition; every other pair is refused. */
const MOVES: Record<string, MerchantStatus> = {
  'pending_verification approve': 'active',
  'pending_verification reject': 'rejected',
  'pending_verification terminate': 'terminated',
  'active freeze': 'frozen',
  'active terminate': 'terminated',
  'rejected terminate': 'terminated',
  'frozen unfreeze': 'active',
  'frozen terminate': 'terminated',
};

test.each(STATUSES.flatMap((status) => INPUTS.map((input) => ({ status, input }))))(
  'a merchant that is $status, given $input.kind',
  ({ status, input }) => {
    const next = MOVES[`${status} ${input.kind}`];
    const run = () => step({ status, statusReason: 'before' }, input);
    if (!next) {
      expect(run).toThrow(expect.objectContaining({ code: 'CONFLICT', message: expect.stringContaining(status) }));
      return;
    }
    const reason = next === 'active' ? null : 'reason' in input ? input.reason : null;
    expect(run()).toEqual({ next: { status: next, statusReason: reason }, events: ['merchant.status_changed'] });
  },
);

test.each(STATUSES)('a new profile changes the status of a merchant that is %s only if it was rejected', (status) => {
  const before = { status, statusReason: 'before' };
  expect(step(before, { kind: 'update_profile' })).toEqual(
    status === 'rejected'
      ? { next: { status: 'pending_verification', statusReason: null }, events: ['merchant.status_changed'] }
      : { next: before, events: [] },
  );
});

const FORBIDDEN = expect.objectContaining({ code: 'FORBIDDEN', reason: 'merchant_not_active' });

test.each([
  { status: 'pending_verification', create: true, collect: false, collectWhenAllowed: true },
  { status: 'active', create: true, collect: true, collectWhenAllowed: true },
  { status: 'rejected', create: false, collect: false, collectWhenAllowed: false },
  { status: 'frozen', create: false, collect: false, collectWhenAllowed: false },
  { status: 'terminated', create: false, collect: false, collectWhenAllowed: false },
] as const)(
  'a merchant that is $status may create and collect as listed',
  ({ status, create, collect, collectWhenAllowed }) => {
    const expectAllowed = (run: () => void, allowed: boolean) =>
      allowed ? expect(run).not.toThrow() : expect(run).toThrow(FORBIDDEN);
    expectAllowed(() => requireMayCreate(status), create);
    const collects = (rejectedAt: Date | null, allowPendingMerchantsToCollect: boolean) => () =>
      requireMayCollect({ status, rejectedAt }, { allowPendingMerchantsToCollect });
    expectAllowed(collects(null, false), collect);
    expectAllowed(collects(null, true), collectWhenAllowed);
    // Once rejected, the setting does nothing for it.
    expectAllowed(collects(new Date(0), true), collect);
  },
);

test('only the owner may see a profile', () => {
  const principal = {
    kind: 'merchant',
    via: 'session',
    merchantId: 'mer_1',
    sessionId: 'ses_1',
    status: 'active',
    rejectedAt: null,
    toleranceBps: null,
  } as const;
  expect(() => requireOwnProfile(principal, 'mer_1')).not.toThrow();
  expect(() => requireOwnProfile(principal, 'mer_2')).toThrow(
    expect.objectContaining({ code: 'FORBIDDEN', reason: 'not_owner' }),
  );
});
