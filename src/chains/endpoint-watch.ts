import { openIncident, resolveIncidents } from '../incidents/incidents.ts';
import { describeAge, monotonicMs, SECOND_MS } from '../lib/clock.ts';
import type { Db } from '../lib/db-types.ts';
import type { BlockRef, Network } from '../ports/chain.ts';
import type { ChainReader, ChainView } from '../ports/chain-kind.ts';
import { findCursor } from './cursors.ts';
import { checkChain, ForeignChainError } from './lease.ts';
import { isStale } from './steps.ts';

/** Follows the health of a network's endpoints: probes those that are out, and keeps their incidents. */
export type EndpointWatch = {
  /** Call after each look of the worker that has the lease. Throws when the database does not answer. */
  readonly follow: (now: Date) => Promise<void>;
};

const PROBE_EVERY_MS = 3 * SECOND_MS;
/** Reorgs make a chain shorter by a few blocks at most. */
const REORG_DEPTH = 8;

/** The endpoints of one network, as this process sees them. Incidents of an earlier process are taken over. */
export function createEndpointWatch(db: Db, network: Network, reader: ChainReader): EndpointWatch {
  const told = new Map<string, string | null>();
  let probedAtMs = Number.NEGATIVE_INFINITY;
  let probing = false;
  return {
    follow: async (now) => {
      if (!probing && monotonicMs() - probedAtMs > PROBE_EVERY_MS) {
        probedAtMs = monotonicMs();
        probing = true;
        // Not waited for: one that hangs would hold up the watcher, which another endpoint serves.
        void probe(db, network, reader.several?.all ?? []).finally(() => {
          probing = false;
        });
      }
      await tell(db, network, reader, told, now);
    },
  };
}

/** Asks those that had trouble and are asked nothing else, so that they can come back. */
async function probe(db: Db, network: Network, views: readonly ChainView[]): Promise<void> {
  for (const view of views) {
    if (view.isWell() || view.restsMs() > 0) continue;
    // What it did wrong is noted.
    if (await isOurs(db, network, view).catch(() => false)) await isAbreast(db, network, view).catch(() => false);
  }
}

/** Whether an endpoint has the blocks that were scanned, a reorg aside; one that lags is blamed. */
async function isAbreast(db: Db, network: Network, view: ChainView): Promise<boolean> {
  const cursor = await findCursor(db, network.name);
  return cursor === undefined || !blameIfBehind(network, view, cursor.height, await view.getHead());
}

/** Blames an endpoint whose newest block is too old to be that of its chain: another one may go on. */
export function blameIfStale(network: Network, view: ChainView, head: BlockRef, now: Date): void {
  if (!isStale(network, head, now)) return;
  const age = describeAge(now.getTime() - head.time.getTime());
  view.blame('behind', `the newest block that ${view.name} shows of ${network.name} is ${age} old`);
}

/** Blames an endpoint whose head lies further below the scan than a reorg makes it; whether it did. */
export function blameIfBehind(network: Network, view: ChainView, scanned: number, head: BlockRef): boolean {
  const missing = scanned - head.height;
  if (missing <= REORG_DEPTH) return false;
  view.blame('behind', `${view.name} is ${missing} blocks behind the scan of ${network.name}`);
  return true;
}

/** Opens an incident for each new trouble, and resolves those that are over. */
async function tell(
  db: Db,
  network: Network,
  reader: ChainReader,
  told: Map<string, string | null>,
  now: Date,
): Promise<void> {
  for (const { endpoint: name, trouble } of reader.states?.() ?? []) {
    if (told.has(name) && told.get(name) === (trouble?.problem ?? null)) continue;
    const subject = `${network.name} ${name}`;
    // Another problem is another incident: each is named once.
    await resolveIncidents(db, 'chain.endpoint', [subject], now);
    const incident = { kind: 'chain.endpoint', subject, network: network.name } as const;
    if (trouble) await openIncident(db, { ...incident, message: trouble.message }, now);
    told.set(name, trouble?.problem ?? null);
  }
}

/**
 * Whether an endpoint serves the chain that was scanned; one that does not is blamed. Throws when it does not answer.
 */
export async function isOurs(db: Db, network: Network, view: ChainView): Promise<boolean> {
  try {
    await checkChain(db, network, view);
    if (view.trouble()?.problem === 'foreign') view.acquit();
    return true;
  } catch (error) {
    if (!(error instanceof ForeignChainError)) throw error;
    view.blame('foreign', error.message);
    return false;
  }
}
