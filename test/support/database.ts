import { randomBytes } from 'node:crypto';
import { type RawBuilder, sql } from 'kysely';
import pg from 'pg';
import { inject } from 'vitest';
import type { Db } from '../../src/lib/db-types.ts';

/** The migrated database that every other one is cloned from; nothing connects to it after the migration. */
export const TEMPLATE = 'kasi_template';

export type TestDatabase = {
  /** The URL for the application's role. */
  url: string;
  /** The URL for the role that owns the tables. */
  ownerUrl: string;
  /** Drops the database and closes its remaining connections. */
  drop(): Promise<void>;
};

/** A migrated, empty database of its own on this run's PostgreSQL. */
export async function createTestDatabase(): Promise<TestDatabase> {
  const { url, ownerUrl } = inject('postgres');
  const name = `kasi_test_${randomBytes(8).toString('hex')}`;
  await createDatabase(ownerUrl, name, TEMPLATE);
  return {
    url: withDatabase(url, name),
    ownerUrl: withDatabase(ownerUrl, name),
    drop: () => execute(ownerUrl, `drop database if exists ${name} with (force)`),
  };
}

/** Creates a database, empty or as a clone of one without connections. */
export async function createDatabase(ownerUrl: string, name: string, template = 'template1'): Promise<void> {
  // A file copy: faster than through the WAL for a template of this size.
  await execute(ownerUrl, `create database ${name} template ${template} strategy file_copy`);
}

/** The URL of another database on the same server, for the same role. */
export function withDatabase(url: string, name: string): string {
  const changed = new URL(url);
  changed.pathname = `/${name}`;
  return changed.href;
}

/** The URLs of the database that `db` is connected to. */
export async function urlsOf(db: Db): Promise<Pick<TestDatabase, 'url' | 'ownerUrl'>> {
  const { rows } = await sql<{ name: string }>`select current_database() as name`.execute(db);
  const { url, ownerUrl } = inject('postgres');
  const name = rows[0]?.name ?? '';
  return { url: withDatabase(url, name), ownerUrl: withDatabase(ownerUrl, name) };
}

/** A connection as the owner of a database's tables; the caller ends it. */
export async function connectOwner({ ownerUrl }: Pick<TestDatabase, 'ownerUrl'>): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: ownerUrl });
  // Where the database is dropped before its server has read the good-bye, what it says then would end the run.
  client.on('error', () => undefined);
  await client.connect();
  return client;
}

/**
 * Runs a statement as the owner of the tables, for what makes many rows: the connections of a service give up after
 * five seconds, which a busy machine may need.
 */
export async function asOwner(db: Db, query: RawBuilder<unknown>): Promise<void> {
  const client = await connectOwner(await urlsOf(db));
  const { sql: text, parameters } = query.compile(db);
  try {
    await client.query(text, [...parameters]);
  } finally {
    await client.end();
  }
}

async function execute(ownerUrl: string, statement: string): Promise<void> {
  const client = await connectOwner({ ownerUrl });
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}
