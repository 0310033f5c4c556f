import { openDatabase } from '../../src/db/database.ts';
import { inTransaction } from '../../src/db/transaction.ts';
import {
  externalAccount,
  lockAccounts,
  MERCHANT_KINDS,
  merchantAccount,
  shareAccounts,
} from '../../src/ledger/accounts.ts';
import { rollUpLedger } from '../../src/ledger/jobs.ts';
import { postJournal } from '../../src/ledger/post.ts';
import type { Db, Trx } from '../../src/lib/db-types.ts';
import { newId } from '../../src/lib/ids.ts';
import { type Figure, median } from './figure.ts';
import { openMerchants } from './merchants.ts';
import { type BenchService, createBenchDatabase, type Endings } from './service.ts';

const MERCHANTS = 1000;
/** So many book at once, each a credit a transaction. */
const WRITERS = 16;
const CREDITS = 40;
const ROUNDS = 7;

type Way = (trx: Trx, merchantId: string) => Promise<unknown>;

/**
 * Measures credits that many transactions book at once, on a disk that each commit waits for: for one merchant against
 * a thousand. Every round ends with the roll-up of what waits. The detail names the same with the merchant locked, as
 * money that goes out has it.
 */
export async function benchIncomeAtOnce(service: BenchService, endings: Endings): Promise<Figure> {
  const url = await createBenchDatabase(service, 'kasi_income_at_once');
  const db = openDatabase({ url, poolMax: WRITERS, applicationName: 'bench', onError: () => {} });
  endings.push(() => db.destroy());
  const many = await openMerchants(db, MERCHANTS);
  const one = many.slice(0, 1);
  const locked: Way = (trx, id) =>
    lockAccounts(
      trx,
      MERCHANT_KINDS.map((kind) => merchantAccount(id, kind)),
    );
  const shared: Way = (trx, id) => shareAccounts(trx, [id]);
  const rounds: { readonly one: number; readonly many: number; readonly alone: number }[] = [];
  for (let round = 0; round <= ROUNDS; round += 1) {
    const rates = {
      one: await rateOf(db, one, shared),
      many: await rateOf(db, many, shared),
      alone: await rateOf(db, one, locked),
    };
    if (round > 0) rounds.push(rates); // The first round warms up.
  }
  const rate = (of: 'one' | 'many' | 'alone') => Math.round(median(rounds.map((each) => each[of])));
  return {
    name: `Credits of one merchant booked by ${WRITERS} at once, against ${MERCHANTS} merchants`,
    value: median(rounds.map((each) => each.one / each.many)),
    limit: { atLeast: 0.7 },
    goal: 0.8,
    detail: `${rate('one')} to ${rate('many')} a second; ${rate('alone')} with the merchant locked`,
  };
}

/** Credits that are booked in a second, and rolled up. */
async function rateOf(db: Db, merchants: readonly string[], way: Way): Promise<number> {
  const now = new Date();
  const began = performance.now();
  const writers = Array.from({ length: WRITERS }, async (_, writer) => {
    for (let i = 0; i < CREDITS; i += 1) {
      const merchantId = merchants[(writer * CREDITS + i) % merchants.length] ?? '';
      await inTransaction(db, async (trx) => {
        await way(trx, merchantId);
        await postJournal(
          trx,
          { kind: 'credit', ref: newId('journal', now), merchantId, postings: to(merchantId) },
          now,
        );
      });
    }
  });
  await Promise.all(writers);
  await rollUpLedger(db, { signal: new AbortController().signal });
  return (WRITERS * CREDITS * 1000) / (performance.now() - began);
}

const to = (merchantId: string) => [
  { account: externalAccount('bench', 'USDT'), amount: -25_000_000n },
  { account: merchantAccount(merchantId, 'available'), amount: 25_000_000n },
];
