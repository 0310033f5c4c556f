/**
 * Brings the schema of a database up to this release, as its owner, and grants the application's role its rights. May
 * run beside processes of the release before; of several at once one migrates.
 */
import { withDatabase } from '../src/db/database.ts';
import { migrate } from '../src/db/migrate.ts';
import { requireIdentity } from '../src/deployment/identity.ts';
import { roleOf } from '../src/start-database.ts';
import { runCommand } from './lib/command.ts';
import { Refusal, readClaim } from './lib/connection.ts';

const USAGE = `Usage: KASI_MODE=live DEPLOYMENT_ID=… DATABASE_OWNER_URL=… DATABASE_URL=… npm run migrate
  KASI_MODE, DEPLOYMENT_ID  as the processes have them; compared with the database, MASTER_KEY as well if it is set
  DATABASE_OWNER_URL  the role that owns the tables; npm run database:roles makes it
  DATABASE_URL        the application's role, which gets its rights anew`;

await runCommand(async () => {
  const { DATABASE_OWNER_URL: ownerUrl, DATABASE_URL: url } = process.env;
  if (!ownerUrl || !url || process.argv.length > 2) throw new Refusal(USAGE);
  if (roleOf(ownerUrl) === roleOf(url)) {
    throw new Refusal('DATABASE_OWNER_URL and DATABASE_URL name one role: npm run database:roles makes two.');
  }
  const claim = readClaim();
  await withDatabase(ownerUrl, 'kasi-migrate', (db) => requireIdentity(db, claim));
  await migrate(ownerUrl, roleOf(url));
  console.log(`The schema is that of this release, and ${roleOf(url)} has its rights.`);
});
