/**
 * `npm run try:cluster [kills]`: three PostgreSQL servers under Patroni with synchronous replication behind HAProxy,
 * and two processes of each role, from Debian's packages and the files of `deploy/cluster/`. Loses the primary under
 * load, in turn its server, all of its machine, a server that is frozen for a while, and a machine that is cut off.
 * PGBOUNCER may name a PgBouncer to put before the database, PATRONI another Patroni, and LOSSES some of the ways, such
 * as LOSSES=server,machine.
 * Exits with 0 if nothing that was acknowledged is lost or done twice.
 */
import { rmSync } from 'node:fs';
import { LOSSES, type Loss } from './cluster/machines.ts';
import { findPrograms } from './cluster/programs.ts';
import { runCluster } from './cluster/run.ts';
import { describeFigures } from './cluster/words.ts';
import { readCounts, runCampaign } from './crash/campaign.ts';
import { makeDataFolder } from './lib/service-process.ts';

const [kills] = readCounts([10], 'npm run try:cluster [kills], a whole number above 0');
const losses = (process.env['LOSSES']?.split(',') ?? LOSSES) as readonly Loss[];
const unknown = losses.find((loss) => !LOSSES.includes(loss));
if (unknown !== undefined) throw new Error(`LOSSES: ${unknown} is none of ${LOSSES.join(', ')}`);
const programs = findPrograms();
if ('missing' in programs) {
  console.log(`SKIPPED: this machine lacks programs. On Debian 12: apt install ${programs.missing.join(' ')}`);
  process.exit();
}
const folder = makeDataFolder();
await runCampaign(
  (progress, endings) => runCluster({ programs, kills, losses, folder, progress }, endings),
  { figures: describeFigures, wellDone: 'All that was acknowledged is there, once, and the books agree.' },
  [async () => rmSync(folder, { recursive: true, force: true })],
);
