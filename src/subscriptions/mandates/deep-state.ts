import { sql } from 'kysely';
import type { Reader } from '../../chains/evm/client.ts';
import { readMandateState } from '../../chains/evm/collector-reader.ts';
import type { Db } from '../../lib/db-types.ts';
import type { MandateState } from '../../ports/collector.ts';
import type { StoredMandate } from '../records.ts';

type Hex = `0x${string}`;

/** The hash of the newest block of a network that lies deep enough to be counted on; null where none is known. */
export async function findDeepBlock(db: Db, network: string): Promise<Hex | null> {
  const { rows } = await sql<{ hash: Hex }>`
    select b.hash from chain_cursors c join chain_blocks b on b.network = c.network and b.height = c.confirmed_height
     where c.network = ${network}`.execute(db);
  return rows[0]?.hash ?? null;
}

/** What the contract knew of a mandate at a block; null when the node does not answer, or does not keep that block's state. */
export const readStateAt = (
  reader: Reader,
  { id, collector, payer }: Pick<StoredMandate, 'id' | 'collector' | 'payer'>,
  blockHash: Hex,
): Promise<MandateState | null> =>
  readMandateState(reader, collector as Hex, payer as Hex, id as Hex, { blockHash }).catch(() => null);
