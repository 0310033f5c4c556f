import { type RawBuilder, sql } from 'kysely';
import type { OperatorTransactionId } from '../chains/operator/queries.ts';
import type { Db, Trx } from '../lib/db-types.ts';
import type { Deposit } from '../payments/swept.ts';

/** A sweep that is on its way: the transaction of ours that carries it, and what it is to move. */
export type OpenSweep = {
  readonly id: OperatorTransactionId;
  readonly network: string;
  readonly contract: string;
  /** The newest scanned block when it was planned. */
  readonly height: number;
};

export type NewSweep = OpenSweep & {
  readonly factory: string;
  readonly work: bigint;
  readonly deposits: readonly Deposit[];
};

/** A token refuses to move money: tried again after a day, then two, four, … up to 32. */
const REFUSED_FOR = sql`interval '1 day'`;
const DOUBLINGS_MAX = 5;

/** Stores a sweep with its items; the database refuses a deposit that is in another one. */
export async function insertSweep(trx: Trx, sweep: NewSweep, now: Date): Promise<void> {
  const { id, network, contract, factory, height, work, deposits } = sweep;
  await trx
    .insertInto('sweeps')
    .values({ id, network, contract, factory, height: BigInt(height), gas_estimate: work, created_at: now })
    .execute();
  const rows = deposits.map(({ address, paymentId, units }) => ({
    ...{ sweep_id: id, network, contract, address },
    ...{ payment_id: paymentId, units: units.toString() },
  }));
  await sql`
    insert into sweep_items
    select * from jsonb_populate_recordset(null::sweep_items, ${JSON.stringify(rows)}::jsonb)`.execute(trx);
}

/** Whether the address of a credit `c` is not to be swept: a treasury, in a sweep already, or refused lately. */
export const isLeftOut = (
  network: string,
  contract: string,
  treasuries: readonly string[],
  now: Date,
): RawBuilder<boolean> =>
  sql<boolean>`(c.recipient = any (${[...treasuries]}::text[])
    or exists (select from sweep_items i where i.network = ${network} and i.contract = ${contract}
                  and i.address = c.recipient and i.outcome is null)
    or exists (select from sweep_items i join sweeps s on s.id = i.sweep_id
                where i.network = ${network} and i.contract = ${contract} and i.address = c.recipient
                  and i.outcome = 'refused'
                having max(s.finished_at) + ${REFUSED_FOR} * 2 ^ least(count(*) - 1, ${DOUBLINGS_MAX}::int) > ${now}))`;

/** The sweeps that are on their way, oldest first. */
export async function listOpenSweeps(db: Db): Promise<OpenSweep[]> {
  const rows = await db
    .selectFrom('sweeps')
    .select(['id', 'network', 'contract', 'height'])
    .where('status', '=', sql.lit('open'))
    .orderBy('created_at')
    .execute();
  return rows.map(({ id, height, ...row }) => ({ ...row, id: id as OperatorTransactionId, height: Number(height) }));
}

/**
 * Ends a sweep that is confirmed and whose transfers are read: a deposit of which as much as was planned left its
 * address since was moved, whoever asked for it, and the rest refused. Returns what was refused. Repeating it changes
 * nothing.
 */
export async function finishSweep(trx: Trx, sweep: OpenSweep, now: Date): Promise<string[]> {
  if (!(await close(trx, sweep, 'done', now))) return [];
  const { rows } = await sql<{ address: string; outcome: string }>`
    update sweep_items i
       set outcome = case when i.units <= (
             select coalesce(sum(t.units), 0) from treasury_transfers t
              where t.network = i.network and t.party = i.address and t.contract = i.contract and t.swept
                and t.block_number > ${sweep.height}) then 'moved' else 'refused' end
     where i.sweep_id = ${sweep.id} and i.outcome is null
    returning i.address, i.outcome`.execute(trx);
  return rows.filter(({ outcome }) => outcome === 'refused').map(({ address }) => address);
}

/** Ends a sweep that moved nothing: it was reverted as a whole, or another transaction took its nonce. */
export async function giveSweepUp(
  trx: Trx,
  sweep: OpenSweep,
  status: 'reverted' | 'dropped',
  now: Date,
): Promise<boolean> {
  if (!(await close(trx, sweep, status, now))) return false;
  await trx
    .updateTable('sweep_items')
    .set({ outcome: status === 'reverted' ? 'refused' : 'unsent' })
    .where('sweep_id', '=', sweep.id)
    .where('outcome', 'is', null)
    .execute();
  return true;
}

async function close(trx: Trx, { id }: OpenSweep, status: string, now: Date): Promise<boolean> {
  const { numUpdatedRows } = await trx
    .updateTable('sweeps')
    .set({ status, finished_at: now })
    .where('id', '=', id)
    .where('status', '=', 'open')
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** How many deposits of a network were refused the last time and were not swept since. */
export async function countRefused(db: Db | Trx, network: string): Promise<number> {
  const { rows } = await sql<{ count: bigint }>`
    select count(distinct (i.contract, i.address)) as count from sweep_items i join sweeps s on s.id = i.sweep_id
     where i.network = ${network} and i.outcome = 'refused'
       and i.units > (select coalesce(sum(t.units), 0) from treasury_transfers t
                        where t.network = i.network and t.party = i.address and t.contract = i.contract and t.swept
                          and t.block_number > s.height)`.execute(db);
  return Number(rows[0]?.count ?? 0n);
}
