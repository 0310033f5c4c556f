import { expect, test } from 'vitest';
import { inTransaction } from '../../src/db/transaction.ts';
import { lockAccounts, merchantAccount } from '../../src/ledger/accounts.ts';
import { after, DAY_MS } from '../../src/lib/clock.ts';
import { moveClock } from '../../src/sandbox/clock.ts';
import { lockSubscription } from '../../src/subscriptions/queries.ts';
import { isWaiting } from '../support/waiting.ts';
import { openAuthorized, useStepwise } from './stepwise-fixture.ts';

const { world, trader } = useStepwise();

test('what is paid renews its subscription while events of others are still being applied', async () => {
  const paid = await openAuthorized(world, trader);
  await world.charge();
  const collected = await openAuthorized(world, trader);
  await world.play('advance', 'tick', 'collect', 'send', 'see', 'mine', 'mine', 'see', 'apply');
  expect(await paid.charge()).toMatchObject({ status: 'confirming' });
  // A collection is booked in its merchant's accounts, and waits while something else is.
  const settling = await inTransaction(world.db(), async (trx) => {
    await lockAccounts(trx, [merchantAccount(trader.id, 'available')]);
    const run = world.play('settle');
    await world.play('signals');
    expect(await paid.charge()).toMatchObject({ status: 'succeeded' });
    expect(await collected.charge()).toMatchObject({ status: 'sending' });
    return { run };
  });
  await settling.run;
  await world.play('settle');
  expect(await collected.charge()).toMatchObject({ status: 'confirming' });
});

const movementsOf = async (at: Date) => {
  const month = at.toISOString().slice(0, 7);
  const { final, movements } = await trader.client.settlements.statements.get(month);
  return { final, paid: movements.filter(({ kind }) => kind === 'credit').map(({ paymentId }) => paymentId) };
};

test('a run that goes on into another month books nothing more into the one that is over', async () => {
  const early = await openAuthorized(world, trader);
  const late = await openAuthorized(world, trader);
  await world.play('advance', 'tick', 'collect', 'send', 'see');
  const { clock } = world.service().platform;
  const began = clock.now();
  const before = (await movementsOf(began)).paid;
  const end = after(began, 40 * DAY_MS);
  const settling = await inTransaction(world.db(), async (trx) => {
    await lockSubscription(trx, { id: late.id });
    await lockAccounts(trx, [merchantAccount(trader.id, 'available')]);
    const run = world.play('settle');
    // One batch has begun, and waits for the accounts.
    await expect.poll(() => isWaiting(world.db())).toBe(true);
    await moveClock(world.db(), clock, end);
    await expect.poll(() => clock.now() >= end).toBe(true);
    return { run };
  });
  await settling.run;
  const [{ paymentId: first }, { paymentId: second }] = [await early.charge(), await late.charge()];
  expect(await movementsOf(began)).toEqual({ final: true, paid: [...before, first] });
  expect(await movementsOf(end)).toEqual({ final: false, paid: [second] });
});
