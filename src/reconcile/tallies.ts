import { sql } from 'kysely';
import { inSnapshot } from '../db/transaction.ts';
import type { Db, Trx } from '../lib/db-types.ts';
import { formatMicro } from '../lib/money.ts';
import { TALLIES, type TallyList } from '../tallies/total.ts';
import type { Finding } from './finding.ts';
import { type Step, stepOf } from './following.ts';

/** What an owner's rows of one slice are. The amount is micro-dollars, or cents of links. */
type Sum = { readonly key: string; readonly count: bigint; readonly amount: bigint };

/** Rows. */
const ROWS_A_PAGE = 50_000;

/**
 * Compares the totals of all lists, rolled up or not, with the rows themselves, each list in a snapshot of its own. The
 * days of a total are compared by the job `tallies.check`. Keeps one number for each owner and slice of a list in
 * memory.
 */
export async function examineTallies(db: Db, step: Step = stepOf({}), limit = ROWS_A_PAGE): Promise<Finding[]> {
  const findings: Finding[] = [];
  for (const list of Object.keys(TALLIES) as TallyList[]) {
    const rest = await inSnapshot(db, (trx) => compare(trx, list, step, limit));
    findings.push(
      ...[...rest].map(([key, sum]) => ({ rule: 'tallies.rows', subject: `${list} ${key}`, ...describe(sum) })),
    );
  }
  return findings;
}

const describe = ({ count, amount }: Omit<Sum, 'key'>) => ({
  message: `its rows are ${count} more than its total says, and come to ${formatMicro(amount)} more`,
});

async function compare(trx: Trx, list: TallyList, step: Step, limit: number) {
  const rest = new Map<string, Omit<Sum, 'key'>>();
  const add = (sums: readonly Sum[], sign: 1n | -1n): void => {
    for (const { key, count, amount } of sums) {
      const before = rest.get(key) ?? { count: 0n, amount: 0n };
      const sum = { count: before.count + sign * count, amount: before.amount + sign * amount };
      if (sum.count === 0n && sum.amount === 0n) rest.delete(key);
      else rest.set(key, sum);
    }
  };
  // Entries are numbered; all other rows have ids.
  const place = list === 'entries' ? sql`number` : sql`id`;
  const type = list === 'entries' ? sql`bigint` : sql`text`;
  for (let after: string | null = list === 'entries' ? '0' : ''; after !== null; ) {
    step(`totals of ${list.replaceAll('_', ' ')} are being counted`);
    const last: string | null = await findEnd(trx, list, after, limit);
    const until = last === null ? sql`` : sql`and ${place} <= ${last}::${type}`;
    const { rows } = await sql<Sum>`
      select concat_ws(' ', owner, slice::text) as key, count(*) as count, sum(amount)::bigint as amount
        from tallied_rows
       where list = ${sql.lit(list)} and ${place} > ${after}::${type} ${until}
       group by owner, slice`.execute(trx);
    add(rows, 1n);
    after = last;
  }
  step(`totals of ${list.replaceAll('_', ' ')} are being counted`);
  const { rows } = await sql<Sum>`
    select concat_ws(' ', owner, slice::text) as key, sum(count)::bigint as count, sum(amount)::bigint as amount from (
      select owner, slice, count, amount from tallies where list = ${list} and grain = 0
      union all
      select owner, slice, count, amount from tally_deltas where list = ${list}) as kept
     group by owner, slice`.execute(trx);
  add(rows, -1n);
  return rest;
}

/** The last row of a page; null for the last page. A row that is counted for two owners is on one page. */
async function findEnd(trx: Trx, list: TallyList, after: string, limit: number): Promise<string | null> {
  const { rows } =
    list === 'entries'
      ? await sql<{ last: string }>`
          select number::text as last from tallied_rows
           where list = 'entries' and number > ${after}::bigint order by number offset ${limit - 1} limit 1`.execute(
          trx,
        )
      : await sql<{ last: string }>`
          select id as last from tallied_rows
           where list = ${sql.lit(list)} and id > ${after} order by id offset ${limit - 1} limit 1`.execute(trx);
  return rows[0]?.last ?? null;
}
