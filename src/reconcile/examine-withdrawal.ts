import { externalAccount, merchantAccount, platformAccount } from '../ledger/accounts.ts';
import { MICRO_PER_CENT } from '../lib/money.ts';
import type { JournalFacts } from './examine-payment.ts';
import { dollars, type Finding } from './finding.ts';

/** A withdrawal and its journals. */
export type WithdrawalFacts = {
  readonly id: string;
  readonly merchantId: string;
  readonly status: string;
  readonly amountMinor: bigint;
  readonly feeMinor: bigint;
  readonly currency: string;
  readonly network: string;
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
  const ending = ENDINGS[facts.status];
  const wanted = ['withdrawal.created', ...(ending ? [ending] : [])];
  const found = facts.journals.map(({ kind }) => kind).sort();
  if (found.join() !== wanted.sort().join()) {
    const message = `it is ${facts.status} and is booked as ${found.join(', ') || 'nothing'} instead of ${wanted.join(', ')}`;
    return [{ rule: 'withdrawal.journals', subject: facts.id, message }];
  }
  return facts.journals.flatMap((journal) => examineAmounts(facts, journal));
}

/** Compares a journal account by account. A release may have repaid debt, so `available` and `debt` count as one. */
function examineAmounts(facts: WithdrawalFacts, { id, kind, ref, postings }: JournalFacts): Finding[] {
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
  const differences = wrong.map((account) => ({
    rule: 'withdrawal.amounts',
    subject: id,
    message: `${kind} of ${facts.id} books ${dollars(found.get(account))} to ${account} instead of ${dollars(wanted.get(account))}`,
  }));
  const misnamed =
    ref === facts.id ? [] : [{ rule: 'withdrawal.journals', subject: id, message: `it is named ${ref}` }];
  return [...differences, ...misnamed];
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
    default:
      return new Map([
        [hold, -amount],
        [available, amount],
      ]);
  }
}
