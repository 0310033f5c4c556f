/**
 * Brings the schema of a database up to this release, as its owner, and grants the application's role its rights. May
 * run beside processes of the release before; of several at once one migrates.
 */
import { migrate } from '../src/db/migrate.ts';
import { roleOf } from '../src/start-database.ts';
import { runCommand } from './lib/command.ts';
import { Refusal } from './lib/connection.ts';

const USAGE = `Usage: DATABASE_OWNER_URL=… DATABASE_URL=… npm run migrate
  DATABASE_OWNER_URL  the role that owns the tables; npm run database:roles makes it
  DATABASE_URL        the application's role, which gets its rights anew`;

await runCommand(async () => {
  const { DATABASE_OWNER_URL: ownerUrl, DATABASE_URL: url } = process.env;
  if (!ownerUrl || !url || process.argv.length > 2) throw new Refusal(USAGE);
  if (roleOf(ownerUrl) === roleOf(url)) {
    throw new Refusal('DATABASE_OWNER_URL and DATABASE_URL name one role: npm run database:roles makes two.');
  }
  await migrate(ownerUrl, roleOf(url));
  console.log(`The schema is that of this release, and ${roleOf(url)} has its rights.`);
});
