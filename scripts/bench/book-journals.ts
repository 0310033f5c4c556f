import { sql } from 'kysely';
import { openDatabase } from '../../src/db/database.ts';
import { inTransaction } from '../../src/db/transaction.ts';
import { externalAccount, merchantAccount, platformAccount } from '../../src/ledger/accounts.ts';
import { type JournalDraft, postJournals } from '../../src/ledger/post.ts';
import type { Db } from '../../src/lib/db-types.ts';
import { newId } from '../../src/lib/ids.ts';
import { type Figure, median } from './figure.ts';
import { openMerchants } from './merchants.ts';
import { type BenchService, createBenchDatabase, type Endings } from './service.ts';

/** Many short rounds instead of a few long ones, so that the machine's noise hits both sides. */
const ROUNDS = 15;
const WARM_UP = 3;
const MERCHANTS = 20;
/** How many journals come in one statement: one of a request, and many as a block brings them. */
const SIZES = { one: { journals: 1, statements: 200 }, fifty: { journals: 50, statements: 10 } } as const;

/**
 * Measures booking with the trigger that keeps the sums by month, against the same bookings in the same tables without
 * it; alternating, so that noise hits both.
 */
export async function benchBookJournals(service: BenchService, endings: Endings): Promise<Figure[]> {
  const url = await createBenchDatabase(service, 'kasi_book_journals');
  const db = openDatabase({ url, poolMax: 1, applicationName: 'bench', onError: () => undefined });
  endings.push(() => db.destroy());
  const merchants = await openMerchants(db, MERCHANTS);
  return [
    await compare(db, merchants, 'one at a time', SIZES.one),
    await compare(db, merchants, 'fifty at a time', SIZES.fifty),
  ];
}

type Size = { readonly journals: number; readonly statements: number };

async function compare(db: Db, merchants: readonly string[], how: string, size: Size): Promise<Figure> {
  const rounds: { readonly kept: number; readonly bare: number }[] = [];
  for (let round = 0; round < ROUNDS + WARM_UP; round += 1) {
    const took = { kept: 0, bare: 0 };
    for (const side of round % 2 === 0 ? (['kept', 'bare'] as const) : (['bare', 'kept'] as const)) {
      await setTrigger(db, side);
      took[side] = await book(db, merchants, size);
    }
    if (round >= WARM_UP) rounds.push(took);
  }
  await setTrigger(db, 'kept');
  const [kept, bare] = [median(rounds.map((each) => each.kept)), median(rounds.map((each) => each.bare))];
  const journals = size.journals * size.statements;
  return {
    name: `Journals booked ${how} with sums by month, against without`,
    value: median(rounds.map((each) => each.bare / each.kept)),
    limit: { atLeast: 0.5 },
    detail: `${perSecond(journals, kept)} to ${perSecond(journals, bare)} journals a second`,
  };
}

const perSecond = (journals: number, ms: number): number => Math.round((journals / ms) * 1000);

const setTrigger = (db: Db, side: 'kept' | 'bare') =>
  sql`alter table entries ${sql.raw(side === 'kept' ? 'enable' : 'disable')} trigger sum_month`.execute(db);

/** Books as many statements as the size says, each in its own transaction. Returns the milliseconds. */
async function book(db: Db, merchants: readonly string[], { journals, statements }: Size): Promise<number> {
  const now = new Date();
  const start = performance.now();
  for (let statement = 0; statement < statements; statement += 1) {
    const drafts = Array.from({ length: journals }, (_, i) =>
      draftOf(merchants[(statement + i) % merchants.length] ?? '', now),
    );
    await inTransaction(db, (trx) => postJournals(trx, drafts, now));
  }
  return performance.now() - start;
}

/** What a payment books when it is paid at once: to its merchant, less the fee of the platform. */
const draftOf = (merchantId: string, now: Date): JournalDraft => ({
  kind: 'payment.moved',
  ref: newId('journal', now),
  merchantId,
  postings: [
    { account: externalAccount('bench', 'USDT'), amount: -25_000_000n },
    { account: merchantAccount(merchantId, 'available'), amount: 24_750_000n },
    { account: platformAccount('fees'), amount: 250_000n },
  ],
});
