import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { inventTransfer, upTo } from '../../scripts/liars/lies.ts';
import { type LiarProxy, startLiar } from '../../scripts/liars/proxy.ts';
import { type SandboxService, startSandboxService, type Trader } from '../support/sandbox-service.ts';

let sandbox: SandboxService;
let trader: Trader;
let [first, second]: LiarProxy[] = [];

beforeAll(async () => {
  const nowhere = 'http://127.0.0.1:1';
  const [one, two] = [await startLiar(nowhere), await startLiar(nowhere)];
  [first, second] = [one, two];
  sandbox = await startSandboxService({
    network: (network) => {
      for (const liar of [one, two]) liar.turnTo(network.rpcUrl);
      // From a thousand dollars on: what is worth less shows what one endpoint can do alone.
      return { ...network, rpcUrl: one.url, otherRpcUrls: [two.url], secondOpinionFrom: 1_000 };
    },
  });
  trader = await sandbox.openTrader();
});
beforeEach(() => {
  first!.honest();
  second!.honest();
});
afterAll(async () => {
  await sandbox.close();
  await Promise.all([first!.close(), second!.close()]);
});

const mine = (blocks: number) => sandbox.node.rpc('anvil_mine', [blocks]);
const statusOf = async (id: string) => (await trader.client.payments.get(id)).status;
const incidents = (kind: string) =>
  sandbox.service().platform.db.selectFrom('incidents').selectAll().where('kind', '=', kind).orderBy('id').execute();

/** Has the first endpoint invent a transfer that pays `payment`, in one list of logs. */
function invent({ cryptoAddress, tokenAmountDue }: { cryptoAddress: string; tokenAmountDue: string }): void {
  const once = upTo(1);
  const [token] = sandbox.network.tokens;
  const units = BigInt(Math.round(Number(tokenAmountDue) * 1e6));
  first!.lie((call) => {
    const lie = inventTransfer(call, token!.contract, cryptoAddress, units);
    return lie !== undefined && once() ? lie : undefined;
  });
}

test('what one endpoint invents is not paid while the other does not show it, and is reversed when neither does', async () => {
  const payment = await trader.client.payments.create({ amount: 1_500, currency: 'USD' });
  const balance = await trader.client.settlements.balance();
  invent(payment);
  await mine(1);
  await trader.reaches(payment.id, 'confirming');
  await mine(3);
  await vi.waitFor(async () => expect(await incidents('payment.vanished')).toHaveLength(1), 60_000);
  await trader.reaches(payment.id, 'pending');
  expect(await trader.client.settlements.balance()).toEqual(balance);
  const types = await trader.eventTypes(payment.id, 3);
  expect(types).toEqual(['created', 'confirming', 'reverted']);
});

test('a payment waits while the second endpoint does not show it, with an incident, and is paid once it does', async () => {
  const payment = await trader.client.payments.create({ amount: 1_200, currency: 'USD' });
  // The second endpoint stands on another fork.
  second!.lie(({ method, params }) =>
    method === 'eth_getBlockByNumber' && /^0x[1-9a-f]/.test(String(params[0]))
      ? { change: (block) => block && { ...(block as object), hash: `0x${'ab'.repeat(32)}` } }
      : undefined,
  );
  await sandbox.transfer(payment, 'USDT', 1_200_000_000n);
  await mine(3);
  await vi.waitFor(async () => {
    const [incident] = (await incidents('chain.disagreement')).filter(({ resolved_at }) => resolved_at === null);
    expect(incident?.message).toContain(`${new URL(second!.url).host} has 0xabab`);
    expect(incident?.message).toContain(`${new URL(first!.url).host} shows it`);
  }, 60_000);
  expect(await statusOf(payment.id)).toBe('confirming');
  second!.honest();
  await trader.reaches(payment.id, 'paid');
  await vi.waitFor(async () => {
    expect((await incidents('chain.disagreement')).filter(({ resolved_at }) => resolved_at === null)).toEqual([]);
  }, 60_000);
});

/** Has the first endpoint invent a transfer that pays `payment`, beside a real one to `beside`; once. */
function inventBeside(
  beside: { cryptoAddress: string },
  { cryptoAddress, tokenAmountDue }: { cryptoAddress: string; tokenAmountDue: string },
): void {
  const once = upTo(1);
  const [token] = sandbox.network.tokens;
  const place = beside.cryptoAddress.slice(2).toLowerCase();
  first!.lie((call) => {
    const lie = inventTransfer(call, token!.contract, cryptoAddress, BigInt(Math.round(Number(tokenAmountDue) * 1e6)));
    if (lie === undefined || !('change' in lie)) return undefined;
    return { change: (logs) => (JSON.stringify(logs).includes(place) && once() ? lie.change(logs) : logs) };
  });
}

test('an invented transfer takes no real payment of its block with it', async () => {
  const real = await trader.client.payments.create({ amount: 1_300, currency: 'USD' });
  const fake = await trader.client.payments.create({ amount: 1_400, currency: 'USD' });
  const before = (await incidents('payment.vanished')).length;
  inventBeside(real, fake);
  await sandbox.transfer(real, 'USDT', 1_300_000_000n);
  await trader.reaches(fake.id, 'confirming');
  await mine(3);
  await vi.waitFor(async () => expect((await incidents('payment.vanished')).length).toBeGreaterThan(before), 60_000);
  await trader.reaches(fake.id, 'pending');
  await trader.reaches(real.id, 'paid');
  expect((await incidents('payment.vanished')).slice(before).map(({ subject }) => subject)).toEqual([fake.id]);
});

test('a payment outlives a while in which every endpoint shows another block, and the watcher saw none', async () => {
  const payment = await trader.client.payments.create({ amount: 1_250, currency: 'USD' });
  const before = (await incidents('payment.vanished')).length;
  const other = { change: (block: unknown) => block && { ...(block as object), hash: `0x${'ab'.repeat(32)}` } };
  const head = Number(await sandbox.node.rpc('eth_blockNumber', []));
  // Only of new blocks: what was paid before is looked at meanwhile.
  second!.lie(({ method, params }) =>
    method === 'eth_getBlockByNumber' && Number(params[0]) > head ? other : undefined,
  );
  await sandbox.transfer(payment, 'USDT', 1_250_000_000n);
  const height = await sandbox.node.rpc('eth_blockNumber', []);
  await mine(3);
  await vi.waitFor(async () => {
    const open = (await incidents('chain.disagreement')).filter(({ resolved_at }) => resolved_at === null);
    expect(open).toHaveLength(1);
  }, 60_000);
  first!.lie(({ method, params }) => (method === 'eth_getBlockByNumber' && params[0] === height ? other : undefined));
  await sleep(5_000);
  first!.honest();
  second!.honest();
  await trader.reaches(payment.id, 'paid');
  expect(await incidents('payment.vanished')).toHaveLength(before);
});

test('what was paid by an invented transfer is reversed when its block is final', async () => {
  const before = await trader.client.settlements.balance();
  const payment = await trader.client.payments.create({ amount: 20, currency: 'USD' });
  invent(payment);
  await mine(4);
  await trader.reaches(payment.id, 'paid');
  await mine(8);
  await vi.waitFor(async () => {
    expect((await incidents('payment.vanished')).map(({ subject }) => subject)).toContain(payment.id);
  }, 60_000);
  await vi.waitFor(async () => expect(await trader.client.settlements.balance()).toEqual(before), 60_000);
});
