import { afterAll, beforeAll, expect, test } from 'vitest';
import { createEvmReader } from '../../src/chains/evm/rpc.ts';
import { ListChangedError, withUnlisted } from '../../src/chains/steps.ts';
import { createWatcher } from '../../src/chains/watcher.ts';
import { proveNetworks } from '../../src/deployment/networks.ts';
import { paymentMatcher } from '../../src/payments/observe.ts';
import type { Network } from '../../src/ports/chain.ts';
import { listUnlistedSince } from '../../src/unlisted.ts';
import { chainsOf } from '../support/chains.ts';
import { type EtherStage, openEtherStage } from './ether-fixture.ts';

let stage: EtherStage;
beforeAll(async () => {
  stage = await openEtherStage();
});
afterAll(() => stage.close());

/** What the start of a process records. */
const start = (network: Network) =>
  proveNetworks(stage.world.db, [network], { chains: chainsOf(network), mode: 'live' });

/** A process whose list lacks ETH. */
const watchWithout = (network: Network, since: Date) =>
  createWatcher({
    ...{ db: stage.world.db, network, reader: createEvmReader(network as never), worker: 'other' },
    ...{ matchers: [paymentMatcher], now: () => stage.clock.now, confirmationsOn: async () => 2, log: () => undefined },
    listUnlisted: (trx, of) => listUnlistedSince(trx, of, since),
  });

test('a process without the coin in its list reads it for the payments that offer it, and for no token', async () => {
  const { network, world } = stage;
  const { native: _, ...dollarsOnly } = network;
  await start(network);
  expect(await listUnlistedSince(world.db, network, new Date())).toMatchObject({ tokens: [], formerTokens: [] });
  expect(await listUnlistedSince(world.db, network, new Date())).not.toHaveProperty('native');
  // Nobody is asked for it, and it was listed before this process started.
  expect(await listUnlistedSince(world.db, dollarsOnly, new Date())).not.toHaveProperty('native');
  const payment = await world.create();
  await stage.release();
  const watcher = watchWithout(dollarsOnly, new Date());
  await stage.pay(payment, stage.priceOf(payment));
  const error = await watcher.look().catch((each: unknown) => each);
  expect(error).toBeInstanceOf(ListChangedError);
  const { unlisted, message } = error as ListChangedError;
  expect(message).toContain('ETH');
  const wider = withUnlisted(dollarsOnly, unlisted);
  expect(wider).toMatchObject({ native: network.native, tokens: network.tokens });
  await watcher.release();
  const widened = watchWithout(wider, new Date());
  while ((await widened.look()) !== 'level');
  await world.apply(payment);
  expect(await stage.creditsOf(payment)).toMatchObject([{ units: stage.priceOf(payment) }]);
  await widened.release();
  // Its payer needs it no more.
  await stage.mine(2);
  expect(await stage.scan(payment)).toMatchObject([{ status: 'paid' }]);
});

test('a coin that is listed while a process runs is read by it from then on', async () => {
  const { network, world } = stage;
  const { native: _, ...dollarsOnly } = network;
  const before = new Date(Date.now() - 2 * 3600_000);
  expect(await listUnlistedSince(world.db, dollarsOnly, before)).toMatchObject({ native: { symbol: 'ETH' } });
  expect(await listUnlistedSince(world.db, dollarsOnly, new Date())).not.toHaveProperty('native');
});
