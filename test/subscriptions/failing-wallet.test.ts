import { type RawBuilder, sql } from 'kysely';
import { expect, test } from 'vitest';
import { after, HOUR_MS, MINUTE_MS } from '../../src/lib/clock.ts';
import { moveClock } from '../../src/sandbox/clock.ts';
import { FAILED_A_DAY } from '../../src/subscriptions/charging/failing-wallets.ts';
import { signMandate, TEA_CLUB } from '../support/subscriptions.ts';
import { countBlocked } from '../support/waiting.ts';
import { openWallet } from './renewal-fixture.ts';
import { useStepwise } from './stepwise-fixture.ts';

const { world, trader } = useStepwise();
const UNLIMITED = 2n ** 256n - 1n;

/** A wallet with so many subscriptions that it has agreed to, each of another plan. */
async function openWith(count: number) {
  const { client } = trader;
  const wallet = await openWallet(world);
  const ids: string[] = [];
  for (let i = 0; i < count; i += 1) {
    const { id: planId } = await client.plans.create(TEA_CLUB);
    const { id } = await client.plans.subscribe(planId, {
      customerEmail: 'nimal@example.org',
      customerName: 'Nimal Perera',
      walletAddress: wallet.account.address,
    });
    const page = await client.public.subscriptions.get(id);
    await client.public.subscriptions.submitMandate(id, { signature: await signMandate(page, wallet.account) });
    ids.push(id);
  }
  await world.authorize();
  return { ...wallet, ids };
}

/** Failures in a block that the operator has paid for. */
const failures = async () =>
  (await world.db().selectFrom('collector_events').select('id').where('kind', '=', 'collect_failed').execute()).length;

/** The wallet shows an allowance until its charges are signed, and takes it away before they are in a block. */
async function trick({ allow }: Awaited<ReturnType<typeof openWith>>): Promise<number> {
  const before = await failures();
  await allow(UNLIMITED);
  await world.play('see', 'signals', 'advance', 'tick', 'collect');
  await allow(0n);
  await world.play('send', 'see', 'settle');
  return (await failures()) - before;
}

async function pass(ms: number): Promise<void> {
  const { clock } = world.service().platform;
  const then = after(clock.now(), ms);
  await moveClock(world.db(), clock, then);
  await expect.poll(() => clock.now() >= then).toBe(true);
}

test('a wallet that takes its allowance away before the block costs one failure at a time, and few a day', async () => {
  const wallet = await openWith(4);
  expect(await trick(wallet), 'at first nothing is known of it').toBe(4);
  const costs: number[] = [];
  for (let time = 0; time < 12; time += 1) {
    await pass(2 * MINUTE_MS);
    costs.push(await trick(wallet));
  }
  expect(Math.max(...costs)).toBe(1);
  expect(costs.reduce((sum, each) => sum + each, 0)).toBeLessThanOrEqual(4 * (FAILED_A_DAY - 1));

  // Once it leaves its allowance, all is collected, one after the other.
  await wallet.allow(UNLIMITED);
  await pass(25 * HOUR_MS);
  const statuses = async () =>
    (await Promise.all(wallet.ids.map((id) => trader.client.subscriptions.get(id)))).map(({ status }) => status);
  for (let time = 0; time < 6; time += 1) {
    await world.play('see', 'signals', 'advance', 'tick', 'collect', 'send', 'see', 'settle');
    await world.confirm();
    await pass(2 * MINUTE_MS);
  }
  expect(await statuses()).toEqual(wallet.ids.map(() => 'active'));
});

/** Takes a lock, until the function it returns is called. */
async function hold(query: RawBuilder<unknown>): Promise<() => Promise<unknown>> {
  const trx = await world.db().startTransaction().execute();
  await query.execute(trx);
  return () => trx.commit().execute();
}

/** Waits until so many sessions wait for locks. */
const waiting = (count: number) =>
  expect.poll(() => countBlocked(world.db()), { timeout: 60_000, interval: 20 }).toBe(count);

test('two runs at once send one charge of such a wallet', async () => {
  const wallet = await openWith(2);
  expect(await trick(wallet), 'at first nothing is known of it').toBe(2);
  await pass(2 * MINUTE_MS);
  const before = await failures();
  await wallet.allow(UNLIMITED);
  await world.play('see', 'signals', 'advance', 'tick');
  const free = await hold(sql`select from merchants where id = ${trader.id} for update`);
  const show = await hold(sql`select from charges where subscription_id = ${wallet.ids[1]} for update`);
  const one = world.play('collect');
  await waiting(1);
  await show();
  const other = world.play('collect');
  await waiting(2);
  await free();
  await Promise.all([one, other]);
  await wallet.allow(0n);
  await world.play('send', 'see', 'settle');
  expect((await failures()) - before).toBe(1);
});
