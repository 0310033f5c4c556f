import { type RawBuilder, type SqlBool, sql } from 'kysely';
import { after, DAY_MS } from '../lib/clock.ts';
import type { Db } from '../lib/db-types.ts';
import { piecesOf } from '../lib/pieces-of.ts';
import type { Asset, Network } from '../ports/chain.ts';
import type { Payout, PayoutKind } from './payout.ts';
import { ALL_ROWS, type ClaimRow, claimOf, isPaidInAny, KINDS, listPaidIn, ROWS, toPaidOut } from './rows.ts';

/**
 * Which payouts of a network: a condition on a row `p`. They are read in the order of a column whose partial index has
 * few rows; in any other order PostgreSQL walks through all withdrawals or refunds to find the few that wait.
 */
type Choice = {
  readonly where: RawBuilder<SqlBool>;
  readonly by: keyof typeof KEYS;
  readonly kinds: readonly PayoutKind[];
};

/** The columns, and their types in PostgreSQL. */
const KEYS = { tx_block: 'bigint', finished_at: 'timestamptz', id: 'text' } as const;

const PAGE = 100;
/** So many payouts are asked about at once. */
const AT_ONCE = 5;
/** A payout that an older release did not place is looked for this long: later nodes may have forgotten it. */
const UNPLACED_MS = 30 * DAY_MS;
/** A payout that was seen final is compared for so long. */
const RECENT_MS = 3 * DAY_MS;
/** No more are counted. */
const COUNT_MAX = 1000;

/** Those whose block is final as far as height goes, and that nobody has looked at since. */
export const notFinal = (finalHeight: number): Choice => ({
  where: sql`p.final_at is null and p.tx_block <= ${finalHeight}`,
  by: 'tx_block',
  kinds: KINDS,
});

/** Those that were verified, and whose block an older release did not note. No release did so with a refund. */
export const unplaced = (now: Date): Choice => ({
  where: sql`p.tx_verified and p.final_at is null and p.tx_block is null
    and p.finished_at > ${after(now, -UNPLACED_MS)}`,
  by: 'finished_at',
  kinds: ['withdrawal'],
});

/** Those that anyone should still find: of the last days, and all that are not known to be final. */
export const comparable = (finalHeight: number, now: Date): Choice => ({
  where: sql`((${notFinal(finalHeight).where}) or (${unplaced(now).where})
    or p.tx_verified and p.final_at is not null and p.finished_at > ${after(now, -RECENT_MS)})`,
  by: 'id',
  kinds: KINDS,
});

/** All that the chain has shown. */
export const everShown: Choice = { where: sql`p.tx_verified`, by: 'id', kinds: KINDS };

/** Whether there are any payouts of a choice. */
export async function hasPayouts(db: Db, network: Network, choice: Choice): Promise<boolean> {
  const known = await listPaidIn(db, network);
  for (const kind of choice.kinds) {
    if ((await readPage(db, network, choice, { kind, known, last: undefined, limit: 1 })).length > 0) return true;
  }
  return false;
}

/** The payouts of a choice, each once, a few at a time; ends early when `signal` is aborted. */
export async function* listPayouts(
  db: Db,
  network: Network,
  choice: Choice,
  signal: AbortSignal | undefined,
): AsyncGenerator<Payout[]> {
  const known = await listPaidIn(db, network);
  for (const kind of choice.kinds) {
    let last: Row | undefined;
    do {
      const rows: Row[] = await readPage(db, network, choice, { kind, known, last, limit: PAGE });
      const payouts = rows.flatMap((row) => toPayout(row, known));
      for (const some of piecesOf(payouts, AT_ONCE)) {
        if (signal?.aborted) return;
        yield some;
      }
      last = rows.length < PAGE ? undefined : rows.at(-1);
    } while (last !== undefined);
  }
}

type Row = ClaimRow & {
  readonly txHash: string | null;
  readonly block: bigint | null;
  readonly blockHash: string | null;
  /** As text, because a Date is less exact than PostgreSQL's time. */
  readonly key: string;
};

type Page = {
  readonly kind: PayoutKind;
  readonly known: readonly Asset[];
  readonly last: Row | undefined;
  readonly limit: number;
};

/** Those of which it is known what they may have been paid in. */
async function readPage(db: Db, network: Network, { where, by }: Choice, page: Page): Promise<Row[]> {
  const { kind, known, last, limit } = page;
  const key = sql.ref(`p.${by}`);
  const next = last ? sql`and (${key}, p.id) > (${last.key}::${sql.raw(KEYS[by])}, ${last.id})` : sql``;
  const { rows } = await sql<Row>`
    select ${claimOf('p')}, p.tx_hash as "txHash", p.tx_block as block, p.tx_block_hash as "blockHash",
           ${key}::text as key
      from (${ROWS[kind]}) p
     where p.network = ${network.name} and ${isPaidInAny('p', known)}
       and p.status = 'completed' and ${where} ${next}
     order by ${key}, p.id limit ${limit}`.execute(db);
  return rows;
}

function toPayout({ txHash, block: height, blockHash: hash, ...row }: Row, known: readonly Asset[]): Payout[] {
  if (txHash === null) return [];
  const block = height === null || hash === null ? null : { height: Number(height), hash };
  return toPaidOut(row, txHash, block, known);
}

/** Payouts that were shown in a block and never seen final, on other networks, or in contracts that are unknown. */
export async function sumNotFinalElsewhere(db: Db, networks: readonly Network[]) {
  const known: string[] = [];
  for (const network of networks)
    known.push(...(await listPaidIn(db, network)).map(({ symbol }) => `${network.name} ${symbol}`));
  const names = networks.map(({ name }) => name);
  const { rows } = await sql<{ network: string; token: string; payouts: bigint; micro: bigint }>`
    select network, token, count(*) as payouts, sum(micro)::bigint as micro
      from (${ALL_ROWS}) p
     where status = 'completed' and final_at is null and tx_block is not null
       and (network <> all (${names}::text[]) or contract is null and network || ' ' || token <> all (${known}::text[]))
     group by network, token order by network, token`.execute(db);
  return rows;
}

/**
 * How many payouts on a network were never seen final; a thousand at most. Where a symbol is given, those in it whose
 * contract was not noted: the others are looked for all the same.
 */
export async function countPayoutsNotFinal(db: Db, network: string, symbol: string | null): Promise<number> {
  const { rows } = await sql`
    select from (${ALL_ROWS}) p
     where status = 'completed' and final_at is null and tx_verified and network = ${network}
       and (${symbol}::text is null or token = ${symbol} and contract is null) limit ${COUNT_MAX}`.execute(db);
  return rows.length;
}
