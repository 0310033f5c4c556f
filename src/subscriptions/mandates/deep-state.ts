import { sql } from 'kysely';
import type { Db } from '../../lib/db-types.ts';
import type { Collector, MandateState } from '../../ports/collector.ts';
import type { StoredMandate } from './mandate.ts';

/** The hash of a network's newest known block that has its confirmations; null where none is known. */
export async function findDeepBlock(db: Db, network: string): Promise<string | null> {
  const { rows } = await sql<{ hash: string }>`
    select b.hash from chain_cursors c join chain_blocks b on b.network = c.network and b.height <= c.confirmed_height
     where c.network = ${network} order by b.height desc limit 1`.execute(db);
  return rows[0]?.hash ?? null;
}

/** The contract's state of a mandate at a block; null when the node does not answer or does not have that state. */
export const readStateAt = (
  { readMandateState }: Collector,
  mandate: Pick<StoredMandate, 'id' | 'collector' | 'payer'>,
  blockHash: string,
): Promise<MandateState | null> => readMandateState(mandate, blockHash).catch(() => null);
