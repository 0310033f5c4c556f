import { sql } from 'kysely';
import { followIncident, resolveIncidents } from '../incidents/incidents.ts';
import { MINUTE_MS, monotonicMs, SECOND_MS } from '../lib/clock.ts';
import type { Db } from '../lib/db-types.ts';
import type { BlockRef, Network } from '../ports/chain.ts';

/** Follows how the chain's own finality advances, on networks that count by it. */
export type FinalityWatch = {
  /** Call with each look's final block; undefined: there is none. `now` is business time. */
  readonly follow: (finalized: BlockRef | undefined, now: Date) => Promise<void>;
};

/** Ethereum finalises every six and a half minutes; an operator hears of a stop within ten. */
const LATE_AFTER_MS = 9 * MINUTE_MS;
const FOLLOW_EVERY_MS = 5 * SECOND_MS;

/**
 * Opens an incident when no block was ever final, when the final block stands still for too long, and at once when it
 * goes back. The row of the cursor remembers it, so a restart forgives nothing.
 */
export function createFinalityWatch(db: Db, network: Network, lateAfterMs = LATE_AFTER_MS): FinalityWatch {
  let last: { readonly height: number | undefined; readonly atMs: number } | undefined;
  let open: boolean | undefined;
  return {
    follow: async (finalized, now) => {
      const height = finalized?.height;
      const isNews = last === undefined || last.height !== height;
      if (!isNews && last !== undefined && monotonicMs() - last.atMs < Math.min(FOLLOW_EVERY_MS, lateAfterMs)) return;
      last = { height, atMs: monotonicMs() };
      const message = describe(network, height, await note(db, network.name, height), lateAfterMs);
      const subject = network.name;
      if (message !== null) await followIncident(db, { kind: 'chain.finality', subject, message }, now);
      else if (open !== false) await resolveIncidents(db, 'chain.finality', [subject], now);
      open = message !== null;
    },
  };
}

type Noted = { readonly highest: number | null; readonly stillMs: number };

/** Stores a new highest final block; how long the highest has been the same, by the database's clock. */
async function note(db: Db, network: string, height: number | undefined): Promise<Noted> {
  const { rows } = await sql<{ highest: bigint | null; still_ms: number }>`
    update chain_cursors set
      final_seen_at = case when final_seen_at is null or ${height ?? null}::bigint > coalesce(final_height, -1)
        then clock_timestamp() else final_seen_at end,
      final_height = greatest(final_height, ${height ?? null}::bigint)
     where network = ${network}
    returning final_height as highest,
      (extract(epoch from clock_timestamp() - final_seen_at) * 1000)::float8 as still_ms`.execute(db);
  const [row] = rows;
  return { highest: row?.highest == null ? null : Number(row.highest), stillMs: row?.still_ms ?? 0 };
}

function describe({ name }: Network, height: number | undefined, noted: Noted, lateAfterMs: number): string | null {
  const { highest, stillMs } = noted;
  if (highest !== null && height !== undefined && height < highest)
    return `The final block of ${name} went back from ${highest} to ${height}: what is final never does. Another endpoint may know better.`;
  if (stillMs <= lateAfterMs) return null;
  const minutes = Math.round(stillMs / MINUTE_MS);
  if (highest === null) return `${name} has called no block final for ${minutes} minutes.`;
  const shows = height === undefined ? 'shows none now' : `is still ${height}`;
  return `The final block of ${name} has stood still at ${highest} for ${minutes} minutes: it ${shows}.`;
}
