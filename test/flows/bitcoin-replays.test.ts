import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type BitcoinWorld, openBitcoinWorld } from './bitcoin-fixture.ts';

let world: BitcoinWorld;
beforeAll(async () => {
  world = await openBitcoinWorld();
});
afterAll(() => world.close());

const REPLAYS = 30;

test('a request that comes again under its key takes no address, because a wallet looks at few unused ones', async () => {
  const { service, merchant } = world;
  const body = { amount: 25, currency: 'USD', acceptedTokens: ['BTC'] };
  const send = (key: string) =>
    service.send('POST', '/v1/payments', { token: merchant.token, body, headers: { 'idempotency-key': key } });
  const indexOf = async (key: string): Promise<number> => {
    const { id } = (await send(key)).body as { id: string };
    const { rows } = await sql<{ index: number }>`select index from bitcoin_deposits where payment_id = ${id}`.execute(
      service.db,
    );
    return rows[0]?.index ?? Number.NaN;
  };
  const first = await indexOf('one');
  for (let count = 0; count < REPLAYS; count += 1) {
    expect((await send('one')).headers.get('idempotent-replayed')).toBe('true');
  }
  // Some may have been taken ahead meanwhile, in another order.
  expect(await indexOf('two')).toBeLessThan(first + 5);
});
