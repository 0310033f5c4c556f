import { sql } from 'kysely';
import { sqlState } from '../db/transaction.ts';
import type { Db, Trx } from '../lib/db-types.ts';
import type { Evidence } from './mode.ts';

const UNDEFINED_TABLE = '42P01';
/** The sandbox's own, in databases that do not say what they are. */
const SANDBOX_NETWORK = 'devnet';
const DEMO_MERCHANT = 'demo@kasi.example';
/** The oldest and the newest events are enough: a deployment has one mode. */
const EVENTS_READ = 200;

/** What a database contains that tells a sandbox's from a live one; nothing when its tables are not made yet. */
export async function readEvidence(db: Db | Trx): Promise<Evidence> {
  const { rows: found } = await sql<{ made: boolean }>`
    select to_regclass('public.events') is not null and to_regclass('public.sandbox_wallets') is not null as made
  `.execute(db);
  if (!found[0]?.made) return { sandbox: false, live: false, used: false };
  const { rows } = await sql<Evidence>`
    with announced as (
      (select body from events order by id limit ${EVENTS_READ})
      union all (select body from events order by id desc limit ${EVENTS_READ})
    )
    select
      exists (select from sandbox_clock) or exists (select from sandbox_wallets)
        or exists (select from chain_cursors where network = ${SANDBOX_NETWORK})
        or exists (select from merchants where email = ${DEMO_MERCHANT})
        or exists (select from announced where position('"livemode":false'::bytea in body) > 0) as sandbox,
      exists (select from chain_cursors where network <> ${SANDBOX_NETWORK})
        or exists (select from announced where position('"livemode":true'::bytea in body) > 0) as live,
      exists (select from merchants) or exists (select from admins) or exists (select from chain_cursors) as used
  `.execute(db);
  return rows[0] as Evidence;
}

/** The answers that expire first were sealed first, so a former key is found there. */
const ANSWERS_READ = 200;

/**
 * The ids of the master keys that sealed what is stored (`lib/envelope.ts`), in hex. Of the answers under idempotency
 * keys only the oldest are read: a busy day leaves hundreds of thousands, and each start asks.
 */
export async function listSealingKeys(db: Db | Trx): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select distinct encode(substring(sealed from 2 for 8), 'hex') as id
      from (
        select sealed_secret as sealed from api_keys where sealed_secret is not null
        union all select sealed_secret from second_factors
        union all select sealed_seed from webhook_keys
        union all select sealed_bank_account from withdrawals where sealed_bank_account is not null
        union all (
          select body from idempotency_keys where body is not null order by expires_at limit ${ANSWERS_READ}
        )
      ) as values`.execute(db);
  return rows.map(({ id }) => id);
}

/** How many stored values each master key has sealed, by the keys' ids. Reads all of them. */
export async function countSealed(db: Db): Promise<ReadonlyMap<string, bigint>> {
  const { rows } = await sql<{ id: string; count: bigint }>`
    select encode(key, 'hex') as id, sum(count)::bigint as count
      from (
        select substring(sealed_secret from 2 for 8) as key, count(*) from api_keys
         where sealed_secret is not null group by key
        union all select substring(sealed_secret from 2 for 8) as key, count(*) from second_factors group by key
        union all select substring(sealed_seed from 2 for 8) as key, count(*) from webhook_keys group by key
        union all select substring(sealed_bank_account from 2 for 8) as key, count(*) from withdrawals
                   where sealed_bank_account is not null group by key
        union all select substring(body from 2 for 8) as key, count(*) from idempotency_keys
                   where body is not null group by key
      ) as counts group by key order by key`.execute(db);
  return new Map(rows.map(({ id, count }) => [id, count]));
}

/** Runs a query of tables that an older database lacks; undefined there. */
export async function ifTableExists<T>(query: () => Promise<T>): Promise<T | undefined> {
  try {
    return await query();
  } catch (error) {
    if (sqlState(error) === UNDEFINED_TABLE) return undefined;
    throw error;
  }
}
