import { expect, test } from 'vitest';
import { START, startService } from '../../harness.ts';
import { testKind } from '../kind-contract.ts';
import { createToyChain } from './chain.ts';
import { toy } from './kind.ts';

const ENTRY = { name: 'toynet', tokens: [{ symbol: 'USDT', contract: 'toy-dollar', decimals: 6 }] };

testKind(toy, async () => {
  const chain = createToyChain(toy.parseNetwork(ENTRY));
  return {
    ...{ network: { ...toy.parseNetwork(ENTRY), chain }, entry: ENTRY, operatorKey: null },
    spellings: ['toy:someone', 'TOY:SOMEONE'],
    wrong: ['', 'toy', 'toy:', '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'],
    ownerless: 'toy:nobody',
    pay: async (to, units) => chain.pay(to, units),
    mine: async (blocks) => chain.mine(blocks),
    rollBack: async (depth) => chain.rollBack(depth),
    close: async () => undefined,
  };
});

test('a service that is composed with another kind of chain takes a payment on it', async () => {
  const chain = createToyChain(toy.parseNetwork(ENTRY), () => START);
  const network = { ...toy.parseNetwork(ENTRY), chain };
  const service = await startService({ env: { KASI_ROLES: 'api,watcher' }, composed: { network, kinds: [toy] } });
  try {
    const { client } = await service.activeMerchant();
    const payment = await client.payments.create({ amount: 25, currency: 'USD' });
    const address = `TOY:${payment.id.toUpperCase()}`;
    expect(payment).toMatchObject({
      network: 'toynet',
      cryptoAddress: address,
      paymentUri: `${address}?units=25000000`,
    });
    expect(payment.options).toMatchObject([{ chainId: null, contract: 'toy-dollar', amount: '25.000000' }]);

    const reaches = (status: string) =>
      expect
        .poll(async () => {
          await service.runPaymentJobs();
          return (await client.payments.get(payment.id)).status;
        })
        .toBe(status);
    const hash = chain.pay(address.toLowerCase(), 25_000_000n);
    await reaches('confirming');
    chain.mine(1);
    await reaches('paid');
    const paid = await client.payments.get(payment.id);
    expect(paid).toMatchObject({ txHash: hash, amountReceived: 25, amountDue: 0 });
    expect(paid.transactions).toMatchObject([{ hash, network: 'toynet', token: 'USDT' }]);
    expect(await client.settlements.balance()).toMatchObject({ availableBalance: 25 });
  } finally {
    await service.close();
  }
});
