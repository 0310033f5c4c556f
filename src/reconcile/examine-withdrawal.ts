import { externalAccount, merchantAccount, platformAccount } from '../ledger/accounts.ts';
import { formatMicro, MICRO_PER_CENT } from '../lib/money.ts';
import type { JournalFacts } from './examine-payment.ts';
import type { Finding } from './finding.ts';

/** A withdrawal and its journals. */
export type WithdrawalFacts = {
  readonly id: string;
  readonly merchantId: string;
  readonly status: string;
  readonly amountMinor: bigint;
  readonly feeMinor: bigint;
  readonly currency: string;
  readonly network: string;
  /** How many payouts the chain has taken back. */
  readonly reverts: number;
  readonly journals: readonly JournalFacts[];
};

/** The journal that final states end with. In any other state the money is held. */
const ENDINGS: Readonly<Record<string, 'withdrawal.completed' | 'withdrawal.released'>> = {
  completed: 'withdrawal.completed',
  rejected: 'withdrawal.released',
  failed: 'withdrawal.released',
};

/** The amount on the merchant's `hold` account for withdrawals of this state, in micro-dollars. */
export const heldBy = ({ status, amountMinor }: Pick<WithdrawalFacts, 'status' | 'amountMinor'>): bigint =>
  status in ENDINGS ? 0n : amountMinor * MICRO_PER_CENT;

/** Checks that a withdrawal has exactly the journals of its state, and that each moves the right amounts. Pure. */
export function examineWithdrawal(facts: WithdrawalFacts): Finding[] {
  const wanted = journalsOf(facts);
  const kinds = wanted.map(({ kind }) => kind).sort();
  const found = facts.journals.map(({ kind }) => kind).sort();
  if (found.join() !== kinds.join()) {
    const message = `it is ${facts.status} and is booked as ${found.join(', ') || 'nothing'} instead of ${kinds.join(', ')}`;
    return [{ rule: 'withdrawal.journals', subject: facts.id, message }];
  }
  const names = new Set(wanted.map(({ kind, ref }) => `${kind} ${ref}`));
  const misnamed = facts.journals.filter(({ kind, ref }) => !names.has(`${kind} ${ref}`));
  return [
    ...facts.journals.flatMap((journal) => examineAmounts(facts, journal)),
    ...misnamed.map(({ id, ref }) => ({ rule: 'withdrawal.journals', subject: id, message: `it is named ${ref}` })),
  ];
}

/** Each payout but one that counts is booked back, and each journal has a name of its own. */
function journalsOf({ id, status, reverts }: WithdrawalFacts): Pick<JournalFacts, 'kind' | 'ref'>[] {
  const lost = Array.from({ length: reverts }, (_, before) => [
    { kind: 'withdrawal.completed', ref: nth(id, before) },
    { kind: 'withdrawal.reverted', ref: nth(id, before + 1) },
  ]).flat();
  const kind = ENDINGS[status];
  const ending = kind && { kind, ref: kind === 'withdrawal.completed' ? nth(id, reverts) : id };
  return [{ kind: 'withdrawal.created', ref: id }, ...lost, ...(ending ? [ending] : [])];
}

const nth = (id: string, reverts: number): string => (reverts === 0 ? id : `${id}#${reverts}`);

/** Compares a journal account by account. A release may have repaid debt, so `available` and `debt` count as one. */
function examineAmounts(facts: WithdrawalFacts, { id, kind, postings }: JournalFacts): Finding[] {
  const [available, debt] = (['available', 'debt'] as const).map((name) => merchantAccount(facts.merchantId, name)) as [
    string,
    string,
  ];
  const found = new Map(postings);
  found.set(available, (found.get(available) ?? 0n) + (found.get(debt) ?? 0n));
  found.delete(debt);
  const wanted = amountsOf(facts, kind, available);
  const accounts = new Set([...found.keys(), ...wanted.keys()]);
  const wrong = [...accounts].filter((account) => (found.get(account) ?? 0n) !== (wanted.get(account) ?? 0n)).sort();
  return wrong.map((account) => ({
    rule: 'withdrawal.amounts',
    subject: id,
    message: `${kind} of ${facts.id} books ${formatMicro(found.get(account) ?? 0n)} to ${account} instead of ${formatMicro(wanted.get(account) ?? 0n)}`,
  }));
}

function amountsOf(facts: WithdrawalFacts, kind: string, available: string): ReadonlyMap<string, bigint> {
  const { merchantId, network, currency, amountMinor, feeMinor } = facts;
  const hold = merchantAccount(merchantId, 'hold');
  const [amount, fee] = [amountMinor * MICRO_PER_CENT, feeMinor * MICRO_PER_CENT];
  switch (kind) {
    case 'withdrawal.created':
      return new Map([
        [available, -amount],
        [hold, amount],
      ]);
    case 'withdrawal.completed':
      return new Map([
        [hold, -amount],
        [externalAccount(network, currency), amount - fee],
        [platformAccount('fees'), fee],
      ]);
    case 'withdrawal.reverted':
      return new Map([
        [hold, amount],
        [externalAccount(network, currency), fee - amount],
        [platformAccount('fees'), -fee],
      ]);
    default:
      return new Map([
        [hold, -amount],
        [available, amount],
      ]);
  }
}
