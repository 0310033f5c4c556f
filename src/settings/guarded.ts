import { parseCents } from '../lib/money.ts';
import type { Settings } from './settings.ts';

/** Whether a change of one setting loosens what protects money. A change that tightens it takes effect at once. */
type Guard<K extends keyof Settings> = (before: Settings[K], after: Settings[K]) => boolean;

const anyChange = (): boolean => true;
const moreMoney = (before: string, after: string): boolean => parseCents(after) > parseCents(before);
const larger = (before: number, after: number): boolean => after > before;

/**
 * The settings that touch where money goes, each with what has to wait. The description of the operation names them,
 * too. See decision settings/changes-of-money-wait.
 */
const GUARDED: { readonly [K in keyof Settings]?: Guard<K> } = {
  // Where payouts go, and whose transfers count as payouts.
  offRampAddress: anyChange,
  payoutWallets: anyChange,
  verifyPayoutOnChain: (_, after) => !after,
  // Who has to agree, and for how long everybody can object.
  fourEyesThreshold: (before, after) => before !== null && (after === null || parseCents(after) > parseCents(before)),
  // Longer, too: undoing what a stolen session did would have to wait for it.
  changeDelayHours: anyChange,
  // How sure we are that money arrived, and how much of it.
  confirmations: (before, after) =>
    Object.entries(before).some(([name, depth]) => !Object.hasOwn(after, name) || (after[name] ?? 0) < depth),
  paymentToleranceBps: larger,
  paymentToleranceMax: moreMoney,
  // A coin counts for more.
  rateSpreadBps: (before, after) => after < before,
  manualRates: (before, after) =>
    Object.entries(after).some(([pair, rate]) => !Object.hasOwn(before, pair) || before[pair] !== rate),
  // How much leaves, and what it costs.
  withdrawalMax: moreMoney,
  withdrawalDailyMax: moreMoney,
  withdrawalMaxOpen: larger,
  withdrawalFees: anyChange,
  refundDailyMax: moreMoney,
};

/** The settings that neither move money nor delay or stop it. */
const MONEYLESS: readonly (keyof Settings)[] = ['webhookRetentionDays', 'auditRetentionDays'];

/**
 * Whether changing these asks for a code: raised confirmations stall payments just as well as lowered ones lose them.
 * See decision settings/changes-of-money-ask-for-a-code.
 */
export const asksForCode = (names: readonly (keyof Settings)[]): boolean =>
  names.some((name) => !MONEYLESS.includes(name));

/** Of the settings that differ, those whose change has to wait. */
export const guardedOf = (
  names: readonly (keyof Settings)[],
  before: Settings,
  after: Settings,
): readonly (keyof Settings)[] => names.filter((name) => isGuarded(name, before, after));

function isGuarded<K extends keyof Settings>(name: K, before: Settings, after: Settings): boolean {
  const guard: Guard<K> | undefined = GUARDED[name];
  return guard?.(before[name], after[name]) ?? false;
}
