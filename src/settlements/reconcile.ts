import { inSnapshot } from '../db/transaction.ts';
import type { Db, Trx } from '../lib/db-types.ts';
import { formatUnits, MICRO_DECIMALS } from '../lib/money.ts';
import { examinePayment, type Finding } from './examine.ts';
import { type AccountFacts, findEntryRange, listAccountFacts, listPaymentFacts, sumEntries } from './ledger-facts.ts';

export type Reconciliation = {
  readonly payments: number;
  readonly credits: number;
  readonly entries: number;
  readonly findings: readonly Finding[];
};

const PAYMENTS_A_PAGE = 500;
const ACCOUNTS_A_PAGE = 5000;
const ENTRIES_A_PAGE = 100_000n;

/**
 * Compares the ledger with itself and with everything that it stands for: the entries of each currency add up to zero, balances are the
 * sums of their entries, every transfer is booked once, every payment's money is where its state says, and every paid one was announced
 * once. All of it in one snapshot, page by page, so that nothing is locked and no statement is long. Rejects when `signal` is aborted.
 */
export async function reconcile(db: Db, signal?: AbortSignal): Promise<Reconciliation> {
  return inSnapshot(db, async (trx) => {
    const ledger = await readEntries(trx, signal);
    const payments = await examinePayments(trx, signal);
    const accounts = await examineAccounts(trx, ledger.sums, payments.held, signal);
    return {
      payments: payments.count,
      credits: payments.credits,
      entries: ledger.count,
      findings: [...accounts, ...payments.findings],
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

async function examinePayments(trx: Trx, signal: AbortSignal | undefined) {
  /** What each merchant's payments say stands in `pending` and `suspense`, by account. */
  const held = new Map<string, bigint>();
  const findings: Finding[] = [];
  let [count, credits, last] = [0, 0, ''];
  for (;;) {
    signal?.throwIfAborted();
    const page = await listPaymentFacts(trx, last, PAYMENTS_A_PAGE);
    for (const facts of page) {
      findings.push(...examinePayment(facts));
      add(held, `${facts.merchantId} pending`, facts.booked.pending);
      add(held, `${facts.merchantId} suspense`, facts.booked.suspense);
      credits += facts.credits.length;
    }
    count += page.length;
    last = page.at(-1)?.id ?? last;
    if (page.length < PAYMENTS_A_PAGE) return { held, findings, count, credits };
  }
}

type Sums = ReadonlyMap<string, bigint>;

async function examineAccounts(trx: Trx, sums: Sums, held: Sums, signal: AbortSignal | undefined): Promise<Finding[]> {
  const findings: Finding[] = [];
  const currencies = new Map<string, bigint>();
  let last = '';
  for (;;) {
    signal?.throwIfAborted();
    const page = await listAccountFacts(trx, last, ACCOUNTS_A_PAGE);
    for (const account of page) {
      add(currencies, account.currency, sums.get(account.id) ?? 0n);
      findings.push(...examineAccount(account, sums.get(account.id) ?? 0n, held));
    }
    last = page.at(-1)?.id ?? last;
    if (page.length < ACCOUNTS_A_PAGE) break;
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

/** A tracked balance is the sum of its entries; `pending` and `suspense` hold the money of payments and nothing else. */
function examineAccount(account: AccountFacts, entries: bigint, held: Sums): Finding[] {
  const differs = (rule: string, wanted: bigint, of: string): Finding[] => {
    if (account.balance === wanted) return [];
    const message = `the balance is ${dollars(account.balance)}, ${of} come to ${dollars(wanted)}`;
    return [{ rule, subject: account.id, message }];
  };
  const forPayments = account.kind === 'pending' || account.kind === 'suspense';
  return [
    ...(account.tracked ? differs('account.drift', entries, 'its entries') : []),
    ...(forPayments
      ? differs('account.payments', held.get(`${account.ownerId} ${account.kind}`) ?? 0n, 'its payments')
      : []),
  ];
}

const dollars = (micro: bigint): string => formatUnits(micro, MICRO_DECIMALS, true);

const add = (sums: Map<string, bigint>, key: string, amount: bigint): void => {
  sums.set(key, (sums.get(key) ?? 0n) + amount);
};
