import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type AnswerLoser, createLossyDatabase } from '../support/answer-loser.ts';
import type { Trader } from '../support/sandbox-service.ts';
import { openAuthorized, type Stepwise, startStepwise } from './stepwise-fixture.ts';

let loser: AnswerLoser;
let world: Stepwise;
let trader: Trader;
beforeAll(async () => {
  const lossy = await createLossyDatabase();
  loser = lossy.loser;
  world = await startStepwise({
    database: lossy.database,
    network: (network) => ({ ...network, confirmations: 3 }),
  });
  trader = await world.openTrader();
  await trader.client.sandbox.chain.mine({ blocks: 8 });
});
afterAll(async () => {
  world.faults.length = 0; // What is lost is logged.
  await world.close();
  await loser.close();
});

const CYCLE = [
  'advance',
  'tick',
  'collect',
  'send',
  'see',
  'settle',
  'mine',
  'mine',
  'see',
  'send',
  'apply',
  'settle',
] as const;

/** Plays all steps of a charge, whatever fails of them, and lets leases end. */
async function playOn(): Promise<void> {
  for (const step of CYCLE) await world.play(step).catch(() => undefined);
  const over = sql`clock_timestamp() - interval '1 second'`;
  await sql`update charges set locked_until = ${over} where locked_by is not null`.execute(world.db());
  await sql`update operator_accounts set locked_until = ${over} where locked_by is not null`.execute(world.db());
}

test('a charge is collected once, whichever commit of its jobs has no answer', async () => {
  let [commits, wasLost] = [0, true];
  for (; wasLost; commits += 1) {
    const subscriber = await openAuthorized(world, trader);
    const before = await trader.client.settlements.balance();
    loser.lose('COMMIT', commits);
    await playOn();
    wasLost = loser.end();
    const played = async () => playOn().then(subscriber.charge);
    await expect.poll(played).toMatchObject({ status: 'succeeded' });
    const charges = await subscriber.charges();
    expect(charges).toMatchObject([{ number: 1, status: 'succeeded', attempts: [{ outcome: 'collected' }] }]);
    expect((await trader.client.settlements.balance()).totalEarned).toBe(before.totalEarned + 25);
    expect(await subscriber.eventTypes()).toEqual(['created', 'activated']);
  }
  expect(commits).toBeGreaterThan(5);
});
