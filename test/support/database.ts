import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { inject } from 'vitest';

/** The migrated database that every other one is cloned from; nobody connects to it after the migration. */
export const TEMPLATE = 'kasi_template';

export type TestDatabase = {
  /** The application's role. */
  url: string;
  /** The role that owns the tables. */
  ownerUrl: string;
  /** Deletes the database and ends whoever is still connected to it. */
  drop(): Promise<void>;
};

/** A migrated, empty database of the caller's own, on the PostgreSQL of this run. */
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

/** Makes a database, empty or as a clone of another one that nobody is connected to. */
export async function createDatabase(ownerUrl: string, name: string, template = 'template1'): Promise<void> {
  // A copy of the files: quicker than through the log for a template of this size.
  await execute(ownerUrl, `create database ${name} template ${template} strategy file_copy`);
}

/** The same server and role, another database. */
export function withDatabase(url: string, name: string): string {
  const changed = new URL(url);
  changed.pathname = `/${name}`;
  return changed.href;
}

/** A connection as the owner of a database's tables; to be ended by whoever asked for it. */
export async function connectOwner({ ownerUrl }: Pick<TestDatabase, 'ownerUrl'>): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: ownerUrl });
  await client.connect();
  return client;
}

async function execute(ownerUrl: string, statement: string): Promise<void> {
  const client = await connectOwner({ ownerUrl });
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}
