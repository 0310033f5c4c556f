/**
 * `npm run test:upgrade [seconds]`: upgrades two processes of the last release to this checkout, one after the other,
 * while payments are made and paid, and rolls one back. Exits with 0 if no request failed but for connections that were
 * tried again, and nothing was lost. A checkout without the last release upgrades to itself with one more migration.
 */
import { readCounts, runCampaign } from './crash/campaign.ts';
import {
  addMigration,
  checkOut,
  copyProject,
  findPredecessor,
  hasCommit,
  migrationsIn,
  NEXT_MIGRATION,
  PROJECT,
  readReleases,
} from './upgrade/releases.ts';
import { runUpgrade } from './upgrade/run.ts';

const [seconds] = readCounts([4], 'npm run test:upgrade [seconds of each stage], a whole number above 0');
const predecessor = findPredecessor(readReleases(), hasCommit);
if (predecessor.kind === 'none') {
  console.log(`SKIPPED: the upgrade from the last release, because ${predecessor.reason}.`);
  console.log('This checkout is upgraded to itself with one more migration instead.');
} else console.log(`From release ${predecessor.release.name} (${predecessor.release.commit}) to this checkout.`);

const former = predecessor.kind === 'recorded' ? checkOut(predecessor.release.commit) : copyProject();
const next = copyProject();
if (predecessor.kind === 'none') addMigration(next.root);
const known = new Set(migrationsIn(former.root));
const newest =
  migrationsIn(next.root)
    .filter((name) => !known.has(name))
    .toSorted()
    .at(-1) ?? null;
if (predecessor.kind === 'none' && newest !== NEXT_MIGRATION) throw new Error(`${PROJECT} has no migration of its own`);

await runCampaign(
  (progress, endings) =>
    runUpgrade({ from: former.root, to: next.root, newest, stageMs: seconds * 1000, progress }, endings),
  {
    figures: ({ requests, retried, paid, events }) => `\
Requests    ${requests}, of which ${retried} attempts met a process that was gone and were repeated
Payments    ${paid} made, paid on the chain and completed, across five stages
Webhooks    ${events} events, all signatures good`,
    wellDone: 'No request failed, and nothing was lost.',
  },
  [former.remove, next.remove],
);
