import { afterEach, beforeEach, expect, test } from 'vitest';
import { createEvmReader } from '../../src/chains/evm/rpc.ts';
import type { WatcherDeps } from '../../src/chains/lease.ts';
import type { Watcher } from '../../src/chains/watcher.ts';
import { proveNetworks } from '../../src/deployment/networks.ts';
import { after, HOUR_MS, MINUTE_MS } from '../../src/lib/clock.ts';
import { listOverdue } from '../../src/payments/queries.ts';
import type { Payment } from '../../src/payments/types.ts';
import { listUnlistedSince } from '../../src/unlisted.ts';
import { chainsOf } from '../support/chains.ts';
import { type EtherBehindLiar, openEtherBehindLiar } from './ether-fixture.ts';

/** What is known of the coin, while processes with other lists or nodes take turns, and while blocks are replaced. */
let stage: EtherBehindLiar;
beforeEach(async () => {
  stage = await openEtherBehindLiar();
  await stage.release();
});
afterEach(() => stage.close());

const refuse = (message: string): void =>
  stage.liar.lie(({ method, params }) =>
    method === 'eth_call' && Object.hasOwn(Object(params[1]), 'blockHash')
      ? { error: { code: -32_000, message } }
      : undefined,
  );

/** A process whose node is the provider's. */
const watchBehind = (worker: string): Watcher => stage.watch(worker, createEvmReader(stage.behindLiar()));

/** A process whose list lacks ETH. */
function watchWithout(worker: string): Watcher {
  const { native: _, ...network } = stage.network;
  const [reader, since] = [createEvmReader(network), new Date()];
  const listUnlisted: WatcherDeps['listUnlisted'] = (trx, of) => listUnlistedSince(trx, of, since);
  return stage.watch(worker, reader, { network, listUnlisted });
}

/** Looks until the head is scanned, as the loop does that no error ends, and lets another process watch. */
async function follow(watcher: Watcher): Promise<void> {
  for (let looks = 0; looks < 20; looks += 1) {
    if ((await watcher.look().catch(() => 'failed')) === 'level') return watcher.release();
  }
  throw new Error('The head was never reached.');
}

const cursor = () =>
  stage.world.db.selectFrom('chain_cursors').select(['checked_at', 'read_to']).executeTakeFirstOrThrow();
const told = async (): Promise<string[]> => {
  const open = stage.world.db.selectFrom('incidents').select('message').where('resolved_at', 'is', null);
  return (await open.where('kind', '=', 'watcher.coins_unread').execute()).map(({ message }) => message);
};
const isOverdue = async (payment: Payment): Promise<boolean> => {
  const now = stage.clock.now;
  return (await listOverdue(stage.world.db, now, after(now, -24 * HOUR_MS), 100)).some(({ id }) => id === payment.id);
};

test('an endpoint that never knows the state of the blocks that it shows stops no token', async () => {
  const [inCoin, inTokens] = [await stage.world.create(), await stage.world.create({ acceptedTokens: ['USDT'] })];
  refuse('header not found');
  await stage.mine(3, after(stage.clock.now, 3 * HOUR_MS));
  await follow(watchBehind('two'));
  expect(await told()).toEqual([expect.stringContaining('header not found')]);
  expect([await isOverdue(inTokens), await isOverdue(inCoin)]).toEqual([true, false]);
});

test('a process without the coin in its list does not count it as read where another one could not read it', async () => {
  await proveNetworks(stage.world.db, [stage.network], { chains: chainsOf(stage.network), mode: 'live' });
  const payment = await stage.world.create();
  refuse('not part of your plan');
  await stage.mine(3, after(stage.clock.now, 3 * HOUR_MS));
  await follow(watchBehind('two'));
  expect(await isOverdue(payment)).toBe(false);
  const other = watchWithout('three');
  const { checked_at } = await cursor();
  while ((await cursor()).checked_at?.getTime() === checked_at?.getTime()) await other.look();
  await other.release();
  expect(await isOverdue(payment)).toBe(false);
  stage.liar.honest();
  await follow(watchBehind('two'));
  expect(await isOverdue(payment)).toBe(true);
});

test('a coin that was never read since it is listed again is not counted as read', async () => {
  await proveNetworks(stage.world.db, [stage.network], { chains: chainsOf(stage.network), mode: 'live' });
  await stage.mine(1);
  await follow(watchWithout('three'));
  expect((await cursor()).read_to).toBeNull();
  const payment = await stage.world.create();
  refuse('not part of your plan');
  await stage.mine(3, after(stage.clock.now, 3 * HOUR_MS));
  await follow(watchBehind('two'));
  expect(await isOverdue(payment)).toBe(false);
});

test('a reorg takes back how far the coin was read', async () => {
  const payment = await stage.world.create({ acceptedTokens: ['ETH'] });
  await stage.mine(1, after(stage.clock.now, MINUTE_MS));
  const before = await stage.node.rpc('evm_snapshot', []);
  await stage.mine(1, after(stage.clock.now, 3 * HOUR_MS));
  await follow(watchBehind('two'));
  expect(await isOverdue(payment)).toBe(true);
  await stage.node.rpc('evm_revert', [before]);
  await stage.node.rpc('anvil_mine', [2]);
  const watcher = watchBehind('two');
  expect(await watcher.look()).toBe('behind');
  expect(await isOverdue(payment)).toBe(false);
  await watcher.release();
});

test('who takes over tells whether the coin can be read, whatever he had told before', async () => {
  await stage.world.create();
  const [refused, well] = [watchBehind('two'), stage.watch('three')];
  await follow(well);
  for (const _ of [1, 2]) {
    refuse('not part of your plan');
    await stage.mine(1);
    await follow(refused);
    expect(await told()).toHaveLength(1);
    await stage.mine(1);
    await follow(well);
    expect(await told()).toEqual([]);
  }
});

test('where the coin is taken off the list and nobody is asked for it, nothing is told of it any more', async () => {
  await stage.world.create();
  refuse('not part of your plan');
  await stage.mine(1);
  await follow(watchBehind('two'));
  expect(await told()).toHaveLength(1);
  // Without a new block the list of this process proves nothing.
  await follow(watchWithout('three'));
  expect(await told()).toHaveLength(1);
  await stage.mine(1);
  await follow(watchWithout('three'));
  expect(await told()).toEqual([]);
});
