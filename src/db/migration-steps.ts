import { setTimeout as sleep } from 'node:timers/promises';
import { type Kysely, sql } from 'kysely';
import type { Migration as KyselyMigration } from 'kysely/migration';
import pg from 'pg';
import { endSoon, PATIENT } from './silence.ts';

/**
 * What a file in migrations/ exports: SQL that runs in one transaction, indexes by their names, built beside it, or the
 * names of indexes that go.
 */
export type Migration = { readonly name: string } & (
  | { readonly up: string }
  | { readonly indexes: Readonly<Record<string, string>> }
  | { readonly dropped: readonly string[] }
);

/** See decision db/indexes-beside-the-application. */
export const needsTransaction = (migration: Migration): boolean => 'up' in migration;

/** How often one that waits for another migrator asks again. */
const ASK_MS = 100;
/** The question waits for nothing, so a server that is silent for so long is lost. */
const ANSWER_WITHIN_MS = 10_000;

/**
 * How long a migration waits for a table. Everybody behind it waits as long, for it and for the tables that it has
 * already, so it gives up soon and is tried again.
 */
const LOCK_TIMEOUT = '100ms';
/** The lock timeout of steps that block no other session. */
const BESIDE_TIMEOUT = '10min';

/** The step as kysely runs it. It throws where it is run with a transaction and needs none, or the other way round. */
export function toStep(migration: Migration): KyselyMigration {
  return {
    up: async (db) => {
      if (db.isTransaction !== needsTransaction(migration)) {
        throw new Error(`another process ran the migration before ${migration.name} meanwhile: migrate again`);
      }
      if ('indexes' in migration) return buildIndexes(db, migration.indexes);
      if ('dropped' in migration) return dropIndexes(db, migration.dropped);
      await stopVacuums(db, migration.up);
      await sql`set local lock_timeout = ${sql.lit(LOCK_TIMEOUT)}`.execute(db);
      await sql.raw(migration.up).execute(db);
    },
  };
}

/** The step in the one transaction that fills an empty database: no other session knows its tables yet. */
export function toFirstStep(migration: Migration): KyselyMigration {
  return {
    up: async (db) => {
      if ('up' in migration) await sql.raw(migration.up).execute(db);
      else if ('indexes' in migration) {
        for (const [name, on] of Object.entries(migration.indexes)) {
          await sql`create index ${sql.id(name)} on ${sql.raw(on)}`.execute(db);
        }
      } else for (const name of migration.dropped) await sql`drop index if exists ${sql.id(name)}`.execute(db);
    },
  };
}

/**
 * Ends what autovacuum does to the tables that a migration names, itself or by an index, and keeps it away until the
 * migration ends. Autovacuum gives way only to who waits for it for a second (`deadlock_timeout`), and no migration
 * waits so long for a table that the application needs. For the lock taken here the application never waits.
 */
async function stopVacuums(db: Kysely<unknown>, up: string): Promise<void> {
  const words = [...new Set(up.match(/[a-z_][a-z_0-9]+/g))];
  const { rows } = await sql<{ name: string }>`
    select distinct format('%I', t.relname) as name
      from pg_class c left join pg_index i on i.indexrelid = c.oid
      join pg_class t on t.oid = coalesce(i.indrelid, c.oid)
     where c.relnamespace = 'public'::regnamespace and t.relkind = 'r' and c.relname = any (${words}::text[])
     order by name`.execute(db);
  if (rows.length === 0) return;
  const tables = sql.raw(rows.map(({ name }) => name).join(', '));
  await sql`set local lock_timeout = '5s'`.execute(db);
  await sql`lock table ${tables} in share update exclusive mode`.execute(db);
}

/**
 * Builds what is missing, and again what a run that was killed has left half-built. It waits for transactions that are
 * open, but nobody waits for it, so it may wait long.
 */
async function buildIndexes(db: Kysely<unknown>, indexes: Readonly<Record<string, string>>): Promise<void> {
  await sql`set lock_timeout = ${sql.lit(BESIDE_TIMEOUT)}`.execute(db);
  for (const [name, on] of Object.entries(indexes)) {
    const { rows } = await sql<{ valid: boolean }>`
      select indisvalid as valid from pg_index where indexrelid = to_regclass(${`public.${name}`})`.execute(db);
    if (rows[0]?.valid) continue;
    if (rows[0]) await sql`drop index concurrently ${sql.id(name)}`.execute(db);
    await sql`create index concurrently ${sql.id(name)} on ${sql.raw(on)}`.execute(db);
  }
  await sql`reset lock_timeout`.execute(db);
}

/** Waits for who reads the table, as building does, and nobody waits for it. What a killed run has dropped stays so. */
async function dropIndexes(db: Kysely<unknown>, names: readonly string[]): Promise<void> {
  await sql`set lock_timeout = ${sql.lit(BESIDE_TIMEOUT)}`.execute(db);
  for (const name of names) await sql`drop index concurrently if exists ${sql.id(name)}`.execute(db);
  await sql`reset lock_timeout`.execute(db);
}

/**
 * Waits until no other process migrates, and returns what lets the next one go on. The lock goes with its connection,
 * so that of a killed process does not stay. It is asked for again and again: building an index waits for every
 * statement that is open, so one that waits for the migrator's lock would never end.
 */
export async function waitForTurn(
  ownerUrl: string,
  answerWithinMs: number = ANSWER_WITHIN_MS,
): Promise<() => Promise<void>> {
  const client = new pg.Client({ connectionString: ownerUrl, ...PATIENT, query_timeout: answerWithinMs });
  // Without the lock kysely's own still lets one migration run at a time.
  client.on('error', () => undefined);
  await client.connect();
  try {
    for (;;) {
      const { rows } = await client.query(`select pg_try_advisory_lock(hashtext('kasi migrations')) as ours`);
      if (rows[0]?.ours) return () => endSoon(client);
      await sleep(ASK_MS * (0.5 + Math.random()));
    }
  } catch (error) {
    await endSoon(client);
    throw error;
  }
}
