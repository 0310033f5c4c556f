import { inSnapshot } from '../db/transaction.ts';
import type { Db, Trx } from '../lib/db-types.ts';
import { formatMicro } from '../lib/money.ts';
import { listChargeFacts, listStrayCollections } from './charge-facts.ts';
import { examineCharge } from './examine-charge.ts';
import { examinePayment } from './examine-payment.ts';
import { examineRefund, heldFor } from './examine-refund.ts';
import { examineWithdrawal, heldBy } from './examine-withdrawal.ts';
import type { Finding } from './finding.ts';
import {
  type AccountFacts,
  findEntryRange,
  listAccountFacts,
  listPaymentFacts,
  listRefundFacts,
  listWithdrawalFacts,
  sumEntries,
  sumOutside,
  sumPayments,
  sumRefunds,
  sumWithdrawals,
} from './ledger-facts.ts';
import { examineMonths } from './months.ts';
import { examineTallies } from './tallies.ts';

export type Reconciliation = {
  readonly payments: number;
  readonly credits: number;
  readonly withdrawals: number;
  readonly refunds: number;
  readonly charges: number;
  readonly entries: number;
  readonly findings: readonly Finding[];
};

/** Payments, withdrawals, refunds or charges. */
const SUBJECTS_A_PAGE = 500;
const ACCOUNTS_A_PAGE = 5000;
const ENTRIES_A_PAGE = 100_000n;
/** Entries whose journals are looked up, too. */
const OUTSIDE_A_PAGE = 20_000n;
/** Payments or withdrawals whose amounts the database adds up in one statement. */
const SUMMED_A_PAGE = 50_000;

/**
 * Compares the ledger with itself and with the rows that it books. The entries of each currency add up to zero. Each
 * balance is the sum of its entries, and so is each sum by month. Each total of a list is the number of its rows.
 * Each transfer is booked once. The money of each payment and withdrawal lies where its state says. Each paid
 * payment was announced once. Each collected charge has one payment. Locks nothing, and no statement runs long. Sums
 * are compared in one snapshot, those by month in another, and each page of rows is examined in one of its own
 * (decision reconcile/short-snapshots).
 * Rejects when `signal` is aborted.
 */
export async function reconcile(db: Db, signal?: AbortSignal): Promise<Reconciliation> {
  const ledger = await inSnapshot(db, async (trx) => {
    const { sums, count } = await readEntries(trx, signal);
    const expected = await readExpected(trx, signal);
    return { count, findings: await examineAccounts(trx, sums, expected, signal) };
  });
  const months = await examineMonths(db, signal);
  const tallies = await examineTallies(db, signal);
  const payments = await examinePayments(db, signal);
  const withdrawals = await examineWithdrawals(db, signal);
  const refunds = await examineRefunds(db, signal);
  const charges = await examineCharges(db, signal);
  return {
    payments: payments.count,
    credits: payments.credits,
    withdrawals: withdrawals.count,
    refunds: refunds.count,
    charges: charges.count,
    entries: ledger.count,
    findings: [
      ...ledger.findings,
      ...months,
      ...tallies,
      ...[payments, withdrawals, refunds, charges].flatMap(({ findings }) => findings),
    ],
  };
}

async function readEntries(trx: Trx, signal: AbortSignal | undefined) {
  const sums = new Map<string, bigint>();
  let count = 0;
  const range = await findEntryRange(trx);
  for (let from = range?.first ?? 0n; range && from <= range.last; from += ENTRIES_A_PAGE) {
    signal?.throwIfAborted();
    for (const row of await sumEntries(trx, from, from + ENTRIES_A_PAGE)) {
      add(sums, row.account, row.total);
      count += Number(row.count);
    }
  }
  return { sums, count };
}

/**
 * What payments and withdrawals account for: in `pending`, `suspense` and `hold`, by merchant and kind of account; in
 * the accounts of the world outside, by account, because money comes from there and goes there by them only.
 */
async function readExpected(trx: Trx, signal: AbortSignal | undefined): Promise<ReadonlyMap<string, bigint>> {
  const expected = new Map<string, bigint>();
  for await (const page of pages((after) => sumPayments(trx, after, SUMMED_A_PAGE), null, signal)) {
    for (const { merchantId, pending, suspense } of page) {
      add(expected, `${merchantId} pending`, pending);
      add(expected, `${merchantId} suspense`, suspense);
    }
  }
  for await (const page of pages((after) => sumWithdrawals(trx, after, SUMMED_A_PAGE), null, signal)) {
    for (const each of page) add(expected, `${each.merchantId} hold`, heldBy(each));
  }
  for await (const page of pages((after) => sumRefunds(trx, after, SUMMED_A_PAGE), null, signal)) {
    for (const each of page) add(expected, `${each.merchantId} hold`, heldFor(each));
  }
  const range = await findEntryRange(trx);
  for (let from = range?.first ?? 0n; range && from <= range.last; from += OUTSIDE_A_PAGE) {
    signal?.throwIfAborted();
    for (const row of await sumOutside(trx, from, from + OUTSIDE_A_PAGE)) add(expected, row.account, row.total);
  }
  return expected;
}

/** Yields the pages of `list`; the last one is shorter than `limit`, or empty where pages have no fixed length. */
async function* pages<T extends { readonly id: string }>(
  list: (after: string) => Promise<T[]>,
  limit: number | null,
  signal: AbortSignal | undefined,
): AsyncGenerator<T[]> {
  for (let after = ''; ; ) {
    signal?.throwIfAborted();
    const page = await list(after);
    yield page;
    const last = page.at(-1);
    if (!last || (limit !== null && page.length < limit)) return;
    after = last.id;
  }
}

async function examinePayments(db: Db, signal: AbortSignal | undefined) {
  const findings: Finding[] = [];
  let [count, credits] = [0, 0];
  const list = (after: string) => inSnapshot(db, (trx) => listPaymentFacts(trx, after, SUBJECTS_A_PAGE));
  for await (const page of pages(list, null, signal)) {
    for (const facts of page) {
      findings.push(...examinePayment(facts));
      credits += facts.credits.length;
    }
    count += page.length;
  }
  return { findings, count, credits };
}

async function examineWithdrawals(db: Db, signal: AbortSignal | undefined) {
  const findings: Finding[] = [];
  let count = 0;
  const list = (after: string) => inSnapshot(db, (trx) => listWithdrawalFacts(trx, after, SUBJECTS_A_PAGE));
  for await (const page of pages(list, SUBJECTS_A_PAGE, signal)) {
    findings.push(...page.flatMap(examineWithdrawal));
    count += page.length;
  }
  return { findings, count };
}

async function examineRefunds(db: Db, signal: AbortSignal | undefined) {
  const findings: Finding[] = [];
  let count = 0;
  const list = (after: string) => inSnapshot(db, (trx) => listRefundFacts(trx, after, SUBJECTS_A_PAGE));
  for await (const page of pages(list, SUBJECTS_A_PAGE, signal)) {
    findings.push(...page.flatMap(examineRefund));
    count += page.length;
  }
  return { findings, count };
}

async function examineCharges(db: Db, signal: AbortSignal | undefined) {
  const strays = await inSnapshot(db, listStrayCollections);
  const findings: Finding[] = strays.map((stray) => ({ rule: 'charge.known', ...stray }));
  let count = 0;
  const list = (after: string) => inSnapshot(db, (trx) => listChargeFacts(trx, after, SUBJECTS_A_PAGE));
  for await (const page of pages(list, SUBJECTS_A_PAGE, signal)) {
    findings.push(...page.flatMap(examineCharge));
    count += page.length;
  }
  return { findings, count };
}

type Sums = ReadonlyMap<string, bigint>;

async function examineAccounts(
  trx: Trx,
  sums: Sums,
  expected: Sums,
  signal: AbortSignal | undefined,
): Promise<Finding[]> {
  const findings: Finding[] = [];
  const currencies = new Map<string, bigint>();
  const list = (after: string) => listAccountFacts(trx, after, ACCOUNTS_A_PAGE);
  for await (const page of pages(list, ACCOUNTS_A_PAGE, signal)) {
    for (const account of page) {
      add(currencies, account.currency, sums.get(account.id) ?? 0n);
      findings.push(...examineAccount(account, sums.get(account.id) ?? 0n, expected));
    }
  }
  const unbalanced = [...currencies].filter(([, total]) => total !== 0n);
  return [
    ...unbalanced.map(([currency, total]) => ({
      rule: 'ledger.balanced',
      subject: currency,
      message: `all entries together come to ${formatMicro(total)} instead of zero`,
    })),
    ...findings,
  ];
}

/** The rows that back an account of this kind; `withdrawals` are with refunds. */
const BACKING: Readonly<Record<string, 'payments' | 'withdrawals'>> = {
  pending: 'payments',
  suspense: 'payments',
  hold: 'withdrawals',
};

/**
 * A tracked balance is the sum of its entries. An account for the money of payments or withdrawals holds nothing else.
 */
function examineAccount(account: AccountFacts, entries: bigint, expected: Sums): Finding[] {
  const differs = (rule: string, wanted: bigint, of: string): Finding[] => {
    if (account.balance === wanted) return [];
    const message = `the balance is ${formatMicro(account.balance)}, ${of} come to ${formatMicro(wanted)}`;
    return [{ rule, subject: account.id, message }];
  };
  const backing = BACKING[account.kind];
  const outside = expected.get(account.id) ?? 0n;
  if (account.kind === 'external' && entries !== outside) {
    const message = `its entries come to ${formatMicro(entries)}, those of payments and withdrawals to ${formatMicro(outside)}`;
    return [{ rule: 'account.external', subject: account.id, message }];
  }
  return [
    ...(account.tracked ? differs('account.drift', entries, 'its entries') : []),
    ...(backing
      ? differs(`account.${backing}`, expected.get(`${account.ownerId} ${account.kind}`) ?? 0n, `its ${backing}`)
      : []),
  ];
}

const add = (sums: Map<string, bigint>, key: string, amount: bigint): void => {
  sums.set(key, (sums.get(key) ?? 0n) + amount);
};
