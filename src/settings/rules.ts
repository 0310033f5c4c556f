import type { FieldError } from '../lib/errors.ts';
import { parseUnits } from '../lib/money.ts';
import type { Settings } from './settings.ts';

/** What the settings are checked against, besides themselves. */
export type SettingsRules = {
  readonly networks: readonly string[];
  /** Whether this is an address of an enabled network, with a right checksum. */
  readonly isAddress: (address: string) => boolean;
};

/** The pairs that somebody is quoted by. */
const PAIRS = ['USD/LKR'];
const CENT_DECIMALS = 2;
const RATE_DECIMALS = 8;

/** Everything that is wrong with the settings taken together; the contract has seen to each by itself. */
export function problemsOf(settings: Settings, rules: SettingsRules): FieldError[] {
  return [
    ...limitProblems(settings),
    ...networkProblems('confirmations', Object.keys(settings.confirmations), rules),
    ...networkProblems('withdrawalFees.networks', Object.keys(settings.withdrawalFees.networks), rules),
    ...rateProblems(settings),
    ...addressProblems(settings, rules),
  ];
}

const cents = (amount: string): bigint => parseUnits(amount, CENT_DECIMALS);

function limitProblems({ withdrawalMin, withdrawalMax, withdrawalDailyMax }: Settings): FieldError[] {
  const problems: FieldError[] = [];
  if (cents(withdrawalMin) === 0n) problems.push({ path: 'withdrawalMin', message: 'must be more than zero' });
  if (cents(withdrawalMin) > cents(withdrawalMax)) {
    problems.push({ path: 'withdrawalMax', message: `must be at least withdrawalMin, which is ${withdrawalMin}` });
  }
  if (cents(withdrawalMax) > cents(withdrawalDailyMax)) {
    problems.push({ path: 'withdrawalDailyMax', message: `must be at least withdrawalMax, which is ${withdrawalMax}` });
  }
  return problems;
}

function networkProblems(path: string, named: readonly string[], { networks }: SettingsRules): FieldError[] {
  return named
    .filter((name) => !networks.includes(name))
    .map((name) => ({ path: `${path}.${name}`, message: `is not a network here; these are: ${networks.join(', ')}` }));
}

function rateProblems({ manualRates }: Settings): FieldError[] {
  return Object.entries(manualRates).flatMap(([pair, rate]) => {
    const path = `manualRates.${pair}`;
    if (!PAIRS.includes(pair))
      return [{ path, message: `is not a pair that is quoted; these are: ${PAIRS.join(', ')}` }];
    return parseUnits(rate, RATE_DECIMALS) === 0n ? [{ path, message: 'must be more than zero' }] : [];
  });
}

function addressProblems({ payoutWallets, offRampAddress }: Settings, { isAddress }: SettingsRules): FieldError[] {
  const message = 'must be an address of an enabled network, every character as your wallet shows it';
  const wallets = payoutWallets.map((address, index) => ({ path: `payoutWallets.${index}`, address }));
  const all = offRampAddress === null ? wallets : [...wallets, { path: 'offRampAddress', address: offRampAddress }];
  return all.filter(({ address }) => !isAddress(address)).map(({ path }) => ({ path, message }));
}
