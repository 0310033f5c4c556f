import { afterAll, beforeAll, expect, test } from 'vitest';
import { examineNodes } from '../../scripts/doctor/nodes.ts';
import { createEvmReader } from '../../src/chains/evm/rpc.ts';
import type { Watcher } from '../../src/chains/watcher.ts';
import { after, HOUR_MS } from '../../src/lib/clock.ts';
import { listOverdue } from '../../src/payments/queries.ts';
import type { Payment } from '../../src/payments/types.ts';
import { listOpenIncidents } from '../support/incidents.ts';
import { type EtherBehindLiar, openEtherBehindLiar } from './ether-fixture.ts';

const REFUSAL = 'calls by block hash are not part of your plan';

let stage: EtherBehindLiar;
beforeAll(async () => {
  stage = await openEtherBehindLiar();
});
afterAll(() => stage.close());

/** The provider answers everything but what addresses hold after a block. */
const refuse = (): void =>
  stage.liar.lie(({ method, params }) =>
    method === 'eth_call' && Object.hasOwn(Object(params[1]), 'blockHash')
      ? { error: { code: -32_601, message: REFUSAL } }
      : undefined,
  );

/** Looks until the head is scanned, as the loop does that no error ends. Returns how many looks failed. */
async function follow(watcher: Watcher): Promise<number> {
  let failed = 0;
  for (let looks = 0; looks < 20; looks += 1) {
    const result = await watcher.look().catch(() => 'failed' as const);
    if (result === 'failed') failed += 1;
    else if (result === 'level') return failed;
  }
  throw new Error('The head was never reached.');
}

const incidents = () => listOpenIncidents(stage.world.db);
const isOverdue = async (payment: Payment): Promise<boolean> => {
  const now = stage.clock.now;
  return (await listOverdue(stage.world.db, now, after(now, -24 * HOUR_MS), 100)).some(({ id }) => id === payment.id);
};

test('an endpoint that refuses to read balances stops no token, and payments in the coin wait for it', async () => {
  const { world, faucet, network } = stage;
  const [inTokens, inCoin, unpaid] = [
    await world.create(),
    await world.create(),
    await world.create({ acceptedTokens: ['USDT'] }),
  ];
  const behind = stage.behindLiar();
  refuse();
  await stage.release();
  const watcher = stage.watch('two', createEvmReader(behind));
  await stage.pay(inCoin, stage.priceOf(inCoin));
  await faucet.transfer({ token: network.tokens[0]!, to: stage.addressOf(inTokens), units: 100_000_000n });
  // Anything may fail once or twice.
  expect(await follow(watcher)).toBe(2);
  expect((await world.apply(inTokens)).status).toBe('confirming');
  expect(await incidents()).toEqual([
    { kind: 'watcher.coins_unread', subject: 'devnet', message: expect.stringContaining(REFUSAL) },
  ]);
  // From then on each look tries it, and none fails for it.
  await stage.mine(3, after(stage.clock.now, 3 * HOUR_MS));
  expect(await follow(watcher)).toBe(0);
  expect((await world.apply(inTokens)).status).toBe('paid');
  expect(await isOverdue(unpaid)).toBe(true);
  expect(await isOverdue(inCoin)).toBe(false);
  const config = { networks: [behind], operatorKey: null } as never;
  const shown = async () => (await examineNodes({ config, db: world.db } as never)).map(({ ok, text }) => [ok, text]);
  expect(await shown()).toEqual([[false, expect.stringContaining('payments in ETH are not seen there')]]);
  stage.liar.honest();
  expect(await shown()).toEqual([[true, expect.stringContaining('ETH (18 decimals)')]]);
  await stage.mine(1);
  expect(await follow(watcher)).toBe(0);
  expect(await incidents()).toEqual([]);
  await world.apply(inCoin);
  expect(await stage.creditsOf(inCoin)).toMatchObject([{ units: stage.priceOf(inCoin) }]);
  await watcher.release();
});
