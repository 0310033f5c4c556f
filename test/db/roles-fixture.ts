import { readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import pg from 'pg';
import { inject } from 'vitest';
import { startEmbeddedPostgres } from '../../src/db/embedded.ts';
import { makeRoles as makeRolesOf } from '../../src/db/make-roles.ts';
import { withDatabase } from '../support/database.ts';
import { makeTestFolder } from '../support/run-folder.ts';
import { runScript } from '../support/run-script.ts';

export type RolesServer = {
  /** The superuser's URL, which names a database that is not there yet. */
  readonly adminUrl: string;
  readonly stop: () => Promise<void>;
};

/** A PostgreSQL as an operator has it, without any of our roles. */
export async function openRolesServer(): Promise<RolesServer> {
  const dataDir = makeTestFolder(inject('runFolder'));
  const first = await startEmbeddedPostgres({ dataDir, durable: false, log: () => undefined });
  await first.stop();
  const folder = join(dataDir, 'postgres');
  const { directory } = JSON.parse(readFileSync(join(folder, 'postgres.json'), 'utf8')) as { directory: string };
  // As a server of an operator, whose superuser may log in.
  const rules = `host all postgres,steward 127.0.0.1/32 trust\nhost all all 127.0.0.1/32 scram-sha-256\n`;
  writeFileSync(resolve(folder, directory, 'pg_hba.conf'), rules);
  const server = await startEmbeddedPostgres({ dataDir, durable: false, log: () => undefined });
  const url = new URL(withDatabase(server.ownerUrl, 'shop'));
  [url.username, url.password] = ['postgres', ''];
  const adminUrl = url.href;
  await query(withDatabase(adminUrl, 'kasi'), 'drop owned by kasi_app cascade; drop owned by kasi_owner cascade');
  await query(
    withDatabase(adminUrl, 'postgres'),
    'drop database kasi with (force)',
    'drop role kasi_app',
    'drop role kasi_owner',
  );
  return { adminUrl, stop: server.stop };
}

/** Runs statements one after the other, and returns the rows of the last. */
export async function query(url: string, ...statements: readonly string[]): Promise<unknown[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    let rows: unknown[] = [];
    for (const statement of statements) ({ rows } = await client.query(statement));
    return rows;
  } finally {
    await client.end();
  }
}

/** Runs one of our commands with nothing else in its environment. */
export const run = (script: string, env: Readonly<Record<string, string>>, options: readonly string[] = []) =>
  runScript(script, options, { DATABASE_URL: '', ...env });

/** Makes the roles of a database that belongs to no deployment. */
export const makeRoles = (url: string, { newPasswords }: { readonly newPasswords: boolean }) =>
  makeRolesOf(url, { newPasswords, prove: async () => undefined });

/** The URLs that `database roles` has printed. */
export const urlsIn = (out: string) => ({
  DATABASE_OWNER_URL: /^DATABASE_OWNER_URL=(.+)$/m.exec(out)?.[1] ?? '',
  DATABASE_URL: /^DATABASE_URL=(.+)$/m.exec(out)?.[1] ?? '',
});
