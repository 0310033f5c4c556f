import { sql } from 'kysely';
import type { Reader } from '../chains/evm/client.ts';
import { readMandateState } from '../chains/evm/collector-reader.ts';
import type { Db } from '../lib/db-types.ts';
import { openIncident } from './incidents.ts';
import type { Charge, StoredMandate } from './records.ts';

type Hex = `0x${string}`;

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
  const { rows } = await sql<{ hash: Hex }>`
    select b.hash from chain_cursors c
      join chain_blocks b on b.network = c.network and b.height = c.confirmed_height
     where c.network = ${network} and not exists (
       select 1 from collector_events
        where mandate_id = ${mandate.id} and number = ${number} and kind = 'collected' and canonical)`.execute(db);
  const [deep] = rows;
  if (!deep) return;
  const at = { blockHash: deep.hash };
  const { collector, payer } = mandate;
  const state = await readMandateState(reader, collector as Hex, payer as Hex, mandate.id as Hex, at).catch(() => null);
  if (state === null || state.lastNumber < number) return;
  const message =
    `The collector says that number ${number} of mandate ${mandate.id} was charged (its newest is ${state.lastNumber}), ` +
    'and no collection of it was seen. The charge waits and is not sent.';
  await openIncident(db, 'subscription.unexplained', id, message, now);
}
