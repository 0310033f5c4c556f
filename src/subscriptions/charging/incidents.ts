import { sql } from 'kysely';
import type { Reader } from '../../chains/evm/client.ts';
import type { Db } from '../../lib/db-types.ts';
import { openIncident } from '../incidents.ts';
import { findDeepBlock, readStateAt } from '../mandates/deep-state.ts';
import type { Charge, StoredMandate } from '../records.ts';

/**
 * Tells people of a charge whose number the chain takes for charged when nothing was ever seen of that: the number stands in a block that lies
 * deep enough to be counted on, and the watcher, which has been there, has stored no event of it. Until then it is only late. Resolved when
 * the event comes. A node that does not keep that block's state says nothing, and nothing is told.
 */
export async function tellUnexplained(
  db: Db,
  reader: Reader,
  { id, number, network }: Charge,
  mandate: StoredMandate,
  now: Date,
): Promise<void> {
  const deep = await findDeepBlock(db, network); // First: whatever stands in it was seen by now.
  if (deep === null || (await isSeen(db, mandate.id, number))) return;
  const state = await readStateAt(reader, mandate, deep);
  if (state === null || state.lastNumber < number) return;
  const message =
    `The collector says that number ${number} of mandate ${mandate.id} was charged (its newest is ${state.lastNumber}), ` +
    'and no collection of it was seen. The charge waits and is not sent.';
  await openIncident(db, 'subscription.unexplained', id, message, now);
}

async function isSeen(db: Db, mandateId: string, number: number): Promise<boolean> {
  const { rows } = await sql`
    select 1 from collector_events
     where mandate_id = ${mandateId} and number = ${number} and kind = 'collected' and canonical`.execute(db);
  return rows.length > 0;
}
