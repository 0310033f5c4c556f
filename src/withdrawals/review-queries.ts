import { type RawBuilder, type SqlBool, sql } from 'kysely';
import { after, DAY_MS } from '../lib/clock.ts';
import type { Db } from '../lib/db-types.ts';
import { MICRO_PER_CENT } from '../lib/money.ts';
import type { BlockPlace, Network, PaidOut } from '../ports/chain.ts';
import { toWithdrawal } from './queries.ts';
import { netMinor, type Withdrawal } from './withdrawal.ts';

/** A payout that the chain showed, of a completed withdrawal. */
export type Payout = PaidOut & { readonly withdrawalId: string; readonly network: string };

/**
 * Which payouts of a network: a condition on `withdrawals as w`. They are read in the order of a column whose partial
 * index has few rows; in any other order PostgreSQL walks through all withdrawals to find the few that wait.
 */
type Choice = { readonly where: RawBuilder<SqlBool>; readonly by: keyof typeof KEYS };

/** The columns, and their types in PostgreSQL. */
const KEYS = { tx_block: 'bigint', finished_at: 'timestamptz', id: 'text' } as const;

const PAGE = 100;
/** So many payouts are asked about at once. */
const AT_ONCE = 5;
/** A payout that an older release did not place is looked for this long: later nodes may have forgotten it. */
const UNPLACED_MS = 30 * DAY_MS;
/** A payout that was seen final is compared for so long. */
const RECENT_MS = 3 * DAY_MS;

/** Those whose block is final as far as height goes, and that nobody has looked at since. */
export const notFinal = (finalHeight: number): Choice => ({
  where: sql`w.final_at is null and w.tx_block <= ${finalHeight}`,
  by: 'tx_block',
});

/** Those that were verified, and whose block an older release did not note. */
export const unplaced = (now: Date): Choice => ({
  where: sql`w.tx_verified and w.final_at is null and w.tx_block is null
    and w.finished_at > ${after(now, -UNPLACED_MS)}`,
  by: 'finished_at',
});

/** Those that anyone should still find: of the last days, and all that are not known to be final. */
export const comparable = (finalHeight: number, now: Date): Choice => ({
  where: sql`((${notFinal(finalHeight).where}) or (${unplaced(now).where})
    or w.tx_verified and w.final_at is not null and w.finished_at > ${after(now, -RECENT_MS)})`,
  by: 'id',
});

/** All that the chain has shown. */
export const everShown: Choice = { where: sql`w.tx_verified`, by: 'id' };

/** Whether there are any payouts of a choice. */
export const hasPayouts = async (db: Db, network: Network, choice: Choice): Promise<boolean> =>
  (await chosen(db, network, choice).limit(1).execute()).length > 0;

/** The payouts of a choice, each once, a few at a time; ends early when `signal` is aborted. */
export async function* listPayouts(
  db: Db,
  network: Network,
  choice: Choice,
  signal: AbortSignal | undefined,
): AsyncGenerator<Payout[]> {
  const by = sql.ref(`w.${choice.by}`);
  // As text, because a Date is less exact than PostgreSQL's time.
  const key = sql<string>`${by}::text`.as('key');
  let last: { readonly key: string; readonly id: string } | undefined;
  for (;;) {
    const page = chosen(db, network, choice).select(key).limit(PAGE);
    const isNext = last && sql<boolean>`(${by}, w.id) > (${last.key}::${sql.raw(KEYS[choice.by])}, ${last.id})`;
    const rows = await (isNext ? page.where(isNext) : page).execute();
    const payouts = rows.flatMap((row) => toPayout(toWithdrawal(row)));
    for (let at = 0; at < payouts.length; at += AT_ONCE) {
      if (signal?.aborted) return;
      yield payouts.slice(at, at + AT_ONCE);
    }
    const end = rows.at(-1);
    if (end === undefined || rows.length < PAGE) return;
    last = end;
  }
}

/** Those in tokens that are listed: by any other nothing can be found. */
const chosen = (db: Db, { name, tokens }: Network, { where, by }: Choice) =>
  db
    .selectFrom('withdrawals as w')
    .selectAll()
    .where('w.network', '=', name)
    .where(sql<boolean>`w.currency = any (${tokens.map(({ symbol }) => symbol)}::text[])`)
    .where('w.status', '=', 'completed')
    .where(where)
    .orderBy(`w.${by}`)
    .orderBy('w.id');

function toPayout(withdrawal: Withdrawal): Payout[] {
  const { id: withdrawalId, network, txHash, destinationAddress: destination, txBlock: block } = withdrawal;
  if (txHash === null || destination === null) return [];
  const minMicro = netMinor(withdrawal) * MICRO_PER_CENT;
  return [{ withdrawalId, network, txHash, token: withdrawal.currency, destination, block, minMicro }];
}

/** The payout is in this block, which is final. One that was taken back or completed anew meanwhile stays as it is. */
export async function markPayoutFinal(
  db: Db,
  { withdrawalId, txHash }: Payout,
  { height, hash }: BlockPlace,
  now: Date,
): Promise<void> {
  await db
    .updateTable('withdrawals')
    .set({ tx_block: BigInt(height), tx_block_hash: hash, final_at: now })
    .where('id', '=', withdrawalId)
    .where('status', '=', 'completed')
    .where('tx_hash', '=', txHash)
    .where('final_at', 'is', null)
    .execute();
}

/** Payouts that were shown in a block and never seen final, on networks or in tokens other than these. */
export async function sumNotFinalElsewhere(db: Db, networks: readonly Network[]) {
  const listed = networks.flatMap(({ name, tokens }) => tokens.map(({ symbol }) => `${name} ${symbol}`));
  const { rows } = await sql<{ network: string; token: string; payouts: bigint; minor: bigint }>`
    select network, currency as token, count(*) as payouts, sum(amount_minor - fee_minor)::bigint as minor
      from withdrawals
     where status = 'completed' and final_at is null and tx_block is not null
       and network || ' ' || currency <> all (${listed}::text[])
     group by network, currency order by network, currency`.execute(db);
  return rows;
}

/** How many payouts on a network, in one token where a symbol is given, were never seen final; a thousand at most. */
export async function countPayoutsNotFinal(db: Db, network: string, symbol: string | null): Promise<number> {
  const found = db
    .selectFrom('withdrawals')
    .select('id')
    .where('status', '=', 'completed')
    .where('final_at', 'is', null)
    .where('tx_verified', '=', true)
    .where('network', '=', network)
    .$if(symbol !== null, (query) => query.where('currency', '=', symbol as string))
    .limit(1000);
  return (await found.execute()).length;
}
