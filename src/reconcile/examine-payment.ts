import { externalAccount, merchantAccount, platformAccount } from '../ledger/accounts.ts';
import { formatMicro } from '../lib/money.ts';
import { allocate, keptInLedger } from '../payments/move.ts';
import type { Booked, PaymentStatus, Returned } from '../payments/types.ts';
import { type CoinFacts, type CreditValue, examineCoins } from './examine-coins.ts';
import type { Finding } from './finding.ts';

export type CreditFacts = CreditValue & {
  readonly network: string;
  /** Block, transaction and place: no two chains have the same. */
  readonly inclusionOnChain: string;
  readonly parked: boolean;
};

export type JournalFacts = {
  readonly id: string;
  readonly kind: string;
  readonly ref: string;
  /** Amounts by account. */
  readonly postings: ReadonlyMap<string, bigint>;
};

/** A payment and all that the database says about its money. */
export type PaymentFacts = Omit<CoinFacts, 'credits'> & {
  readonly merchantId: string;
  readonly status: PaymentStatus;
  readonly settledMicro: bigint;
  readonly settledWrongMicro: bigint;
  readonly feeMicro: bigint;
  readonly booked: Booked;
  /** As its row says it, and as its refunds do. */
  readonly returned: Returned;
  readonly givenBack: Returned;
  readonly credits: readonly CreditFacts[];
  readonly journals: readonly JournalFacts[];
  /** Number of its `payment.completed` events. */
  readonly completions: number;
};

/** Checks a payment against its journals, its state, its credits and its events. Pure. */
export function examinePayment(facts: PaymentFacts): Finding[] {
  return [
    ...examineJournals(facts),
    ...examineBooked(facts),
    ...examineReturned(facts),
    ...examineCredits(facts),
    ...examineNetworks(facts),
    ...examineCoins(facts),
    ...examineEvents(facts),
  ];
}

const sum = (amounts: Iterable<bigint>): bigint => {
  let total = 0n;
  for (const amount of amounts) total += amount;
  return total;
};

function examineJournals({ journals }: PaymentFacts): Finding[] {
  return journals
    .map((journal) => ({ journal, rest: sum(journal.postings.values()) }))
    .filter(({ rest }) => rest !== 0n)
    .map(({ journal, rest }) => ({
      rule: 'journal.balanced',
      subject: journal.id,
      message: `its entries add up to ${formatMicro(rest)}`,
    }));
}

/** The amounts on the payment's row equal the sums of its journals, and lie where its state says they belong. */
function examineBooked(facts: PaymentFacts): Finding[] {
  const on = (account: string): bigint => sum(facts.journals.map((journal) => journal.postings.get(account) ?? 0n));
  const own = (kind: 'suspense' | 'pending' | 'available' | 'debt'): bigint =>
    on(merchantAccount(facts.merchantId, kind));
  const fees = on(platformAccount('fees'));
  const ledger = {
    suspense: own('suspense'),
    pending: own('pending'),
    available: own('available') + own('debt') + fees,
  };
  const inLedger = facts.credits.filter((credit) => credit.bookedMicro !== null);
  const booked = (counted: boolean, credits = inLedger): bigint =>
    sum(credits.filter((credit) => credit.counted === counted).map((credit) => credit.bookedMicro ?? 0n));
  const deep = inLedger.filter((credit) => credit.confirmed);
  const inAll = {
    counted: booked(true),
    wrong: booked(false),
    countedDeep: booked(true, deep),
    wrongDeep: booked(false, deep),
  };
  const due = allocate(facts, keptInLedger(inAll, facts.returned));
  const findings: Finding[] = [];
  const expect = (rule: string, name: string, found: bigint, wanted: bigint): void => {
    if (found === wanted) return;
    const message = `${name} is ${formatMicro(found)} instead of ${formatMicro(wanted)}`;
    findings.push({ rule, subject: facts.id, message });
  };
  for (const place of ['suspense', 'pending', 'available'] as const) {
    expect('payment.journals', `booked in ${place}`, facts.booked[place], ledger[place]);
    expect('payment.state', `booked in ${place} while ${facts.status}`, facts.booked[place], due[place]);
  }
  expect('payment.journals', 'the fee', facts.feeMicro, fees);
  return findings;
}

/** What it has given back is what its refunds that stand give back. */
function examineReturned({ id, returned, givenBack }: PaymentFacts): Finding[] {
  return (['counted', 'wrong', 'settled'] as const)
    .filter((part) => returned[part] !== givenBack[part])
    .map((part) => ({
      rule: 'payment.returned',
      subject: id,
      message: `${formatMicro(returned[part])} were given back (${part}), its refunds say ${formatMicro(givenBack[part])}`,
    }));
}

/** The ledger holds each canonical credit once, with its amount, and no other credit. */
function examineCredits({ credits, journals }: PaymentFacts): Finding[] {
  const byRef = new Map(journals.map((journal) => [`${journal.kind} ${journal.ref}`, journal]));
  const findings: Finding[] = [];
  const known = new Set<string>();
  for (const credit of credits) {
    const report = (message: string): void => {
      findings.push({ rule: 'credit.booked_once', subject: credit.id, message });
    };
    examineState(credit, report);
    for (let inclusion = 1; inclusion <= credit.inclusion; inclusion += 1) {
      const ref = `${credit.id}#${inclusion}`;
      known.add(`credit ${ref}`).add(`credit.reversed ${ref}`);
      const booked = amountOf(byRef.get(`credit ${ref}`), credit);
      const reversed = amountOf(byRef.get(`credit.reversed ${ref}`), credit);
      const wanted = inclusion === credit.inclusion ? (credit.bookedMicro ?? 0n) : 0n;
      if (booked - reversed !== wanted) {
        report(
          `inclusion ${inclusion} stands in the ledger with ${formatMicro(booked - reversed)} instead of ${formatMicro(wanted)}`,
        );
      }
    }
  }
  for (const [key, { id, kind, ref }] of byRef) {
    if (!kind.startsWith('credit') || known.has(key)) continue;
    findings.push({
      rule: 'credit.known',
      subject: id,
      message: `it books ${ref}, which is no transfer of its payment`,
    });
  }
  return findings;
}

/** A transfer was credited on one network only: two with the same block are one chain under two names. */
function examineNetworks({ credits }: PaymentFacts): Finding[] {
  const canonical = Map.groupBy(
    credits.filter((credit) => credit.canonical),
    (credit) => credit.inclusionOnChain,
  );
  return [...canonical.values()].flatMap((same) => {
    const networks = new Set(same.map(({ network }) => network));
    const [credit] = same;
    if (networks.size < 2 || !credit) return [];
    const message = `one transfer was credited on ${[...networks].join(' and ')}, which are the same chain`;
    return [{ rule: 'credit.one_chain', subject: credit.id, message }];
  });
}

function examineState(credit: CreditFacts, report: (message: string) => void): void {
  const booked = credit.bookedMicro !== null;
  if (credit.applied && credit.canonical && !booked) report('it was applied but is not booked');
  if (credit.applied && !credit.canonical && booked) report('a reorg took it away but it is still booked');
  if (credit.parked && !credit.applied) report('it could not be applied and is parked');
}

/** The amount that a credit's journal moved in from outside, or back out. */
function amountOf(journal: JournalFacts | undefined, credit: CreditFacts): bigint {
  const amount = journal?.postings.get(externalAccount(credit.network, credit.token)) ?? 0n;
  return amount < 0n ? -amount : amount;
}

function examineEvents({ id, status, completions }: PaymentFacts): Finding[] {
  const wanted = status === 'paid' ? 1 : 0;
  if (completions === wanted) return [];
  const message = `it is ${status} and has ${completions} payment.completed events instead of ${wanted}`;
  return [{ rule: 'payment.completed_once', subject: id, message }];
}
