import { expect, test } from 'vitest';
import { problemsOf, type SettingsRules } from '../../src/settings/rules.ts';
import { confirmationsOn, LIVE_DEFAULTS, type Settings, settingsOf } from '../../src/settings/settings.ts';

const rules: SettingsRules = {
  networks: [
    { name: 'devnet', confirmations: 5 },
    { name: 'base', confirmations: 'finalized' },
  ],
  isAddress: (address) => address.startsWith('0x'),
  isNobody: (address) => address === '0x0',
  mayReceive: () => Promise.reject(new Error('only asked with a transaction')),
};
const withSome = (settings: Partial<Settings>): Settings => ({ ...LIVE_DEFAULTS, ...settings });

test('the defaults are valid', () => {
  expect(problemsOf(LIVE_DEFAULTS, rules)).toEqual([]);
});

test.each<[keyof Settings | string, Partial<Settings>]>([
  ['withdrawalMin', { withdrawalMin: '0.00' }],
  ['withdrawalMax', { withdrawalMin: '20.00', withdrawalMax: '19.99' }],
  ['withdrawalDailyMax', { withdrawalMax: '100.00', withdrawalDailyMax: '99.99' }],
  ['confirmations.moon', { confirmations: { base: 3, moon: 3 } }],
  ['withdrawalFees.networks.moon', { withdrawalFees: { bank: { bps: 0, min: '0.00' }, networks: { moon: '1.00' } } }],
  ['manualRates.USD/EUR', { manualRates: { 'USD/EUR': '0.9' } }],
  ['manualRates.USD/LKR', { manualRates: { 'USD/LKR': '0.0' } }],
  ['manualRates.USD/LKR', { manualRates: { 'USD/LKR': '0.99999999' } }],
  ['manualRates.USD/LKR', { manualRates: { 'USD/LKR': '100000.00000001' } }],
  ['manualRates.constructor', { manualRates: { constructor: '300' } }],
  ['payoutWallets.1', { payoutWallets: ['0x1', '0x0'] }],
  ['payoutWallets.1', { payoutWallets: ['0x1', 'nonsense'] }],
  ['offRampAddress', { offRampAddress: 'nonsense' }],
])('%s is reported when invalid', (path, settings) => {
  expect(problemsOf(withSome(settings), rules)).toEqual([{ path, message: expect.any(String) }]);
});

test('the lower and upper bound of a manual rate are valid', () => {
  for (const rate of ['1', '100000'])
    expect(problemsOf(withSome({ manualRates: { 'USD/LKR': rate } }), rules)).toEqual([]);
});

test("confirmations can be lowered to half of the network's configured number", () => {
  const of = (confirmations: Record<string, number>) => problemsOf(withSome({ confirmations }), rules);
  expect(of({ devnet: 2, base: 1 })).toEqual([
    { path: 'confirmations.devnet', message: 'must be at least 3, half of the 5 that devnet is configured with' },
  ]);
  expect(of({ devnet: 3, base: 1000 })).toEqual([]);
});

test('every problem is reported at once', () => {
  const wrong = withSome({ withdrawalMin: '0.00', offRampAddress: 'nonsense' });
  expect(problemsOf(wrong, rules).map(({ path }) => path)).toEqual(['withdrawalMin', 'offRampAddress']);
});

test('overrides win over defaults, and unknown settings are ignored', () => {
  const overrides = { paymentFeeBps: 25, ofTheFuture: true };
  expect(settingsOf(overrides, LIVE_DEFAULTS)).toEqual({ ...LIVE_DEFAULTS, paymentFeeBps: 25 });
});

test('a network uses its configured confirmations unless the settings override them', () => {
  const network = { name: 'base', confirmations: 'finalized' } as const;
  expect(confirmationsOn(LIVE_DEFAULTS, network)).toBe('finalized');
  expect(confirmationsOn({ confirmations: { base: 4 } }, network)).toBe(4);
  expect(confirmationsOn({ confirmations: {} }, { name: 'constructor', confirmations: 2 })).toBe(2);
});
