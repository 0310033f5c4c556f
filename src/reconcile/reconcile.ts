import { inSnapshot } from '../db/transaction.ts';
import type { Db, Trx } from '../lib/db-types.ts';
import { formatMicro } from '../lib/money.ts';
import { listChargeFacts, listStrayCollections } from './charge-facts.ts';
import { examineCharge } from './examine-charge.ts';
import { examinePayment } from './examine-payment.ts';
import { examineRefund, heldFor } from './examine-refund.ts';
import { examineWithdrawal, heldBy } from './examine-withdrawal.ts';
import type { Finding } from './finding.ts';
import { type Findings, type Following, openFindings, type Step, stepOf } from './following.ts';
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
  /** The first 10,000 things that are wrong. */
  readonly findings: readonly Finding[];
  /** How many things are wrong. */
  readonly wrong: number;
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
 */
export async function reconcile(db: Db, following: Following = {}): Promise<Reconciliation> {
  const step = stepOf(following);
  const findings = openFindings(following);
  const entries = await inSnapshot(db, async (trx) => {
    const { sums, count } = await readEntries(trx, step);
    const expected = await readExpected(trx, step);
    findings.add(await examineAccounts(trx, sums, expected, step));
    return count;
  });
  findings.add(await examineMonths(db, step));
  findings.add(await examineTallies(db, step));
  const { count: payments, credits } = await examinePayments(db, findings, step);
  const withdrawals = await examineWithdrawals(db, findings, step);
  const refunds = await examineRefunds(db, findings, step);
  const charges = await examineCharges(db, findings, step);
  const checked = { payments, credits, withdrawals, refunds, charges, entries };
  return { ...checked, findings: findings.kept, wrong: findings.count() };
}

async function readEntries(trx: Trx, step: Step) {
  const sums = new Map<string, bigint>();
  let count = 0;
  const range = await findEntryRange(trx);
  for (let from = range?.first ?? 0n; range && from <= range.last; from += ENTRIES_A_PAGE) {
    step(`${count} ledger entries were added up`);
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
async function readExpected(trx: Trx, step: Step): Promise<ReadonlyMap<string, bigint>> {
  const expected = new Map<string, bigint>();
  for await (const page of pages(
    (after) => sumPayments(trx, after, SUMMED_A_PAGE),
    null,
    () => step('payments are being added up'),
  )) {
    for (const { merchantId, pending, suspense } of page) {
      add(expected, `${merchantId} pending`, pending);
      add(expected, `${merchantId} suspense`, suspense);
    }
  }
  for await (const page of pages(
    (after) => sumWithdrawals(trx, after, SUMMED_A_PAGE),
    null,
    () => step('withdrawals are being added up'),
  )) {
    for (const each of page) add(expected, `${each.merchantId} hold`, heldBy(each));
  }
  for await (const page of pages(
    (after) => sumRefunds(trx, after, SUMMED_A_PAGE),
    null,
    () => step('refunds are being added up'),
  )) {
    for (const each of page) add(expected, `${each.merchantId} hold`, heldFor(each));
  }
  const range = await findEntryRange(trx);
  for (let from = range?.first ?? 0n; range && from <= range.last; from += OUTSIDE_A_PAGE) {
    step('what came from outside is being added up');
    for (const row of await sumOutside(trx, from, from + OUTSIDE_A_PAGE)) add(expected, row.account, row.total);
  }
  return expected;
}

/**
 * Yields the pages of `list`, with `begin` before each; the last one is shorter than `limit`, or empty where pages have
 * no fixed length.
 */
async function* pages<T extends { readonly id: string }>(
  list: (after: string) => Promise<T[]>,
  limit: number | null,
  begin: () => void,
): AsyncGenerator<T[]> {
  for (let after = ''; ; ) {
    begin();
    const page = await list(after);
    yield page;
    const last = page.at(-1);
    if (!last || (limit !== null && page.length < limit)) return;
    after = last.id;
  }
}

async function examinePayments(db: Db, findings: Findings, step: Step) {
  let [count, credits] = [0, 0];
  const list = (after: string) => inSnapshot(db, (trx) => listPaymentFacts(trx, after, SUBJECTS_A_PAGE));
  for await (const page of pages(list, null, () => step(`${count} payments were examined`))) {
    for (const facts of page) {
      findings.add(examinePayment(facts));
      credits += facts.credits.length;
    }
    count += page.length;
  }
  return { count, credits };
}

async function examineWithdrawals(db: Db, findings: Findings, step: Step): Promise<number> {
  let count = 0;
  const list = (after: string) => inSnapshot(db, (trx) => listWithdrawalFacts(trx, after, SUBJECTS_A_PAGE));
  for await (const page of pages(list, SUBJECTS_A_PAGE, () => step(`${count} withdrawals were examined`))) {
    findings.add(page.flatMap(examineWithdrawal));
    count += page.length;
  }
  return count;
}

async function examineRefunds(db: Db, findings: Findings, step: Step): Promise<number> {
  let count = 0;
  const list = (after: string) => inSnapshot(db, (trx) => listRefundFacts(trx, after, SUBJECTS_A_PAGE));
  for await (const page of pages(list, SUBJECTS_A_PAGE, () => step(`${count} refunds were examined`))) {
    findings.add(page.flatMap(examineRefund));
    count += page.length;
  }
  return count;
}

async function examineCharges(db: Db, findings: Findings, step: Step): Promise<number> {
  const strays = await inSnapshot(db, listStrayCollections);
  findings.add(strays.map((stray) => ({ rule: 'charge.known', ...stray })));
  let count = 0;
  const list = (after: string) => inSnapshot(db, (trx) => listChargeFacts(trx, after, SUBJECTS_A_PAGE));
  for await (const page of pages(list, SUBJECTS_A_PAGE, () => step(`${count} charges were examined`))) {
    findings.add(page.flatMap(examineCharge));
    count += page.length;
  }
  return count;
}

type Sums = ReadonlyMap<string, bigint>;

async function examineAccounts(trx: Trx, sums: Sums, expected: Sums, step: Step): Promise<Finding[]> {
  const findings: Finding[] = [];
  const currencies = new Map<string, bigint>();
  const list = (after: string) => listAccountFacts(trx, after, ACCOUNTS_A_PAGE);
  for await (const page of pages(list, ACCOUNTS_A_PAGE, () => step('accounts are being compared'))) {
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
