import { expect, test } from 'vitest';
import { after, DAY_MS, HOUR_MS, MINUTE_MS } from '../../src/lib/clock.ts';
import { AppError } from '../../src/lib/errors.ts';
import {
  type Change,
  type ChangeInput,
  type ChangeStatus,
  inputDue,
  propose,
  step,
} from '../../src/settings/change.ts';
import { guardedOf } from '../../src/settings/guarded.ts';
import { LIVE_DEFAULTS, type Settings } from '../../src/settings/settings.ts';

const NOW = new Date('2026-01-02T03:00:00.000Z');
const FIELDS = { fourEyesThreshold: { from: '1000.00', to: null } };
const draft = { id: 'gch_1', kind: 'settings', subjectId: 'platform', fields: FIELDS, proposedBy: 'adm_1' } as const;
const made = (needsApproval: boolean): Change => propose({ ...draft, needsApproval }, 24 * HOUR_MS, NOW);
const at = (status: ChangeStatus): Change => ({ ...made(true), status });

const INPUTS: { readonly [K in ChangeInput['kind']]: Extract<ChangeInput, { kind: K }> } = {
  approve: { kind: 'approve', by: 'adm_2' },
  cancel: { kind: 'cancel', by: 'adm_2', reason: 'not ours' },
  apply: { kind: 'apply' },
  expire: { kind: 'expire' },
};
/** Far enough for what waits for a time, early enough for an approval. */
const WHEN = {
  approve: after(NOW, HOUR_MS),
  cancel: NOW,
  apply: after(NOW, 2 * DAY_MS),
  expire: after(NOW, 9 * DAY_MS),
};
/** Every move; all others are a CONFLICT. */
const MOVES: Readonly<Record<string, ChangeStatus>> = {
  'proposed approve': 'approved',
  'proposed cancel': 'cancelled',
  'proposed expire': 'expired',
  'approved cancel': 'cancelled',
  'approved apply': 'in_effect',
};
const STATUSES: readonly ChangeStatus[] = ['proposed', 'approved', 'in_effect', 'cancelled', 'expired'];
const CASES = STATUSES.flatMap((status) => Object.values(INPUTS).map((input) => [status, input] as const));

test.each(CASES)('a change that is %s, and %o', (status, input) => {
  const expected = MOVES[`${status} ${input.kind}`];
  if (expected) expect(step(at(status), input, WHEN[input.kind]).status).toBe(expected);
  else expect(() => step(at(status), input, WHEN[input.kind])).toThrow(AppError);
});

test('without a second administrator it waits for its time only', () => {
  expect(made(false)).toMatchObject({ status: 'approved', approvedBy: null, dueAt: after(NOW, DAY_MS) });
  expect(made(true)).toMatchObject({ status: 'proposed', expiresAt: after(NOW, 8 * DAY_MS) });
});

test('nobody approves what they proposed, nor what waited too long', () => {
  expect(() => step(made(true), { kind: 'approve', by: 'adm_1' }, NOW)).toThrow('Whoever proposed');
  expect(() => step(made(true), INPUTS.approve, after(NOW, 8 * DAY_MS))).toThrow('too long');
});

test('it takes effect at its time and no minute earlier, also when it was approved later', () => {
  const approved = step(made(true), INPUTS.approve, after(NOW, 3 * DAY_MS));
  expect(inputDue(approved, after(NOW, 3 * DAY_MS))).toBe('apply');
  expect(inputDue(made(false), after(NOW, DAY_MS - MINUTE_MS))).toBeNull();
  expect(() => step(made(false), INPUTS.apply, after(NOW, DAY_MS - MINUTE_MS))).toThrow('not due');
  expect(inputDue(made(false), after(NOW, DAY_MS))).toBe('apply');
  expect([inputDue(made(true), after(NOW, 2 * DAY_MS)), inputDue(made(true), after(NOW, 8 * DAY_MS))]).toEqual([
    null,
    'expire',
  ]);
});

const before: Settings = {
  ...LIVE_DEFAULTS,
  payoutWallets: ['0x1'],
  confirmations: { base: 20 },
  manualRates: { 'USD/LKR': '300' },
};
/** What a thief would change, and what tightens. */
test.each<[keyof Settings, { readonly waits: readonly unknown[]; readonly atOnce: readonly unknown[] }]>([
  ['offRampAddress', { waits: ['0x2'], atOnce: [] }],
  ['payoutWallets', { waits: [[], ['0x2'], ['0x1', '0x2']], atOnce: [] }],
  ['verifyPayoutOnChain', { waits: [false], atOnce: [] }],
  ['fourEyesThreshold', { waits: [null, '1000.01'], atOnce: ['999.99', '0.00'] }],
  ['changeDelayHours', { waits: [0, 23, 25, 168], atOnce: [] }],
  ['confirmations', { waits: [{}, { base: 19 }], atOnce: [{ base: 21 }, { base: 20, other: 5 }] }],
  ['manualRates', { waits: [{ 'USD/LKR': '299' }, { 'USD/LKR': '300', 'USD/EUR': '1' }], atOnce: [{}] }],
  ['paymentToleranceBps', { waits: [51], atOnce: [0] }],
  ['paymentToleranceMax', { waits: ['0.51'], atOnce: ['0.00'] }],
  ['withdrawalMax', { waits: ['10000.01'], atOnce: ['500.00'] }],
  ['withdrawalDailyMax', { waits: ['50000.01'], atOnce: ['20000.00'] }],
  ['refundDailyMax', { waits: ['50000.01'], atOnce: ['20000.00', '0'] }],
  ['withdrawalMaxOpen', { waits: [6], atOnce: [4] }],
  ['withdrawalFees', { waits: [{ bank: { bps: 0, min: '0.00' }, networks: {} }], atOnce: [] }],
  ['paymentFeeBps', { waits: [], atOnce: [0, 1000] }],
])('%s', (name, { waits, atOnce }) => {
  const guarded = (value: unknown) => guardedOf([name], before, { ...before, [name]: value } as Settings);
  for (const value of waits) expect([value, guarded(value)]).toEqual([value, [name]]);
  for (const value of atOnce) expect([value, guarded(value)]).toEqual([value, []]);
});
