import { readFileSync } from 'node:fs';
import { pino } from 'pino';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Client, createClient, type Payment } from '../../clients/typescript/src/index.ts';
import { createChains } from '../../src/chains/chains.ts';
import { MNEMONIC } from '../../src/chains/evm/dev-accounts.ts';
import { createFaucet } from '../../src/chains/evm/faucet.ts';
import { parseEvmNetwork } from '../../src/chains/evm/network.ts';
import { createPayoutCheck } from '../../src/chains/payout.ts';
import { compose, type Service } from '../../src/compose.ts';
import { parseConfig } from '../../src/config.ts';
import { inTransaction } from '../../src/db/transaction.ts';
import { type Infrastructure, prepareInfrastructure } from '../../src/infrastructure.ts';
import { KINDS } from '../../src/kinds.ts';
import { createClock } from '../../src/lib/clock.ts';
import { changeMerchantStatus } from '../../src/merchants/status-changes.ts';
import { reconcile } from '../../src/reconcile/reconcile.ts';
import { wakeSubscriptions } from '../../src/subscriptions/merchants.ts';
import { CHEAP_PASSWORDS } from '../harness.ts';
import { type Anvil, startAnvil } from '../support/anvil.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { LIVE_CHAIN_ID, type LiveEntry, liveEnv, prepareLiveEntry } from '../support/live.ts';
import { revokeKeysWith } from '../support/merchants-moved.ts';

const CONTRACT = new URL('../../generated/openapi.json', import.meta.url);
const USDC = 1_000_000n;
const TWO_HOURS_MS = 2 * 3600_000;

let node: Anvil;
let entry: LiveEntry;
let database: TestDatabase;
let aheadMs = 0;
const running: Running[] = [];

type Running = { readonly infrastructure: Infrastructure; readonly service: Service; readonly url: string };

beforeAll(async () => {
  [node, database] = await Promise.all([startAnvil({ chainId: LIVE_CHAIN_ID }), createTestDatabase()]);
  entry = await prepareLiveEntry(node.url);
});
afterAll(async () => {
  for (const each of [...running]) await stop(each);
  await Promise.all([node?.stop(), database?.drop()]);
});

/** A live process with every role, whose file calls the chain `name`. */
async function start(name: string): Promise<Running> {
  const config = parseConfig(liveEnv(database, [{ ...entry, name }]));
  const logger = pino({ level: 'silent' });
  const infrastructure = await prepareInfrastructure(config, logger);
  const clock = createClock(() => aheadMs);
  const world = { config, logger, ...infrastructure, clock, passwordCost: CHEAP_PASSWORDS };
  const service = await compose(world, JSON.parse(readFileSync(CONTRACT, 'utf8')) as object, null);
  const started = { infrastructure, service, url: await service.start() };
  running.push(started);
  return started;
}

/** What a start with other settings of the network would prepare. */
async function prepare(change: object): Promise<Infrastructure> {
  const config = parseConfig(liveEnv(database, [{ ...entry, ...change }]));
  const infrastructure = await prepareInfrastructure(config, pino({ level: 'silent' }));
  await infrastructure.stop();
  return infrastructure;
}

async function stop({ service, infrastructure }: Running): Promise<void> {
  const at = running.findIndex((each) => each.service === service);
  if (at >= 0) running.splice(at, 1);
  await service.stop();
  await infrastructure.stop();
}

async function openMerchant({ service, url }: Running): Promise<{ readonly token: string }> {
  const { merchant, token } = await createClient({ baseUrl: url }).auth.register({
    businessName: 'Ceylon Tea House',
    email: 'owner@example.com',
    password: 'Str0ng-enough',
    phone: '+94771234567',
    businessType: 'company',
  });
  const { platform } = service;
  const deps = {
    events: platform.events,
    forgetSessions: () => undefined,
    checkoutUrl: platform.checkoutUrl,
    revokeKeys: revokeKeysWith(platform),
    followStatus: wakeSubscriptions,
  };
  const now = new Date();
  await inTransaction(platform.db, (trx) =>
    changeMerchantStatus(trx, deps, merchant.id, { kind: 'approve' }, now, now),
  );
  return { token };
}

const mine = (blocks: number): Promise<unknown> => node.rpc('anvil_mine', [`0x${blocks.toString(16)}`]);

async function pay({ cryptoAddress }: Payment, usdc: bigint): Promise<string> {
  const network = parseEvmNetwork(entry);
  const token = network.tokens.find(({ symbol }) => symbol === 'USDC')!;
  return (await createFaucet(network, MNEMONIC).transfer({ token, to: cryptoAddress, units: usdc * USDC })).txHash;
}

async function until(read: () => Promise<unknown>, expected: unknown): Promise<void> {
  await expect.poll(read, { interval: 100 }).toEqual(expected);
}

test('a renamed network goes on where it was: nothing is credited twice, and nothing is lost', async () => {
  const before = await start('base');
  const { token } = await openMerchant(before);
  const client = (url: string): Client => createClient({ baseUrl: url, token });
  const create = (url: string, amount: number): Promise<Payment> =>
    client(url).payments.create({ amount, currency: 'USD', acceptedTokens: ['USDC'] });
  const [paid, open, unpaid] = [
    await create(before.url, 25),
    await create(before.url, 10),
    await create(before.url, 7),
  ];
  const statusAt = async (url: string, { id: payment }: Payment): Promise<string> =>
    (await client(url).payments.get(payment)).status;
  await pay(paid, 25n);
  await mine(2);
  await until(() => statusAt(before.url, paid), 'paid');
  await stop(before);

  // While nobody watches: more blocks than a new cursor would begin below the head.
  await pay(open, 10n);
  await mine(50);

  const after = await start('base-mainnet');
  await until(() => statusAt(after.url, open), 'paid');
  const { db } = after.service.platform;
  const count = async (): Promise<number> => (await db.selectFrom('credits').select('id').execute()).length;
  expect(await count()).toBe(2);
  const later = await create(after.url, 5);
  expect(new Set([open, later].flatMap(({ options }) => options?.map(({ network }) => network)))).toEqual(
    new Set(['base']),
  );

  // A rolling change: a process with either name watches.
  const beside = await start('base');
  await pay(later, 5n);
  await mine(2);
  await until(() => statusAt(beside.url, later), 'paid');
  expect(await count()).toBe(3);

  // What nobody paid expires under the new name, too.
  aheadMs = TWO_HOURS_MS;
  await node.rpc('evm_increaseTime', [TWO_HOURS_MS / 1000]);
  await mine(2);
  await until(() => statusAt(after.url, unpaid), 'expired');

  expect((await db.selectFrom('chain_cursors').select('network').execute()).map(({ network }) => network)).toEqual([
    'base',
  ]);
  expect((await reconcile(db)).findings).toEqual([]);
  expect(await client(after.url).settlements.balance()).toMatchObject({ availableBalance: 40 });
});

test('a withdrawal under the old name is still verified on its chain', async () => {
  const { networks } = await prepare({ name: 'base-mainnet' });
  const check = createPayoutCheck({
    networks,
    chains: createChains(KINDS, networks),
    confirmationsOn: async () => 1,
  });
  const claim = { network: 'base', txHash: `0x${'1'.repeat(64)}`, token: 'USDC', destination: entry['treasury'] };
  expect(
    await check({ ...claim, minMicro: 1n, notBefore: new Date(), senders: [] } as Parameters<typeof check>[0]),
  ).toMatchObject({ outcome: 'refused', reason: 'payout_not_found' });
});

test('what payments depend on stays listed: decimals of their token, factory of their address', async () => {
  const tokens = entry.tokens.map((token) => ({ ...token, decimals: 12 }));
  await expect(prepare({ tokens })).rejects.toThrow(
    /is USDC with 6 decimals in this database, where payments offer it/,
  );
  const factory = '0x2222222222222222222222222222222222222222';
  await expect(prepare({ factory })).rejects.toThrow(/no longer lists the factory 0x[0-9a-f]{40} of base/);
});
