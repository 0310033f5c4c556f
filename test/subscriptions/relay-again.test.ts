import { expect, test } from 'vitest';
import { DAY_MS, HOUR_MS } from '../../src/lib/clock.ts';
import { RELAYS_OF_ONE } from '../../src/subscriptions/mandates/worth-relaying.ts';
import { openSubscriber } from './renewal-fixture.ts';
import { useStepwise } from './stepwise-fixture.ts';

const { world, trader } = useStepwise();

const relays = async () =>
  (await world.db().selectFrom('operator_transactions').select('id').where('purpose', '=', 'authorize').execute())
    .length;

test('a customer who revokes and signs again and again has few mandates brought to the chain, and others all', async () => {
  const subscriber = await openSubscriber(world, trader, { trialDays: 7 });
  await world.authorize();
  for (let time = 0; time < RELAYS_OF_ONE + 2; time += 1) {
    await subscriber.revoke();
    await world.play('see', 'settle');
    await subscriber.sign();
    await world.advance(HOUR_MS / 4);
    await world.authorize();
  }
  expect(await relays()).toBe(RELAYS_OF_ONE);
  expect(await subscriber.read()).toMatchObject({ mandateStatus: 'revoked' });

  await openSubscriber(world, trader);
  await world.authorize();
  expect(await relays(), 'of another one').toBe(RELAYS_OF_ONE + 1);

  await world.advance(DAY_MS);
  await world.authorize();
  expect(await relays(), 'a day later').toBe(RELAYS_OF_ONE + 2);
  expect(await subscriber.read()).toMatchObject({ mandateStatus: 'active' });
});
