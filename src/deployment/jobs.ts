import { sql } from 'kysely';
import { resolveIncidentsIf, resolveIncidentsOn, updateIncident } from '../incidents/incidents.ts';
import type { IncidentKind } from '../incidents/kinds.ts';
import type { Db } from '../lib/db-types.ts';
import { isDollar } from '../ports/assets.ts';
import type { Job } from '../ports/job.ts';
import { delistedNetworks, listDelisted } from './delisted.ts';

/** What is no longer listed: a token or coin, or all of a network. */
export type Gone = {
  readonly network: string;
  readonly contract: string | null;
  /** Null where all of the network is gone. */
  readonly symbol: string | null;
  /** Whether another contract of the token's symbol is listed on its network. */
  readonly isReplaced: boolean;
};

/** What may depend on something that is no longer listed; counts up to a thousand. */
export type Dependent = { readonly what: string; readonly count: (db: Db, gone: Gone) => Promise<number> };

export type DelistedDeps = {
  readonly db: Db;
  readonly dependents: readonly Dependent[];
  /** Goes on with what had waited for something that is listed again, or for its merchant. */
  readonly resume: (now: Date) => Promise<void>;
};

/** What only a process that has the network in its list can find to be over. None of these is about money. */
const OF_READING: readonly IncidentKind[] = [
  'chain.endpoint',
  'chain.finality',
  'chain.uncompared',
  'network.closed',
  'operator.funds',
  'watcher.blind',
  'watcher.coins_unread',
];

/** Keeps an incident for each network and token that is no longer listed although something depends on it. */
export const deploymentJobs = (deps: DelistedDeps): Job[] => [
  { name: 'deployment.delisted', cron: '20 */5 * * * *', run: ({ now }) => followDelisted(deps, now) },
];

async function followDelisted({ db, dependents, resume }: DelistedDeps, now: Date): Promise<void> {
  const subjects: string[] = [];
  for (const { network, contract, symbol, isReplaced, since } of await listDelisted(db)) {
    const gone = { network, contract: contract || null, symbol, isReplaced };
    const counts = await Promise.all(dependents.map(({ count }) => count(db, gone)));
    const found = dependents.flatMap(({ what }, i) => (counts[i] ? [`${counts[i]} ${what}`] : []));
    if (found.length === 0) continue;
    const contractOf = symbol === null || !isDollar(symbol) ? '' : ` (${contract})`;
    const name = symbol === null ? network : `${symbol}${contractOf} on ${network}`;
    const message =
      `${name} is not listed in KASI_NETWORKS since ${since.toISOString()}, and this depends on it: ${found.join(', ')}. ` +
      'From an hour after that on, these come to an end without it.';
    const subject = symbol === null ? network : `${network} ${contract}`;
    subjects.push(subject);
    await updateIncident(db, { kind: 'network.delisted', subject, network, message, detail: found }, now);
  }
  await resolveIncidentsIf(db, 'network.delisted', (subject) => sql`not (${subject} = any (${subjects}::text[]))`, now);
  await resolveIncidentsOn(db, OF_READING, delistedNetworks, now);
  await resume(now);
}
