import { resolveIncidents, updateIncident } from '../incidents/incidents.ts';
import { HOUR_MS, SECOND_MS } from '../lib/clock.ts';
import type { Db } from '../lib/db-types.ts';
import type { Network, Testimony, Witness } from '../ports/chain.ts';
import type { Chains } from '../ports/chain-kind.ts';
import type { JobRun } from '../ports/job.ts';
import { findCursor } from './cursors.ts';
import { isAlone } from './testimony.ts';

/** A network whose endpoints can be asked again about what was counted. */
export type Watched = { readonly network: Network; readonly witness: Witness };

/** On chains that call no block final, a block is as good as final this far below the head. */
const FINAL_DEPTH = 64;

/** Money is taken back only when it was gone twice, so long apart: endpoints may lie at the same moment. */
export const SURE_AFTER_MS = 2 * SECOND_MS;

/** One endpoint alone is believed about what is final after the others have said nothing for so long. */
const ALONE_FOR_MS = HOUR_MS;
/** Twice what the busiest networks have in that time. */
const ALONE_MAX = 100_000;

/**
 * Remembers what one endpoint alone has shown, and since when; a restart begins again. An endpoint that lies would else
 * be believed at the first moment in which the other is throttled. See decision payments/looked-at-again-when-final.
 */
export function createSolitude() {
  const since = new Map<string, number>();
  return {
    /** Whether a testimony that something is there can be believed now. Each testimony has to be told. */
    isOver: (key: string, testimony: Testimony, real: Date): boolean => {
      // Silence of all restarts nothing: while one endpoint is out, the other is asked more often, and throttled, too.
      if (testimony.agree.length === 0 && testimony.deny.length === 0) return false;
      const first = since.get(key);
      if (!isAlone(testimony)) since.delete(key);
      else if (first === undefined) {
        if (since.size >= ALONE_MAX) since.clear();
        since.set(key, real.getTime());
        return false;
      } else if (real.getTime() - first < ALONE_FOR_MS) return false;
      since.delete(key);
      return true;
    },
  };
}

/** The networks whose kind can look again. */
export const openWatched = (networks: readonly Network[], chains: Pick<Chains, 'openWitness'>): Watched[] =>
  networks.flatMap((network) => {
    const witness = chains.openWitness(network);
    return witness === null ? [] : [{ network, witness }];
  });

/** Up to which height blocks are final; undefined while that can not be told. */
export async function findFinalHeight(db: Db, { network, witness }: Watched): Promise<number | undefined> {
  const final = await witness.findFinalHeight();
  if (final !== undefined) return final;
  const cursor = await findCursor(db, network.name);
  return cursor && cursor.height - FINAL_DEPTH;
}

/** Keeps the incident of a network's disagreements about something: one, whatever their number. */
export async function followDisagreements(
  db: Db,
  { name }: Network,
  about: 'before confirmation' | 'when final' | 'payouts when final',
  faults: readonly string[],
  now: Date,
): Promise<void> {
  const [first] = faults;
  const subject = `${name} ${about}`;
  if (first === undefined) return resolveIncidents(db, 'chain.disagreement', [subject], now);
  const message = `The endpoints do not agree about what waits to be counted on. ${first}`;
  const incident = { kind: 'chain.disagreement', subject, network: name, message } as const;
  await updateIncident(db, { ...incident, detail: faults.slice(0, 20) }, now);
}

/** Works through networks. One that fails delays no other. */
export async function eachWatched(
  watched: readonly Watched[],
  { signal }: JobRun,
  work: (one: Watched) => Promise<void>,
  onFailure: (error: unknown, network: Network) => void,
): Promise<void> {
  for (const one of watched) {
    if (signal.aborted) return;
    await work(one).catch((error: unknown) => onFailure(error, one.network));
  }
}
