import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { slicesOf } from '../../src/chains/slices.ts';
import { inTransaction } from '../../src/db/transaction.ts';
import { coinMatcher } from '../../src/payments/coins.ts';
import { paymentMatcher } from '../../src/payments/observe.ts';
import { createPaymentWorld, ETH, type PaymentWorld, START, TEST_NETWORK } from '../support/payments.ts';

const BLOCKS = 4;
const A_BLOCK = 5_000;

let world: PaymentWorld;
beforeAll(async () => {
  world = await createPaymentWorld({}, null, { native: ETH, prices: { ETH: '2000' } });
});
afterAll(() => world.close());

test('thousands of sweeps of an address are one a block where its coin is compared', async () => {
  const payment = await world.create({ acceptedTokens: ['ETH'] });
  const address = payment.options[0]?.address.toLowerCase() ?? '';
  // Anybody can have a contract send a wei and sweep it, again and again.
  await sql`
    insert into coin_sweeps (network, block_hash, tx_hash, place, block_number, address, units)
    select 'devnet', '0xb' || b, '0xt' || b, n, b, ${address}, b
      from generate_series(1, ${BLOCKS}::integer) b, generate_series(1, ${A_BLOCK}::integer) n`.execute(world.db);
  const network = { ...TEST_NETWORK, native: ETH };
  const [found] = await coinMatcher.findDiffering(world.db, network, [{ address, units: 7n }], []);
  expect(found?.surplus).toBe(7n + BigInt(A_BLOCK) * (1n + 2n + 3n + 4n));
  expect(found?.sweeps.toSorted((a, b) => a.height - b.height)).toEqual(
    Array.from({ length: BLOCKS }, (_, i) => ({ height: i + 1, units: BigInt(A_BLOCK * (i + 1)) })),
  );
});

test('thousands of sweeps that look the same in a transaction are as many, however often the block is stored', async () => {
  const payment = await world.create({ acceptedTokens: ['ETH'] });
  const address = payment.options[0]?.address.toLowerCase() ?? '';
  const network = { ...TEST_NETWORK, native: ETH };
  const block = { network: network.name, height: 9, hash: '0xb9', parentHash: '0xb8', time: START };
  const store = (places: readonly number[]) =>
    inTransaction(world.db, async (trx) => {
      const coinSweeps = places.map((place) => ({ block, txHash: '0xt9', place, address, units: 3n }));
      const seen = { transfers: [], collector: [], approvals: [], coinSweeps };
      for (const slice of slicesOf(seen)) await paymentMatcher.observe(trx, network, slice, START);
    });
  const counted = async () => (await coinMatcher.findDiffering(world.db, network, [{ address, units: 0n }], []))[0];
  const places = Array.from({ length: A_BLOCK }, (_, i) => i);
  await store(places);
  expect((await counted())?.surplus).toBe(3n * BigInt(A_BLOCK));
  await store(places.slice(7));
  await store(places.map((place) => place + 1));
  expect((await counted())?.surplus).toBe(3n * BigInt(A_BLOCK));
  await inTransaction(world.db, (trx) => paymentMatcher.orphan(trx, network.name, 8, START));
  expect(await counted()).toBeUndefined();
  await store(places.slice(0, 5));
  expect((await counted())?.surplus).toBe(15n);
  await store([...places, A_BLOCK]);
  expect((await counted())?.surplus).toBe(3n * BigInt(A_BLOCK + 1));
});
