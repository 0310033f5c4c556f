import { randomUUID } from 'node:crypto';
import { type Selectable, sql } from 'kysely';
import type { Charges } from '../../../generated/db.ts';
import type { Db, Trx } from '../../lib/db-types.ts';
import { toCharge } from '../charge-queries.ts';
import type { Charge } from '../records.ts';

/** Charges that one run has taken up. Any change of a charge ends the lease, and so does the lease of somebody else after a minute. */
export type Claim = { readonly lease: string; readonly charges: readonly Charge[] };

/**
 * Takes up due charges, oldest first, whose periods have begun by the time of the newest block. What somebody else has is left to them; what
 * they never come back to can be taken a minute later, by the database's clock.
 */
export async function claimCharges(
  db: Db,
  {
    network,
    worker,
    begun,
    now,
    limit,
  }: {
    readonly network: string;
    readonly worker: string;
    readonly begun: Date;
    readonly now: Date;
    readonly limit: number;
  },
): Promise<Claim> {
  const lease = `${worker} ${randomUUID()}`;
  const { rows } = await sql<Selectable<Charges>>`
    update charges set locked_by = ${lease}, locked_until = clock_timestamp() + interval '60 seconds'
     where id in (select id from charges
                   where status = 'due' and network = ${network} and due_at <= ${now} and period_start <= ${begun}
                     and (locked_until is null or locked_until < clock_timestamp())
                   order by due_at, id limit ${limit} for no key update skip locked)
    returning *`.execute(db);
  return { lease, charges: rows.map(toCharge) };
}

/** Which of the charges, whose locks are held, are still held by this lease. */
export async function listHeld(trx: Trx, { lease, charges }: Claim): Promise<ReadonlySet<string>> {
  const { rows } = await sql<{ id: string }>`
    select id from charges where id = any (${charges.map(({ id }) => id)}::text[]) and locked_by = ${lease} and status = 'due'`.execute(
    trx,
  );
  return new Set(rows.map(({ id }) => id));
}

/** Gives back what is still held, to be taken up again from `dueAt` on, or at once. */
export async function releaseCharges(db: Db | Trx, { lease, charges }: Claim, dueAt?: Date): Promise<void> {
  await sql`
    update charges set locked_by = null, locked_until = null ${dueAt ? sql`, due_at = ${dueAt}` : sql``}
     where id = any (${charges.map(({ id }) => id)}::text[]) and locked_by = ${lease} and status = 'due'`.execute(db);
}

/** When the next charge of these networks is to be sent; null when none waits. */
export async function nextChargeDue(db: Db, networks: readonly string[]): Promise<Date | null> {
  const { rows } = await sql<{ due: Date | null }>`
    select min(first.due_at) as due from unnest(${[...networks]}::text[]) as n (name) cross join lateral (
      select due_at from charges where status = 'due' and network = n.name order by due_at limit 1) first`.execute(db);
  return rows[0]?.due ?? null;
}
