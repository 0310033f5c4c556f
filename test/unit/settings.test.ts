import { expect, test } from 'vitest';
import { problemsOf } from '../../src/settings/rules.ts';
import { confirmationsOn, LIVE_DEFAULTS, type Settings, settingsOf } from '../../src/settings/settings.ts';

const rules = { networks: ['devnet', 'base'], isAddress: (address: string) => address.startsWith('0x') };
const withSome = (settings: Partial<Settings>): Settings => ({ ...LIVE_DEFAULTS, ...settings });

test('what we begin with is right', () => {
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
  ['payoutWallets.1', { payoutWallets: ['0x1', 'nonsense'] }],
  ['offRampAddress', { offRampAddress: 'nonsense' }],
])('%s is named when it does not fit', (path, settings) => {
  expect(problemsOf(withSome(settings), rules)).toEqual([{ path, message: expect.any(String) }]);
});

test('all that is wrong is told at once', () => {
  const wrong = withSome({ withdrawalMin: '0.00', offRampAddress: 'nonsense' });
  expect(problemsOf(wrong, rules).map(({ path }) => path)).toEqual(['withdrawalMin', 'offRampAddress']);
});

test('what was chosen wins over the defaults, and what another version knew is left out', () => {
  const overrides = { paymentFeeBps: 25, ofTheFuture: true };
  expect(settingsOf(overrides, LIVE_DEFAULTS)).toEqual({ ...LIVE_DEFAULTS, paymentFeeBps: 25 });
});

test('a network goes by its configuration unless the settings name it', () => {
  const network = { name: 'base', confirmations: 'finalized' } as const;
  expect(confirmationsOn(LIVE_DEFAULTS, network)).toBe('finalized');
  expect(confirmationsOn({ confirmations: { base: 4 } }, network)).toBe(4);
  expect(confirmationsOn({ confirmations: {} }, { name: 'constructor', confirmations: 2 })).toBe(2);
});
