import type { Config } from './config.ts';
import { withDatabase } from './db/database.ts';
import { findLossyCommits } from './db/durability.ts';
import { migrate, migrationNames } from './db/migrate.ts';
import { requireApplicationRole, requireNoOwner } from './db/role-rights.ts';
import { requireSchema } from './db/schema-state.ts';
import { isOutage, sqlState } from './db/transaction.ts';
import { messageOf } from './lib/errors.ts';

/**
 * Brings the schema of a live database up to this release if the process was told to, and refuses a start on a schema
 * that the release can't run on, or with a role that could do more than the application needs.
 */
export async function prepareSchema(
  config: Pick<Config, 'migrate' | 'databaseOwnerUrl'> & { readonly databaseUrl: string },
): Promise<void> {
  const { databaseUrl, databaseOwnerUrl } = config;
  // Before anything is migrated, so that the application's role never becomes the owner of new tables.
  await withDatabase(databaseUrl, 'kasi-start', requireNoOwner);
  if (config.migrate && databaseOwnerUrl) await migrate(databaseOwnerUrl, roleOf(databaseUrl));
  await withDatabase(databaseUrl, 'kasi-start', async (db) => {
    await requireSchema(db, migrationNames());
    await requireApplicationRole(db, 'DATABASE_URL');
  });
}

/**
 * Refuses another URL of the process whose role could do more than the application's: a process keeps all of them, and
 * what could break in would use the strongest.
 */
export const requireWeakRole = (url: string, setting: string): Promise<void> =>
  withDatabase(url, 'kasi-start', (db) => requireApplicationRole(db, setting));

/**
 * Says what may lose commits that were acknowledged. It refuses nothing: the service ran like that before, and who
 * gets payments while it stands still has no use for that.
 */
export async function warnOfLosses(url: string, warn: (sentence: string) => void): Promise<void> {
  for (const { text } of await withDatabase(url, 'kasi-start', findLossyCommits)) warn(`${text}.`);
}

/** The role in a connection URL. */
export const roleOf = (url: string): string => decodeURIComponent(new URL(url).username);

/**
 * What to tell of an error that says that the database is away, has no room for more, or does not let in by what
 * `settings` say; null for any other, such as that of a lock which something else holds.
 */
export function describeOutage(error: unknown, settings = 'DATABASE_URL'): string | null {
  const [state = '', message] = [sqlState(error), messageOf(error)];
  if (NOT_LET_IN.test(state))
    return `The database does not let this in: ${message}. Look at user, password and name of the database in ${settings}.`;
  return isOutage(error) || state.startsWith('53')
    ? `The database can not be used: ${message}. Look whether it runs and takes writes, and at ${settings}.`
    : null;
}

/** A wrong user, password or way to authenticate, or no such database. */
const NOT_LET_IN = /^(28|3D)/;
