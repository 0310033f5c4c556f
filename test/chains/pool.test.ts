import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { WatcherDeps } from '../../src/chains/lease.ts';
import { createWatcher } from '../../src/chains/watcher.ts';
import { paymentMatcher } from '../../src/payments/observe.ts';
import { START, startService, type TestMerchant, type TestService } from '../harness.ts';
import { createToyChain } from './toy/chain.ts';
import { type ToyEndpoint, type ToyNetwork, toy } from './toy/kind.ts';

const NATIVE = { symbol: 'BTC', contract: 'btc', decimals: 8 } as const;
const ENTRY = { name: 'toynet', tokens: [], native: NATIVE, confirmations: 1, staleMs: 3 * 3_600_000 };
const MINUTE = 60_000;

let service: TestService;
let merchant: TestMerchant;
let network: ToyNetwork;
const endpoints: ToyEndpoint[] = ['first', 'second'].map((name) => ({ name, lacks: () => false, answers: true }));

beforeAll(async () => {
  let now = (): Date => START;
  const parsed = toy.parseNetwork(ENTRY);
  network = { ...parsed, chain: createToyChain(parsed, () => now()), endpoints };
  service = await startService({ composed: { networks: [network], kinds: [toy] } });
  now = service.clock.now;
  merchant = await service.activeMerchant();
});
afterAll(() => service.close());
beforeEach(() => {
  for (const endpoint of endpoints) Object.assign(endpoint, { lacks: () => false, answers: true });
});

/** A process that watches; `changes` make it another or a faulty one. */
function open(changes: Partial<WatcherDeps> = {}) {
  const watcher = createWatcher({
    ...{ db: service.db, network, reader: toy.openReader(network), matchers: [paymentMatcher] },
    confirmationsOn: async (each) => each.confirmations,
    ...{ now: service.clock.now, worker: 'one', log: () => undefined },
    ...changes,
  });
  return {
    ...watcher,
    look: async (): Promise<string> => {
      for (;;) {
        const result = await watcher.look();
        if (result !== 'behind') return result;
      }
    },
  };
}

async function ask() {
  const payment = await merchant.client.payments.create({ amount: 100, currency: 'USD', acceptedTokens: ['BTC'] });
  const [option] = payment.options;
  const pay = [option!.address.toLowerCase(), BigInt(Math.round(Number(option!.amount) * 1e8))] as const;
  return {
    pay,
    state: async (): Promise<string> => {
      await service.runPaymentJobs();
      const { status, amountReceived } = await merchant.client.payments.get(payment.id);
      return `${status} ${amountReceived}`;
    },
    events: async (): Promise<string> => {
      const rows = await service.db.selectFrom('events').select('type').where('resource_id', '=', payment.id);
      return (await rows.orderBy('sequence').execute()).map(({ type }) => type.replace('payment.', '')).join(' ');
    },
    rows: () =>
      service.db.selectFrom('credits').selectAll().where('payment_id', '=', payment.id).orderBy('id').execute(),
  };
}

const readTo = async (): Promise<number> =>
  (await service.db.selectFrom('chain_cursors').select('read_to').executeTakeFirstOrThrow()).read_to?.getTime() ?? 0;

test('what waits is seen at the next look, and confirmed by its block', async () => {
  const payment = await ask();
  const watcher = open();
  network.chain.submit([payment.pay]);
  expect([await watcher.look(), await payment.state()]).toEqual(['level', 'confirming 100']);
  expect(await readTo()).toBe(service.clock.now().getTime());
  network.chain.include();
  expect([await watcher.look(), await payment.state()]).toEqual(['level', 'paid 100']);
  expect(await payment.events()).toBe('created confirming completed');
  await watcher.release();
});

test('a look that dies before it is stored is made up for, by the same process and by another one', async () => {
  const [first, second] = [await ask(), await ask()];
  let dies = true;
  const observePool: typeof paymentMatcher.observePool = (...args) =>
    dies ? Promise.reject(new Error('the database went away')) : paymentMatcher.observePool!(...args);
  const watcher = open({ matchers: [{ ...paymentMatcher, observePool }] });
  network.chain.submit([first.pay]);
  await expect(watcher.look()).rejects.toThrow('went away');
  network.chain.submit([second.pay]);
  await expect(watcher.look()).rejects.toThrow('went away');
  dies = false;
  expect(await watcher.look()).toBe('level');
  expect([await first.state(), await second.state()]).toEqual(['confirming 100', 'confirming 100']);

  const other = open({ worker: 'two' });
  expect(await other.look()).toBe('following');
  await watcher.release();
  expect(await other.look()).toBe('level');
  expect([(await first.rows()).length, (await second.rows()).length]).toEqual([1, 1]);
  network.chain.include();
  await other.look();
  expect([await first.state(), await second.state()]).toEqual(['paid 100', 'paid 100']);
  await other.release();
});

test('nothing is gone that any endpoint has, and an empty pool is not believed at once', async () => {
  const payment = await ask();
  const watcher = open();
  network.chain.submit([payment.pay]);
  await watcher.look();
  for (const lacking of [endpoints.slice(0, 1), endpoints]) {
    for (const endpoint of lacking) endpoint.lacks = () => true;
    await watcher.look();
    service.clock.advance(11 * MINUTE);
    network.chain.mine(1);
    expect(await payment.state()).toBe('confirming 100');
    // Whoever does not answer says nothing, and the others' word goes on counting.
    if (lacking.length > 1) endpoints[1]!.answers = false;
    await watcher.look();
    expect(await payment.state()).toBe(lacking.length > 1 ? 'pending 0' : 'confirming 100');
  }
  network.chain.include();
  await watcher.look();
  expect(await payment.state()).toBe('paid 100');
  expect(await payment.events()).toBe('created confirming reverted confirming completed');
  await watcher.release();
});

test('what another endpoint alone shows counts, and so does what it knows to be replaced', async () => {
  const payment = await ask();
  const watcher = open();
  const coin = 'spent twice';
  network.chain.submit([payment.pay], coin);
  expect([await watcher.look(), await payment.state()]).toEqual(['level', 'confirming 100']);
  const elsewhere = network.chain.submit([['toy:elsewhere', 1n]], coin);
  endpoints[0]!.lacks = (txHash) => txHash === elsewhere.txHash;
  await watcher.look();
  expect(await payment.state()).toBe('pending 0');
  expect(await payment.rows()).toMatchObject([{ gone_because: 'replaced', replaced_by: elsewhere.txHash }]);
  await watcher.release();
});

test('nothing is gone, and not all is read, when a block came while the pool was read', async () => {
  const payment = await ask();
  const reader = toy.openReader({ ...network, endpoints: [] });
  const { chain } = network;
  let moment: (() => void) | undefined;
  const readPool: typeof reader.readPool = async (stored) => {
    moment?.();
    moment = undefined;
    return reader.readPool!(stored);
  };
  const watcher = open({ reader: { ...reader, readPool } });
  chain.submit([payment.pay]);
  await watcher.look();
  const before = await readTo();
  service.clock.advance(11 * MINUTE);
  chain.mine(1);
  moment = () => chain.include();
  await watcher.look();
  expect([await readTo(), await payment.state()]).toEqual([before, 'confirming 100']);
  await watcher.look();
  expect([await readTo(), await payment.state()]).toEqual([service.clock.now().getTime(), 'paid 100']);
  await watcher.release();
});

test('a reorg lets transfers wait again, and their money with them, until a block has them or nobody does', async () => {
  const [kept, lost] = [await ask(), await ask()];
  const available = async () => (await merchant.client.settlements.balance()).availableBalance;
  const watcher = open();
  const { chain } = network;
  const [first, second] = [chain.submit([kept.pay]), chain.submit([lost.pay], 'coin')];
  chain.include();
  await watcher.look();
  expect([await kept.state(), await lost.state()]).toEqual(['paid 100', 'paid 100']);
  const before = await available();

  chain.reorganise(1);
  await watcher.look();
  expect([await kept.state(), await lost.state()]).toEqual(['paid 100', 'paid 100']);
  expect(await available()).toBe(before - 200);
  chain.submit([['toy:elsewhere', 1n]], 'coin');
  chain.include([first]);
  await watcher.look();
  expect([await kept.state(), await lost.state()]).toEqual(['paid 100', 'paid 0']);
  expect(await available()).toBe(before - 100);
  expect([await kept.events(), await lost.events()]).toEqual([
    'created confirming completed reversed restored',
    'created confirming completed reversed',
  ]);
  expect(await lost.rows()).toMatchObject([{ tx_hash: second.txHash, canonical: false, gone_because: 'replaced' }]);
  await watcher.release();
});

test('an hour without a block is no trouble, and a network where nothing waits is looked at rarely', async () => {
  const watcher = open({ isIdle: async () => true });
  service.clock.advance(170 * MINUTE);
  expect(await watcher.look()).toBe('idle');
  service.clock.advance(11 * MINUTE);
  expect(await watcher.look()).toBe('stale');
});
