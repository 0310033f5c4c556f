import { expect, test } from 'vitest';
import { after, DAY_MS, HOUR_MS } from '../../src/lib/clock.ts';
import { openSubscriber } from './renewal-fixture.ts';
import { useStepwise } from './stepwise-fixture.ts';

const { world } = useStepwise();

test('the day to agree after a pause is not cut short by a reorg that takes what was agreed', async () => {
  const shop = await world.openTrader();
  const subscriber = await openSubscriber(world, shop, {}, { sign: false });
  await world.decide(shop.id, { kind: 'freeze', reason: 'odd payments' });
  await world.advance(3 * DAY_MS);
  await world.play('advance');
  await world.decide(shop.id, { kind: 'unfreeze', reason: null });
  await world.play('advance');
  expect((await subscriber.row()).authorize_by).toEqual(after((await subscriber.row()).updated_at, DAY_MS));
  await subscriber.sign();
  await world.authorize();
  await world.drop(1);
  await world.play('see', 'settle');
  expect(await subscriber.read()).toMatchObject({ status: 'active', mandateStatus: 'pending' });
  await world.advance(2 * HOUR_MS);
  await world.play('advance');
  expect(await subscriber.read()).toMatchObject({ status: 'active', cancelReason: null });
});
