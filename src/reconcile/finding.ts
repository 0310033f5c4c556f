import { formatUnits, MICRO_DECIMALS } from '../lib/money.ts';

/** One thing that is wrong: the rule that it breaks, the row that breaks it, and how. */
export type Finding = { readonly rule: string; readonly subject: string; readonly message: string };

/** Micro-dollars as a finding shows them: all six decimals. */
export const dollars = (micro = 0n): string => formatUnits(micro, MICRO_DECIMALS, true);
