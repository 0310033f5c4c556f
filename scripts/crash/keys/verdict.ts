import { sql } from 'kysely';
import type { Db } from '../../../src/lib/db-types.ts';
import type { Answer } from '../ask.ts';
import type { Order } from './caller.ts';

/** The faults after the last crash, in words: each order had its effects once and got the same answer twice. */
export async function judge(db: Db, merchantId: string, orders: readonly Order[]): Promise<string[]> {
  const effects = await countEffects(db, merchantId);
  const faults: string[] = [];
  for (const { id, created, cancelled } of orders) {
    const found = effects.get(id);
    if (found !== ONCE) faults.push(`order ${id} has left ${found ?? 'nothing'} instead of ${ONCE}`);
    if (differ(created) || differ(cancelled)) faults.push(`order ${id} got different answers under one key`);
    effects.delete(id);
  }
  return [...faults, ...[...effects.keys()].map((id) => `no client got an answer about order ${id}`)];
}

const differ = ([first, ...others]: readonly Answer[]): boolean =>
  others.some(({ status, text }) => status !== first?.status || text !== first.text);

const ONCE =
  '1 payment, with audit payment.cancel 1, audit payment.create 1, event payment.created 1, event payment.expired 1';

/** What each order left in the database. */
async function countEffects(db: Db, merchantId: string): Promise<Map<string, string>> {
  const { rows } = await sql<{ order_id: string; payments: bigint; effects: string }>`
    with mine as (
      select id, metadata->>'orderId' as order_id from payments where merchant_id = ${merchantId}
    ), found as (
      select resource_id, 'audit ' || action as what from audit_log where merchant_id = ${merchantId}
      union all
      select resource_id, 'event ' || type as what from events where merchant_id = ${merchantId}
    ), counted as (
      select order_id, what, count(*) as times from mine join found on resource_id = id group by order_id, what
    ), made as (
      select order_id, count(*) as payments from mine group by order_id
    )
    select order_id, payments, string_agg(what || ' ' || times, ', ' order by what) as effects
      from counted join made using (order_id) group by order_id, payments`.execute(db);
  return new Map(
    rows.map(({ order_id, payments, effects }) => [
      order_id,
      `${payments} payment${payments === 1n ? '' : 's'}, with ${effects}`,
    ]),
  );
}
