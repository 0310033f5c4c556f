import { expect, test } from 'vitest';
import { countCalls } from '../../src/chains/endpoints.ts';
import { after, DAY_MS } from '../../src/lib/clock.ts';
import { moveClock } from '../../src/sandbox/clock.ts';
import { toCharge } from '../../src/subscriptions/charge-queries.ts';
import { listEarlier } from '../../src/subscriptions/charging/former-mandates.ts';
import { openSubscriber } from './renewal-fixture.ts';
import { openAuthorized, openRevoker, useStepwise } from './stepwise-fixture.ts';

const { world, trader } = useStepwise();

/** How often the node is asked while due charges are sent. */
async function callsOfCharging(): Promise<number> {
  const read = () => countCalls(world.service().platform.networks[0]!).reduce((sum, { calls }) => sum + calls, 0);
  await world.play('advance', 'tick');
  const before = read();
  await world.play('collect');
  return read() - before;
}

async function nextMonth(): Promise<void> {
  const { clock } = world.service().platform;
  const month = after(clock.now(), 31 * DAY_MS);
  await moveClock(world.db(), clock, month);
  await expect.poll(() => clock.now() >= month).toBe(true);
}

test('what was charged by revoked mandates is asked once, and not for each charge that follows', async () => {
  await openSubscriber(world, trader);
  await world.authorize();
  const callsOfOne = await callsOfCharging();

  const revoker = await openRevoker(world, trader, 12);
  await world.confirm();
  expect(await callsOfCharging()).toBeGreaterThanOrEqual(callsOfOne + 12);
  await world.play('send', 'see', 'settle');
  await world.confirm();
  expect((await revoker.charges())[0]).toMatchObject({ number: 1, status: 'succeeded' });

  await nextMonth();
  expect(await callsOfCharging()).toBeLessThan(callsOfOne + 6);
  expect((await revoker.charges())[0]).toMatchObject({ number: 2, status: 'sending' });
});

test('a reorg that takes a revocation has its mandate read again', async () => {
  const revoker = await openRevoker(world, trader, 1);
  await world.confirm();
  await world.play('advance', 'tick', 'collect', 'send');
  const db = world.db();
  const charges = db.selectFrom('charges').selectAll().where('subscription_id', '=', revoker.id);
  const read = async () => listEarlier(db, world.network.name, (await charges.execute()).map(toCharge), 10);
  expect(await read()).toEqual([]);
  const { block_number: at } = await db
    .selectFrom('collector_events')
    .select('block_number')
    .where('subscription_id', '=', revoker.id)
    .where('kind', '=', 'revoked')
    .executeTakeFirstOrThrow();
  const head = Number(await world.node.rpc('eth_blockNumber', []));
  await world.drop(head - Number(at) + 1);
  await world.play('mine', 'see');
  expect(await read()).toMatchObject([{ isRevoked: false, deepIn: null }]);
});

test('a number that a node denied hides no collection that was seen', async () => {
  const { id, revoke, sign, charges } = await openAuthorized(world, trader);
  await world.charge();
  await revoke();
  await world.play('see', 'settle');
  await sign();
  await world.authorize();
  await world.confirm();
  expect(await charges()).toMatchObject([{ number: 1, status: 'succeeded' }]);
  // As a node's lie is kept: the mandate is revoked, and nothing was ever charged by it.
  const db = world.db();
  const { block_hash: settledIn, mandate_id: former } = await db
    .selectFrom('collector_events')
    .select(['block_hash', 'mandate_id'])
    .where('subscription_id', '=', id)
    .where('kind', '=', 'revoked')
    .executeTakeFirstOrThrow();
  const lie = { settled_number: 0n, settled_in: settledIn };
  await db.updateTable('mandates').set(lie).where('id', '=', former).execute();
  const [charge] = (await db.selectFrom('charges').selectAll().where('subscription_id', '=', id).execute()).map(
    toCharge,
  );
  const read = (number: number) => listEarlier(db, world.network.name, [{ ...charge!, number }], 10);
  expect(await read(1)).toMatchObject([{ mandate: { id: former }, isRevoked: true, deepIn: settledIn }]);
  expect(await read(2)).toEqual([]);
});
