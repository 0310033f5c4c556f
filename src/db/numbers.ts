import { type Kysely, sql } from 'kysely';
import type { DB } from '../../generated/db.ts';
import { monotonicMs, SECOND_MS } from '../lib/clock.ts';
import type { Db, Sequence, TakenNumber, Trx } from '../lib/db-types.ts';

/** So many numbers of a sequence wait in a process at most; when it ends, they are lost. */
const AHEAD_MAX = 64;

type Stock = { readonly numbers: number[]; taken: number; before: number; since: number; isFilling: boolean };

export type Numbers = Pick<Db, 'takeAhead' | 'giveBack'> & {
  /** Drops all that wait: the server that gave them may be gone, and the one after it may give them to others. */
  readonly forget: () => void;
};

/**
 * Numbers of sequences that were taken ahead, outside of any transaction: as many as were used lately, so that a
 * process that uses few takes none. See decision db/numbers-ahead.
 */
export function createNumbers(db: Kysely<DB>): Numbers {
  const stocks = new Map<Sequence, Stock>();
  const fill = async (sequence: Sequence, stock: Stock, count: number): Promise<void> => {
    stock.isFilling = true;
    try {
      const { rows } = await sql<{ number: number }>`
        select nextval(${sequence}::regclass)::integer as number from generate_series(1, ${count})`.execute(db);
      stock.numbers.push(...rows.map(({ number }) => number));
    } catch {
      // The transaction that lacks one takes its own, and meets whatever is wrong.
    } finally {
      stock.isFilling = false;
    }
  };
  const stockOf = (sequence: Sequence): Stock => {
    const stock = stocks.get(sequence) ?? { numbers: [], taken: 0, before: 0, since: monotonicMs(), isFilling: false };
    stocks.set(sequence, stock);
    return stock;
  };
  const takeAhead: Db['takeAhead'] = (sequence) => {
    const stock = stockOf(sequence);
    const wanted = Math.min(AHEAD_MAX, countUse(stock) - 1);
    const number = stock.numbers.shift();
    if (!stock.isFilling && stock.numbers.length < wanted / 2) {
      void fill(sequence, stock, wanted - stock.numbers.length);
    }
    return { ...(number !== undefined && { number }), next: stock.numbers };
  };
  return {
    takeAhead,
    giveBack: (sequence, { number, next }) => {
      const { numbers } = stockOf(sequence);
      if (numbers === next) numbers.unshift(number);
    },
    forget: () => stocks.clear(),
  };
}

/** Counts a use; returns how many there were in this second and the last. */
function countUse(stock: Stock): number {
  const age = monotonicMs() - stock.since;
  if (age > SECOND_MS) {
    stock.before = age > 2 * SECOND_MS ? 0 : stock.taken;
    stock.taken = 0;
    stock.since += age;
  }
  stock.taken += 1;
  return stock.taken + stock.before;
}

/** The next number of a sequence: one that was taken ahead, else one that this transaction asks for. */
export async function takeNumber(db: Db, trx: Pick<Trx, 'getExecutor'>, sequence: Sequence): Promise<TakenNumber> {
  const { number, next } = db.takeAhead(sequence);
  if (number !== undefined) return { number, next };
  const { rows } = await sql<{ number: number }>`
    select nextval(${sequence}::regclass)::integer as number`.execute(trx);
  return { number: rows[0]?.number ?? Number.NaN, next };
}
