import { expect, test } from 'vitest';
import { REVOKED_MAX } from '../../src/subscriptions/charging/earlier-mandates.ts';
import { openSubscriber } from './renewal-fixture.ts';
import { makeDue, openRevoker, useStepwise } from './stepwise-fixture.ts';

const { world, trader } = useStepwise();

test('a wallet that has revoked very many mandates waits while they are read, and keeps no other one waiting', async () => {
  const revoker = await openRevoker(world, trader, REVOKED_MAX + 5);
  const other = await openRevoker(world, trader, 1);
  const plain = await openSubscriber(world, trader);
  await world.authorize();
  await world.confirm();
  const settled = () =>
    world.db().selectFrom('mandates').select('id').where('settled_in', 'is not', null).where('settled_number', '=', 0n);

  await world.play('advance', 'tick', 'collect');
  const statusOf = async ({ charges }: Pick<typeof plain, 'charges'>) => (await charges())[0]?.status;
  expect(await statusOf(plain)).toBe('sending');
  expect(await statusOf(other)).toBe('sending');
  expect((await revoker.charges())[0]).toMatchObject({ status: 'due', attempts: [] });
  expect(await settled().execute()).toHaveLength(REVOKED_MAX);

  await makeDue(world);
  await world.play('tick', 'collect');
  expect(await statusOf(revoker)).toBe('sending');
  expect(await settled().execute()).toHaveLength(REVOKED_MAX + 6);
  await world.play('send', 'see', 'settle');
  await world.confirm();
  expect(await statusOf(revoker)).toBe('succeeded');
});
