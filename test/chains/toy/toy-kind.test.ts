import { mkdtempSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, inject, test } from 'vitest';
import { evm } from '../../../src/chains/evm/kind.ts';
import { readNetworks } from '../../../src/network-file.ts';
import { START, startService } from '../../harness.ts';
import { TEST_NETWORK } from '../../support/payments.ts';
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
  const service = await startService({
    env: { KASI_ROLES: 'api,watcher' },
    composed: { networks: [network], kinds: [toy] },
  });
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
        // The network was idle, and is asked every second whether it still is.
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

test('a payment that offers networks of two kinds gets one deposit address of each', async () => {
  const network = toy.parseNetwork(ENTRY);
  const service = await startService({ composed: { networks: [TEST_NETWORK, network], kinds: [evm, toy] } });
  try {
    const { client } = await service.activeMerchant();
    const { id, options } = await client.payments.create({ amount: 25, currency: 'USD', acceptedTokens: ['USDT'] });
    const [first, second] = options;
    expect(options.map((option) => option.network)).toEqual(['devnet', 'toynet']);
    expect(second?.address).toBe(`TOY:${id.toUpperCase()}`);
    const rows = await service.db.selectFrom('deposit_addresses').select(['kind', 'address']).orderBy('kind').execute();
    expect(rows).toEqual([
      { kind: 'bitcoin', address: second?.address.toLowerCase() },
      { kind: 'evm', address: first?.address.toLowerCase() },
    ]);
  } finally {
    await service.close();
  }
});

test('an entry of KASI_NETWORKS is of the first kind unless it names another one', () => {
  const path = join(mkdtempSync(join(inject('runFolder'), 'networks-')), 'networks.json');
  const address = `0x${'ab'.repeat(20)}`;
  const evmEntry = {
    ...{ name: 'base', chainId: 8453, rpcUrl: 'https://base.example', confirmations: 12 },
    ...{ factory: address, treasury: address, tokens: [{ symbol: 'USDC', contract: address, decimals: 6 }] },
  };
  const read = (networks: readonly object[]) => {
    const problems: string[] = [];
    writeFileSync(path, JSON.stringify({ networks, rates: [] }));
    return { ...readNetworks(path, [evm, toy], problems), problems };
  };
  const { networks, problems } = read([evmEntry, { ...ENTRY, kind: 'bitcoin' }]);
  expect(problems).toEqual([]);
  expect(networks).toMatchObject([
    { kind: 'evm', name: 'base', pollMs: 3000, collector: null },
    { kind: 'bitcoin', name: 'toynet', chainId: null },
  ]);
  expect(read([{ ...ENTRY, kind: 'unheard-of' }]).problems).not.toEqual([]);
});
