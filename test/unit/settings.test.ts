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
  ['confirmations.moon', { confirmations: { devnet: 5, moon: 3 } }],
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

test.each<[string, Record<string, number>, string[]]>([
  ['less deep than the file', { devnet: 4 }, ['confirmations.devnet']],
  ['a number where the file waits for finality', { base: 1000 }, ['confirmations.base']],
  ['both', { devnet: 1, base: 1 }, ['confirmations.devnet', 'confirmations.base']],
  ['as deep as the file', { devnet: 5 }, []],
  ['deeper than the file', { devnet: 1000 }, []],
])('confirmations can only be raised: %s', (_, confirmations, paths) => {
  expect(problemsOf(withSome({ confirmations }), rules).map(({ path }) => path)).toEqual(paths);
});

test('confirmations that were stored before the file asked for more are no fault of another change', () => {
  const before = withSome({ confirmations: { devnet: 1, base: 3 } });
  expect(problemsOf({ ...before, paymentFeeBps: 5 }, rules, before)).toEqual([]);
  const [problem, ...others] = problemsOf(withSome({ confirmations: { devnet: 2, base: 3 } }), rules, before);
  expect([problem?.path, others]).toEqual(['confirmations.devnet', []]);
});

test('every problem is reported at once', () => {
  const wrong = withSome({ withdrawalMin: '0.00', offRampAddress: 'nonsense' });
  expect(problemsOf(wrong, rules).map(({ path }) => path)).toEqual(['withdrawalMin', 'offRampAddress']);
});

test('overrides win over defaults, and unknown settings are ignored', () => {
  const overrides = { paymentFeeBps: 25, ofTheFuture: true };
  expect(settingsOf(overrides, LIVE_DEFAULTS)).toEqual({ ...LIVE_DEFAULTS, paymentFeeBps: 25 });
});

test('of the confirmations of the file and of the settings the stricter count', () => {
  const finalized = { name: 'base', confirmations: 'finalized' } as const;
  const counted = { name: 'base', confirmations: 10 };
  expect(confirmationsOn(LIVE_DEFAULTS, finalized)).toBe('finalized');
  expect(confirmationsOn({ confirmations: { base: 4 } }, finalized)).toBe('finalized');
  expect(confirmationsOn({ confirmations: { base: 4 } }, counted)).toBe(10);
  expect(confirmationsOn({ confirmations: { base: 40 } }, counted)).toBe(40);
  expect(confirmationsOn({ confirmations: {} }, { name: 'constructor', confirmations: 2 })).toBe(2);
});
