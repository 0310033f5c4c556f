import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import type { EvmNetwork } from '../chains/evm/network.ts';
import { monotonicMs } from '../lib/clock.ts';
import type { Db } from '../lib/db-types.ts';
import { createRpc, readHead } from './anvil.ts';

/** The dependencies for waiting until the service has seen a change to the chain. */
export type SyncDeps = {
  readonly db: Db;
  readonly network: EvmNetwork;
  /** Makes this process's watcher look now instead of at its next poll. */
  readonly poke?: () => void;
};

const POLL_MS = 10;

/**
 * Waits until the watcher has stored everything up to the chain's head; false when that takes longer than `withinMs`.
 */
export function untilScanned({ db, network, poke }: SyncDeps, withinMs: number): Promise<boolean> {
  const rpc = createRpc(network.rpcUrl);
  poke?.();
  return until(withinMs, async () => {
    const cursor = db.selectFrom('chain_cursors').select('hash').where('network', '=', network.name);
    const [head, row] = [await readHead(rpc), await cursor.executeTakeFirst()];
    return row?.hash === head.hash;
  });
}

const SCAN_WITHIN_MS = 5_000;
const APPLY_WITHIN_MS = 3_000;

/**
 * Waits until the service has processed everything that the chain shows, so that the next request sees it. Gives up
 * after some seconds, for example when no watcher runs.
 */
export async function waitUntilQuiet(deps: SyncDeps): Promise<void> {
  if (await untilScanned(deps, SCAN_WITHIN_MS)) await untilApplied(deps, APPLY_WITHIN_MS);
}

/** Waits until every stored or newly confirmed transfer is applied to its payment; false when that takes too long. */
function untilApplied({ db, network }: SyncDeps, withinMs: number): Promise<boolean> {
  return until(withinMs, async () => {
    const { rows } = await sql<{ waiting: boolean }>`
      select exists (
        select from credits join chain_cursors using (network)
         where network = ${network.name} and parked_at is null
           and (applied_at is null or (canonical and confirmed_at is null and block_number <= confirmed_height))
      ) as waiting`.execute(db);
    return rows[0]?.waiting === false;
  });
}

/** Repeats `check` until it returns true; false when that takes longer than `withinMs`. */
export async function until(withinMs: number, check: () => Promise<boolean>): Promise<boolean> {
  const end = monotonicMs() + withinMs;
  while (!(await check())) {
    if (monotonicMs() > end) return false;
    await sleep(POLL_MS);
  }
  return true;
}
