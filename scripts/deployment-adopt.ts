/** Makes a restored copy of a database a deployment of its own, so that it is never taken for the original. */
import { openDatabase } from '../src/db/database.ts';
import { adoptCopy } from '../src/deployment/adopt.ts';

const USAGE = `Usage: DATABASE_OWNER_URL=… npm run deployment:adopt -- <original's DEPLOYMENT_ID> <copy's DEPLOYMENT_ID>
  Run it on the COPY, never on the original: from then on it starts only under its own DEPLOYMENT_ID.
  Give the copy an OPERATOR_KEY and nodes of its own before it starts. It needs the MASTER_KEY of the original to
  read what it holds, and would deliver the webhooks that were due when it was copied: empty webhook_endpoints first.`;

const ID = /^[a-z0-9][a-z0-9._-]{2,63}$/;
const [from = '', to = '', ...others] = process.argv.slice(2);
const url = process.env['DATABASE_OWNER_URL'] ?? '';
try {
  if (!ID.test(from) || !ID.test(to) || from === to || others.length > 0 || url === '') throw new Error(USAGE);
  const db = openDatabase({ url, poolMax: 1, applicationName: 'kasi-adopt', onError: () => {} });
  try {
    await adoptCopy(db, from, to);
  } finally {
    await db.destroy();
  }
  console.log(`The database is "${to}" now, a copy of "${from}". Set DEPLOYMENT_ID=${to} wherever it is used.`);
} catch (error) {
  console.error((error as Error).message);
  process.exitCode = 1;
}
