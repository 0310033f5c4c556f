import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import type { EvmNetwork } from '../chains/evm/network.ts';
import { monotonicMs } from '../lib/clock.ts';
import type { Db } from '../lib/db-types.ts';
import { isDeep } from '../payments/depth.ts';
import { createRpc, readHead } from './anvil.ts';

/** The dependencies for waiting until the service has seen a change to the chain. */
export type SyncDeps = {
  readonly db: Db;
  readonly network: EvmNetwork;
  /** Makes this process's watcher look now instead of at its next poll. */
  readonly poke?: () => void;
};

/** A chain to wait for; `since`: its pool has to be looked at after that business time, too. */
export type WatchedChain = {
  readonly name: string;
  readonly readHead: () => Promise<{ readonly hash: string }>;
  readonly since?: Date;
};

const POLL_MS = 10;

/**
 * Waits until the watcher has stored everything up to the head of a chain, the EVM one unless another is given; false
 * when that takes longer than `withinMs`.
 */
export function untilScanned(
  { db, network, poke }: SyncDeps,
  withinMs: number,
  chain: WatchedChain = evmChain(network),
): Promise<boolean> {
  poke?.();
  return until(withinMs, async () => {
    const cursor = db.selectFrom('chain_cursors').select(['hash', 'read_to']).where('network', '=', chain.name);
    const [head, row] = [await chain.readHead(), await cursor.executeTakeFirst()];
    return row?.hash === head.hash && (!chain.since || row.read_to === null || row.read_to >= chain.since);
  });
}

function evmChain({ name, rpcUrl }: EvmNetwork): WatchedChain {
  const rpc = createRpc(rpcUrl);
  return { name, readHead: () => readHead(rpc) };
}

const SCAN_WITHIN_MS = 5_000;
const APPLY_WITHIN_MS = 3_000;

/**
 * Waits until the service has processed everything that the chain shows, so that the next request sees it. Gives up
 * after some seconds, for example when no watcher runs.
 */
export async function waitUntilQuiet(deps: SyncDeps, chain?: WatchedChain): Promise<void> {
  const { name } = chain ?? deps.network;
  if (await untilScanned(deps, SCAN_WITHIN_MS, chain)) await untilApplied(deps, name, APPLY_WITHIN_MS);
}

/** Waits until every stored or newly confirmed transfer is applied to its payment; false when that takes too long. */
function untilApplied({ db }: SyncDeps, network: string, withinMs: number): Promise<boolean> {
  return until(withinMs, async () => {
    const { rows } = await sql<{ waiting: boolean }>`
      select exists (
        select from credits c join chain_cursors u on u.network = c.network join payments p on p.id = c.payment_id
         where c.network = ${network} and c.parked_at is null
           and (c.applied_at is null or (c.canonical and c.confirmed_at is null and ${isDeep}))
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
