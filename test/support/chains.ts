import { sql } from 'kysely';
import { createChains } from '../../src/chains/chains.ts';
import { KINDS } from '../../src/kinds.ts';
import type { Db } from '../../src/lib/db-types.ts';
import type { Network, Waiting } from '../../src/ports/chain.ts';
import type { Chains } from '../../src/ports/chain-kind.ts';

/** The kinds of the service, with these networks. */
export const chainsOf = (...networks: readonly Network[]): Chains => createChains(KINDS, networks);

/** Whether anything of a folder waits for what happens on a network. */
export async function isWaited(db: Db, waits: Waiting, network: Network, now: Date): Promise<boolean> {
  const { rows } = await sql<{ waits: boolean }>`select ${waits(network, now)} as waits`.execute(db);
  return rows[0]?.waits === true;
}
