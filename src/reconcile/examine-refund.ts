import { externalAccount, merchantAccount } from '../ledger/accounts.ts';
import { formatMicro } from '../lib/money.ts';
import type { JournalFacts } from './examine-payment.ts';
import type { Finding } from './finding.ts';

/** A refund and its journals. Micro-dollars. */
export type RefundFacts = {
  readonly id: string;
  readonly merchantId: string;
  readonly status: string;
  readonly fromSuspense: bigint;
  readonly fromAvailable: bigint;
  readonly token: string;
  readonly network: string;
  /** How many payouts the chain has taken back. */
  readonly reverts: number;
  readonly journals: readonly JournalFacts[];
};

/** What refunds of a payment that stand give back of it, by whether its tokens count. */
export type GivenBack = { readonly counted: bigint; readonly wrong: bigint; readonly settled: bigint };

const RELEASED: readonly string[] = ['cancelled', 'failed'];

/** The amount on the merchant's `hold` account for refunds of this state. */
export const heldFor = ({ status, micro }: { readonly status: string; readonly micro: bigint }): bigint =>
  status === 'completed' || RELEASED.includes(status) ? 0n : micro;

/** Checks that a refund has exactly the journals of its state, and that each moves the right amounts. Pure. */
export function examineRefund(facts: RefundFacts): Finding[] {
  const wanted = namesOf(facts);
  const found = facts.journals.map(({ kind, ref }) => `${kind} ${ref}`).sort();
  if (found.join() !== wanted.join()) {
    const message = `it is ${facts.status} and is booked as ${found.join(', ') || 'nothing'} instead of ${wanted.join(', ')}`;
    return [{ rule: 'refund.journals', subject: facts.id, message }];
  }
  return facts.journals.flatMap((journal) => examineAmounts(facts, journal));
}

function namesOf({ id, status, reverts }: RefundFacts): string[] {
  const nth = (times: number) => (times === 0 ? id : `${id}#${times}`);
  const lost = Array.from({ length: reverts }, (_, before) => [
    `refund.completed ${nth(before)}`,
    `refund.reverted ${nth(before + 1)}`,
  ]).flat();
  const ending = status === 'completed' ? [`refund.completed ${nth(reverts)}`] : [];
  const released = RELEASED.includes(status) ? [`refund.released ${id}`] : [];
  return [`refund.created ${id}`, ...lost, ...ending, ...released].sort();
}

/** A release may have repaid debt, so `available` and `debt` count as one. */
function examineAmounts(facts: RefundFacts, { id, kind, postings }: JournalFacts): Finding[] {
  const { merchantId, fromSuspense, fromAvailable, network, token } = facts;
  const account = (name: 'available' | 'debt' | 'hold' | 'suspense') => merchantAccount(merchantId, name);
  const found = new Map(postings);
  found.set(account('available'), (found.get(account('available')) ?? 0n) + (found.get(account('debt')) ?? 0n));
  found.delete(account('debt'));
  const sign = kind === 'refund.created' || kind === 'refund.reverted' ? 1n : -1n;
  const wanted = new Map([[account('hold'), sign * (fromSuspense + fromAvailable)]]);
  if (kind === 'refund.created' || kind === 'refund.released') {
    wanted.set(account('suspense'), -sign * fromSuspense).set(account('available'), -sign * fromAvailable);
  } else {
    wanted.set(externalAccount(network, token), -sign * (fromSuspense + fromAvailable));
  }
  const accounts = new Set([...found.keys(), ...wanted.keys()]);
  const wrong = [...accounts].filter((each) => (found.get(each) ?? 0n) !== (wanted.get(each) ?? 0n)).sort();
  return wrong.map((each) => ({
    rule: 'refund.amounts',
    subject: id,
    message: `${kind} of ${facts.id} books ${formatMicro(found.get(each) ?? 0n)} to ${each} instead of ${formatMicro(wanted.get(each) ?? 0n)}`,
  }));
}
