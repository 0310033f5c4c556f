/** Makes a restored copy of a database a deployment of its own, so that it is never taken for the original. */
import { readDatabaseUrl } from '../src/config.ts';
import { withDatabase } from '../src/db/database.ts';
import { adoptCopy } from '../src/deployment/adopt.ts';
import { runCommand } from './lib/command.ts';
import { usage } from './lib/connection.ts';
import { say } from './lib/output.ts';

const ID = /^[a-z0-9][a-z0-9._-]{2,63}$/;

await runCommand(async () => {
  const [from = '', to = '', ...others] = process.argv.slice(2);
  const url = readDatabaseUrl(process.env, 'DATABASE_OWNER_URL');
  if (!ID.test(from) || !ID.test(to) || from === to || others.length > 0) throw usage('deployment adopt');
  if (url === null) throw usage('deployment adopt', 'DATABASE_OWNER_URL is missing.');
  await withDatabase(url, 'kasi-adopt', (db) => adoptCopy(db, from, to));
  say(`The database is "${to}" now, a copy of "${from}". Set DEPLOYMENT_ID=${to} wherever it is used.`);
});
