import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { coinMatcher } from '../../src/payments/coins.ts';
import { createPaymentWorld, ETH, type PaymentWorld, TEST_NETWORK } from '../support/payments.ts';

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
