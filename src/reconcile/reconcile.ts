import { inSnapshot } from '../db/transaction.ts';
import { isExternal } from '../ledger/accounts.ts';
import type { Db, Trx } from '../lib/db-types.ts';
import { listChargeFacts, listStrayCollections } from './charge-facts.ts';
import { examineCharge } from './examine-charge.ts';
import { examinePayment, type JournalFacts } from './examine-payment.ts';
import { examineWithdrawal, heldBy } from './examine-withdrawal.ts';
import { dollars, type Finding } from './finding.ts';
import {
  type AccountFacts,
  findEntryRange,
  listAccountFacts,
  listPaymentFacts,
  listWithdrawalFacts,
  sumEntries,
} from './ledger-facts.ts';

export type Reconciliation = {
  readonly payments: number;
  readonly credits: number;
  readonly withdrawals: number;
  readonly charges: number;
  readonly entries: number;
  readonly findings: readonly Finding[];
};

/** Payments, withdrawals or charges. */
const SUBJECTS_A_PAGE = 500;
const ACCOUNTS_A_PAGE = 5000;
const ENTRIES_A_PAGE = 100_000n;

/**
 * Compares the ledger with itself and with the rows that it books. The entries of each currency add up to zero. Each
 * balance is the sum of its entries. Each transfer is booked once. The money of each payment and withdrawal lies where
 * its state says. Each paid payment was announced once. Each collected charge has one payment. Reads page by page in
 * one snapshot: it locks nothing, and no statement runs long. Rejects when `signal` is aborted.
 */
export async function reconcile(db: Db, signal?: AbortSignal): Promise<Reconciliation> {
  return inSnapshot(db, async (trx) => {
    const ledger = await readEntries(trx, signal);
    /**
     * The amounts that payments and withdrawals account for in `pending`, `suspense` and `hold`, by merchant and kind,
     * and in the accounts of the world outside, by account.
     */
    const expected = new Map<string, bigint>();
    const payments = await examinePayments(trx, expected, signal);
    const withdrawals = await examineWithdrawals(trx, expected, signal);
    const charges = await examineCharges(trx, signal);
    const accounts = await examineAccounts(trx, ledger.sums, expected, signal);
    return {
      payments: payments.count,
      credits: payments.credits,
      withdrawals: withdrawals.count,
      charges: charges.count,
      entries: ledger.count,
      findings: [...accounts, ...payments.findings, ...withdrawals.findings, ...charges.findings],
    };
  });
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

type Balances = Map<string, bigint>;

/** Yields the pages of `list` until it ends. */
async function* pages<T extends { readonly id: string }>(
  list: (after: string, limit: number) => Promise<T[]>,
  limit: number,
  signal: AbortSignal | undefined,
): AsyncGenerator<T[]> {
  for (let after = ''; ; ) {
    signal?.throwIfAborted();
    const page = await list(after, limit);
    yield page;
    const last = page.at(-1);
    if (page.length < limit || !last) return;
    after = last.id;
  }
}

async function examinePayments(trx: Trx, expected: Balances, signal: AbortSignal | undefined) {
  const findings: Finding[] = [];
  let [count, credits] = [0, 0];
  const list = (after: string, limit: number) => listPaymentFacts(trx, after, limit);
  for await (const page of pages(list, SUBJECTS_A_PAGE, signal)) {
    for (const facts of page) {
      findings.push(...examinePayment(facts));
      add(expected, `${facts.merchantId} pending`, facts.booked.pending);
      add(expected, `${facts.merchantId} suspense`, facts.booked.suspense);
      addOutside(expected, facts.journals);
      credits += facts.credits.length;
    }
    count += page.length;
  }
  return { findings, count, credits };
}

async function examineWithdrawals(trx: Trx, expected: Balances, signal: AbortSignal | undefined) {
  const findings: Finding[] = [];
  let count = 0;
  const list = (after: string, limit: number) => listWithdrawalFacts(trx, after, limit);
  for await (const page of pages(list, SUBJECTS_A_PAGE, signal)) {
    for (const facts of page) {
      findings.push(...examineWithdrawal(facts));
      add(expected, `${facts.merchantId} hold`, heldBy(facts));
      addOutside(expected, facts.journals);
    }
    count += page.length;
  }
  return { findings, count };
}

async function examineCharges(trx: Trx, signal: AbortSignal | undefined) {
  const strays = await listStrayCollections(trx);
  const findings: Finding[] = strays.map((stray) => ({ rule: 'charge.known', ...stray }));
  let count = 0;
  const list = (after: string, limit: number) => listChargeFacts(trx, after, limit);
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
  const list = (after: string, limit: number) => listAccountFacts(trx, after, limit);
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
      message: `all entries together come to ${dollars(total)} instead of zero`,
    })),
    ...findings,
  ];
}

/** The rows that back an account of this kind. */
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
    const message = `the balance is ${dollars(account.balance)}, ${of} come to ${dollars(wanted)}`;
    return [{ rule, subject: account.id, message }];
  };
  const backing = BACKING[account.kind];
  const outside = expected.get(account.id) ?? 0n;
  if (account.kind === 'external' && entries !== outside) {
    const message = `its entries come to ${dollars(entries)}, those of payments and withdrawals to ${dollars(outside)}`;
    return [{ rule: 'account.external', subject: account.id, message }];
  }
  return [
    ...(account.tracked ? differs('account.drift', entries, 'its entries') : []),
    ...(backing
      ? differs(`account.${backing}`, expected.get(`${account.ownerId} ${account.kind}`) ?? 0n, `its ${backing}`)
      : []),
  ];
}

/** Money comes from outside and goes there by payments and withdrawals only. */
function addOutside(expected: Balances, journals: readonly JournalFacts[]): void {
  for (const { postings } of journals) {
    for (const [account, amount] of postings) if (isExternal(account)) add(expected, account, amount);
  }
}

const add = (sums: Map<string, bigint>, key: string, amount: bigint): void => {
  sums.set(key, (sums.get(key) ?? 0n) + amount);
};
