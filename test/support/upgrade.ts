import { randomBytes } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { resolve } from 'node:path';
import pg from 'pg';
import { inject } from 'vitest';
import { createDatabase, withDatabase } from './database.ts';

export type Upgrade = {
  /** A connection of the tables' owner. */
  readonly client: pg.Client;
  readonly ownerUrl: string;
  /** Runs the migration, and then later ones that need none of those between. */
  readonly migrate: (...later: string[]) => Promise<void>;
};

/** Gives `work` a database from before a migration. */
export async function beforeMigration(migration: string, work: (upgrade: Upgrade) => Promise<void>): Promise<void> {
  const name = `kasi_upgrade_${randomBytes(8).toString('hex')}`;
  const makerUrl = inject('postgres').ownerUrl;
  const ownerUrl = withDatabase(makerUrl, name);
  await createDatabase(makerUrl, name);
  const client = new pg.Client({ connectionString: ownerUrl });
  await client.connect();
  const files = readdirSync('src/db/migrations').sort();
  const upTo = files.indexOf(`${migration}.ts`);
  const run = async (file = ''): Promise<void> => {
    const { up } = (await import(resolve('src/db/migrations', file))) as { up: string };
    await client.query(up);
  };
  try {
    for (const file of files.slice(0, upTo)) await run(file);
    const migrate: Upgrade['migrate'] = async (...later) => {
      for (const each of [migration, ...later]) await run(`${each}.ts`);
    };
    await work({ client, ownerUrl, migrate });
  } finally {
    await client.end();
    const maker = new pg.Client({ connectionString: makerUrl });
    await maker.connect();
    await maker.query(`drop database ${name} with (force)`);
    await maker.end();
  }
}
