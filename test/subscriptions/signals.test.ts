import { expect, test } from 'vitest';
import { inTransaction } from '../../src/db/transaction.ts';
import { lockAccounts, merchantAccount } from '../../src/ledger/accounts.ts';
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
