import type { Trx } from '../lib/db-types.ts';
import type { FieldError } from '../lib/errors.ts';
import { parseCents, parseUnits, RATE_DECIMALS } from '../lib/money.ts';
import type { Network } from '../ports/chain.ts';
import type { Settings } from './settings.ts';

/** What the settings are checked against, besides each other. */
export type SettingsRules = {
  readonly networks: readonly Pick<Network, 'name' | 'confirmations'>[];
  /** Whether this is an address of a network that pays dollars, with a valid checksum. */
  readonly isAddress: (address: string) => boolean;
  /** Whether no private key can exist for this address, like the zero address. */
  readonly isNobody: (address: string) => boolean;
  /** Whether a payout may go there: not to an address without a key, nor to the platform's own. */
  readonly mayReceive: (trx: Trx, address: string) => Promise<boolean>;
};

/** The pairs that are used, with bounds that catch a typing error in a rate. */
const PAIRS: Readonly<Record<string, { readonly min: string; readonly max: string }>> = {
  'USD/LKR': { min: '1', max: '100000' },
  // Of the coins in which payers pay, and in which gas is paid.
  'ETH/USD': { min: '1', max: '1000000' },
  'BTC/USD': { min: '100', max: '100000000' },
  'BNB/USD': { min: '1', max: '1000000' },
  'POL/USD': { min: '0.001', max: '1000000' },
  'AVAX/USD': { min: '0.01', max: '1000000' },
};

/**
 * Faults of the settings as a whole; the contract has validated each setting by itself. What was stored `before` and
 * stays as it is, is no fault of a change, even if the networks were configured anew since.
 */
export function problemsOf(settings: Settings, rules: SettingsRules, before?: Settings): FieldError[] {
  return [
    ...limitProblems(settings),
    ...networkProblems('confirmations', Object.keys(settings.confirmations), rules),
    ...depthProblems(settings, rules, before),
    ...networkProblems('withdrawalFees.networks', Object.keys(settings.withdrawalFees.networks), rules),
    ...rateProblems(settings),
    ...addressProblems(settings, rules),
  ];
}

function limitProblems({ withdrawalMin, withdrawalMax, withdrawalDailyMax }: Settings): FieldError[] {
  const problems: FieldError[] = [];
  if (parseCents(withdrawalMin) === 0n) problems.push({ path: 'withdrawalMin', message: 'must be more than zero' });
  if (parseCents(withdrawalMin) > parseCents(withdrawalMax)) {
    problems.push({ path: 'withdrawalMax', message: `must be at least withdrawalMin, which is ${withdrawalMin}` });
  }
  if (parseCents(withdrawalMax) > parseCents(withdrawalDailyMax)) {
    problems.push({ path: 'withdrawalDailyMax', message: `must be at least withdrawalMax, which is ${withdrawalMax}` });
  }
  return problems;
}

function networkProblems(path: string, named: readonly string[], { networks }: SettingsRules): FieldError[] {
  const names = networks.map(({ name }) => name);
  return named
    .filter((name) => !names.includes(name))
    .map((name) => ({ path: `${path}.${name}`, message: `is not a network here; these are: ${names.join(', ')}` }));
}

/**
 * The file says how deep a block has to lie at least; a setting only asks for more. Beside `finalized` a number never
 * counts, see `confirmationsOn`.
 */
function depthProblems({ confirmations }: Settings, { networks }: SettingsRules, before?: Settings): FieldError[] {
  return networks.flatMap(({ name, confirmations: configured }) => {
    const wanted = ownOf(confirmations, name);
    if (wanted === undefined || wanted === ownOf(before?.confirmations ?? {}, name)) return [];
    if (configured !== 'finalized' && wanted >= configured) return [];
    const message =
      configured === 'finalized'
        ? `${name} is configured to wait until a block is finalized, which no number replaces; leave it out`
        : `must be at least the ${configured} that ${name} is configured with`;
    return [{ path: `confirmations.${name}`, message }];
  });
}

const ownOf = (numbers: Readonly<Record<string, number>>, name: string): number | undefined =>
  Object.hasOwn(numbers, name) ? numbers[name] : undefined;

function rateProblems({ manualRates }: Settings): FieldError[] {
  return Object.entries(manualRates).flatMap(([pair, rate]) => {
    const path = `manualRates.${pair}`;
    const bounds = Object.hasOwn(PAIRS, pair) ? PAIRS[pair] : undefined;
    if (!bounds) {
      return [{ path, message: `is not a pair that is quoted; these are: ${Object.keys(PAIRS).join(', ')}` }];
    }
    const value = parseRate(rate);
    if (value >= parseRate(bounds.min) && value <= parseRate(bounds.max)) return [];
    return [{ path, message: `must be between ${bounds.min} and ${bounds.max}` }];
  });
}

const parseRate = (rate: string): bigint => parseUnits(rate, RATE_DECIMALS);

function addressProblems({ payoutWallets, offRampAddress }: Settings, rules: SettingsRules): FieldError[] {
  const message = 'must be an address of a network that pays USDT or USDC, every character as your wallet shows it';
  const wallets = payoutWallets.map((address, index) => ({ path: `payoutWallets.${index}`, address }));
  const all = offRampAddress === null ? wallets : [...wallets, { path: 'offRampAddress', address: offRampAddress }];
  const nobodys = wallets.filter(({ address }) => rules.isNobody(address));
  return [
    ...all.filter(({ address }) => !rules.isAddress(address)).map(({ path }) => ({ path, message })),
    ...nobodys.map(({ path }) => ({ path, message: 'belongs to nobody; name a wallet that you pay from' })),
  ];
}

/** Faults of the off-ramp address beyond its form. */
export async function offRampProblems(
  trx: Trx,
  { offRampAddress: address }: Settings,
  rules: SettingsRules,
): Promise<FieldError[]> {
  if (address === null || !rules.isAddress(address) || (await rules.mayReceive(trx, address))) return [];
  return [{ path: 'offRampAddress', message: 'belongs to the platform or to nobody; name a wallet of your off-ramp' }];
}
