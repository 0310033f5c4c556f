/**
 * Brings the schema of a database up to this release, as its owner, and grants the application's role its rights. May
 * run beside processes of the release before; of several at once one migrates.
 */
import { readDatabaseUrl } from '../src/config.ts';
import { withDatabase } from '../src/db/database.ts';
import { migrate } from '../src/db/migrate.ts';
import { requireIdentity } from '../src/deployment/identity.ts';
import type { Db } from '../src/lib/db-types.ts';
import { roleOf } from '../src/start-database.ts';
import { runCommand } from './lib/command.ts';
import { Refusal, readClaim, usage } from './lib/connection.ts';
import { say } from './lib/output.ts';
import { readServer } from './lib/same-server.ts';

await runCommand(async () => {
  const ownerUrl = readDatabaseUrl(process.env, 'DATABASE_OWNER_URL');
  const url = readDatabaseUrl(process.env, 'DATABASE_URL');
  if (process.argv.length > 2) throw usage('migrate');
  if (!ownerUrl) throw usage('migrate', 'DATABASE_OWNER_URL is missing.');
  if (!url) throw usage('migrate', 'DATABASE_URL is missing.');
  if (roleOf(ownerUrl) === roleOf(url)) {
    throw new Refusal('DATABASE_OWNER_URL and DATABASE_URL name one role: npx kasi database roles makes two.');
  }
  const claim = readClaim();
  await withDatabase(ownerUrl, 'kasi-migrate', async (db) => {
    await requireSameServer(db, url);
    await requireIdentity(db, claim);
  });
  await migrate(ownerUrl, roleOf(url));
  say(`The schema is that of this release, and ${roleOf(url)} has its rights.`);
});

/** After a failover one of the two URLs is easily forgotten: what processes do not run on would be migrated. */
async function requireSameServer(owner: Db, url: string): Promise<void> {
  // What does not let in or does not answer yet is no other server.
  const theirs = await withDatabase(url, 'kasi-migrate', readServer).catch(() => null);
  if (theirs === null || theirs.server === (await readServer(owner)).server) return;
  throw new Refusal(
    'DATABASE_OWNER_URL and DATABASE_URL lead to two servers or databases, such as one from before a failover: name the same in both.',
  );
}
