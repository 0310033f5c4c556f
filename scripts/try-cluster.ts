/**
 * `npm run try:cluster [kills]`: three PostgreSQL servers under Patroni with synchronous replication behind HAProxy,
 * and two processes of each role, from Debian's packages and the files of `deploy/cluster/`. Loses the primary under
 * load, in turn its server, all of its machine, a server that is frozen for a while, and a machine that is cut off.
 * PGBOUNCER may name a PgBouncer to put before the database.
 * Exits with 0 if nothing that was acknowledged is lost or done twice.
 */
import { rmSync } from 'node:fs';
import { findPrograms } from './cluster/programs.ts';
import { runCluster } from './cluster/run.ts';
import { describeFigures } from './cluster/words.ts';
import { readCounts, runCampaign } from './crash/campaign.ts';
import { makeDataFolder } from './lib/service-process.ts';

const [kills] = readCounts([10], 'npm run try:cluster [kills], a whole number above 0');
const programs = findPrograms();
if ('missing' in programs) {
  console.log(`SKIPPED: this machine lacks programs. On Debian 12: apt install ${programs.missing.join(' ')}`);
  process.exit();
}
const folder = makeDataFolder();
await runCampaign(
  (progress, endings) => runCluster({ programs, kills, folder, progress }, endings),
  { figures: describeFigures, wellDone: 'All that was acknowledged is there, once, and the books agree.' },
  [async () => rmSync(folder, { recursive: true, force: true })],
);
