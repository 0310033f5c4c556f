import { sql } from 'kysely';
import { alignIncidents } from '../../incidents/incidents.ts';
import { after, DAY_MS } from '../../lib/clock.ts';
import type { Db } from '../../lib/db-types.ts';

/** So long a collection waits for its blocks before people are told. */
const PATIENCE_MS = DAY_MS;

/**
 * Tells people of each charge that was collected a day ago and is not confirmed, as when a chain's finality stalls, and takes that back when
 * it is paid or a reorg took it. Nothing is given up: the charge goes on when the chain does.
 */
export async function tellUnconfirmed(db: Db, now: Date): Promise<void> {
  const since = after(now, -PATIENCE_MS);
  const message =
    'It was collected more than a day ago and is not confirmed. It goes on by itself when its network does.';
  const subjects = sql`select id from charges where status = 'confirming' and updated_at <= ${since}`;
  await alignIncidents(db, { kind: 'subscription.unconfirmed', message }, subjects, now);
}
