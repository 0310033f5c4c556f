import { compileTestContracts } from '../support/solidity.ts';

/** How HostileToken can treat a transfer, in the order of its enum. */
export const TRANSFER_HABITS = [
  'Standard',
  'ReturnsNothing',
  'ReturnsFalse',
  'ReturnsTwo',
  'ReturnsOneByte',
  'Blocked',
  'TakesFee',
  'EatsGas',
  'Reenters',
  'ReturnsMegabyte',
  'RevertsWithMegabyte',
  'BalanceReverts',
  'BalanceIsShort',
] as const;
/** All habits, also those that matter only to a collector, in the order of HostileToken's enum. */
export const HABITS = [
  ...TRANSFER_HABITS,
  'ReentersQuietly',
  'BlockedAndBalanceReverts',
  'BlockedAndAllowanceReverts',
  'BlockedAndBalanceIsMegabyte',
] as const;
export type Habit = (typeof HABITS)[number];

export const UNITS = 5_000n * 10n ** 18n;
const compiled = compileTestContracts('HostileToken.sol');
export const HostileToken = compiled['HostileToken']!;
