import { type Address, concat, erc20Abi, type Hex, zeroHash } from 'viem';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { readContract } from 'viem/actions';
import { expect, test } from 'vitest';
import { createAccountSender } from '../../src/chains/evm/account-sender.ts';
import { openReader } from '../../src/chains/evm/client.ts';
import { encodeAuthorize, type Mandate } from '../../src/chains/evm/collector.ts';
import { collectorInitCode } from '../../src/chains/evm/collector-deploy.ts';
import { readCollector } from '../../src/chains/evm/collector-reader.ts';
import { DETERMINISTIC_DEPLOYER, deterministicAddress } from '../../src/chains/evm/deploy.ts';
import { DAY_MS, MINUTE_MS } from '../../src/lib/clock.ts';
import { onChain } from '../../src/subscriptions/mandates/mandate.ts';
import { findCurrentMandates } from '../../src/subscriptions/mandates/queries.ts';
import { openSubscriber } from './renewal-fixture.ts';
import { useStepwise } from './stepwise-fixture.ts';

const { world, trader } = useStepwise();

/** A subscriber who was charged once, in the newest block. */
async function openCharged() {
  const subscriber = await openSubscriber(world, trader);
  await world.authorize();
  const before = await balanceOf(subscriber.account.address);
  await world.charge();
  const charge = async () => (await subscriber.charges())[0]!;
  expect(await charge()).toMatchObject({ number: 1, status: 'confirming' });
  return {
    ...subscriber,
    charge,
    spent: async () => before - (await balanceOf(subscriber.account.address)),
    /** Authorises the requested mandate by a transaction of the wallet. */
    agree: async () => {
      const mandate = (await findCurrentMandates(world.db(), [subscriber.id])).get(subscriber.id)!;
      await subscriber.send(mandate.collector as Address, encodeAuthorize(onChain(mandate) as Mandate));
    },
  };
}

const balanceOf = (owner: Address): Promise<bigint> => {
  const usdt = world.network.tokens.find(({ symbol }) => symbol === 'USDT')!;
  return readContract(openReader(world.network.rpcUrl), {
    address: usdt.contract as Hex,
    abi: erc20Abi,
    functionName: 'balanceOf',
    args: [owner],
  });
};

const collecting = () =>
  world.db().selectFrom('operator_transactions').select('id').where('purpose', '=', 'collect').execute();

test('a period is charged under a new mandate only once the old transaction cannot return; if it returns, it pays once', async () => {
  const subscriber = await openCharged();
  const { txHash } = await subscriber.charge();
  await subscriber.revoke();
  await world.play('see', 'settle');
  await subscriber.agree();
  await world.play('see', 'settle');
  expect(await subscriber.read()).toMatchObject({ mandateStatus: 'active' });
  // The collection, the revocation and the new mandate are all gone; the wallet's new authorisation returns first.
  await world.drop(3);
  await world.play('see', 'apply', 'settle');
  await subscriber.agree();
  await world.play('see', 'settle');
  expect(await subscriber.spent()).toBe(0n);
  expect(await subscriber.charge()).toMatchObject({ status: 'due' });
  const sent = await collecting();
  await world
    .db()
    .updateTable('charges')
    .set({ due_at: world.service().platform.clock.now() })
    .where('id', '=', (await subscriber.charge()).id)
    .execute();
  await world.play('advance', 'tick', 'collect');
  expect(await collecting()).toEqual(sent);
  expect(await subscriber.charge()).toMatchObject({ status: 'due' });
  await world.resend();
  expect(await subscriber.charge()).toMatchObject({ status: 'confirming', txHash });
  await world.confirm();
  await world.play('advance', 'tick', 'collect', 'send', 'see', 'settle');
  expect(await subscriber.charge()).toMatchObject({ number: 1, status: 'succeeded' });
  expect(await subscriber.spent()).toBe(25_000_000n);
});

test('when the old transaction is lost for good, the period is charged under the new mandate', async () => {
  const subscriber = await openCharged();
  const { txHash } = await subscriber.charge();
  await world.drop(1);
  await world.spendNonce();
  await subscriber.revoke();
  await world.play('see', 'apply', 'settle');
  await subscriber.agree();
  await world.play('see', 'settle', 'send');
  await world.advance(2 * MINUTE_MS);
  const charge = await subscriber.charge();
  expect(charge).toMatchObject({ number: 1, status: 'succeeded' });
  expect(charge.txHash).not.toBe(txHash);
  expect(await subscriber.spent()).toBe(25_000_000n);
});

test('while the operator has sent unknown transactions, nothing is charged under a new mandate', async () => {
  const subscriber = await openSubscriber(world, trader, {}, { sign: false });
  await subscriber.revoke();
  await world.play('see', 'settle');
  await subscriber.sign();
  await world.authorize();
  expect(await subscriber.read()).toMatchObject({ mandateStatus: 'active' });
  const charge = async () => (await subscriber.charges())[0];
  await world.spendNonce(); // As before our database was restored from a backup.
  await world.play('advance', 'tick', 'collect');
  expect(await charge()).toMatchObject({ status: 'due', attempts: [] });
  await world.play('mine', 'mine', 'mine', 'see');
  await world.advance(2 * MINUTE_MS);
  expect(await charge()).toMatchObject({ status: 'succeeded' });
});

test('a charge whose bytes went to a collector that was replaced meanwhile is counted, and not charged again', async () => {
  const collector = await deployAnotherCollector();
  const subscriber = await openSubscriber(world, trader);
  await world.authorize();
  const before = await balanceOf(subscriber.account.address);
  await world.node.rpc('evm_setAutomine', [false]);
  await world.play('advance', 'tick', 'collect');
  await world.sendUnmined();
  const charge = async () => (await subscriber.charges())[0]!;
  expect(await charge()).toMatchObject({ number: 1, status: 'sending' });

  await world.stop();
  await world.start({ ...world.network, collector });
  await world.node.rpc('evm_setAutomine', [true]);
  await world.play('mine', 'see', 'settle', 'send');
  expect(await charge()).toMatchObject({ number: 1, status: 'confirming' });
  await world.confirm();
  await world.play('advance', 'tick', 'collect', 'send', 'see', 'settle');
  expect(await charge()).toMatchObject({ number: 1, status: 'succeeded' });
  expect(before - (await balanceOf(subscriber.account.address))).toBe(25_000_000n);
  const incidents = world.db().selectFrom('incidents').select('kind').where('resolved_at', 'is', null);
  expect(await incidents.execute()).toEqual([]);

  // The next period is charged by the new collector, once its customer has agreed to that.
  await world.advance(32 * DAY_MS);
  await world.play('advance', 'tick', 'collect');
  expect(await subscriber.read()).toMatchObject({ status: 'past_due', mandateStatus: 'pending' });
  const mandate = (await findCurrentMandates(world.db(), [subscriber.id])).get(subscriber.id)!;
  expect(mandate.collector).toBe(collector);
});

/** As `npx kasi contracts deploy` with another owner; it charges for the same operator. */
async function deployAnotherCollector(): Promise<string> {
  const reader = openReader(world.network.rpcUrl);
  const { operator } = await readCollector(reader, world.network.collector as Address);
  const owner = privateKeyToAccount(generatePrivateKey());
  const sender = createAccountSender(reader, owner, world.network.chainId);
  await world.node.rpc('anvil_setBalance', [owner.address, '0x56bc75e2d63100000']);
  const initCode = collectorInitCode({
    treasury: world.network.treasury as Address,
    owner: owner.address,
    operator: operator as Address,
  });
  await sender.send({ to: DETERMINISTIC_DEPLOYER, data: concat([zeroHash, initCode]), gas: 5_000_000n });
  return deterministicAddress(initCode).toLowerCase();
}
