import { beforeEach, expect } from 'vitest';
import { deriveAccounts, MNEMONIC } from '../../src/chains/evm/dev-accounts.ts';
import { operatorOf } from '../../src/chains/evm/operator-account.ts';
import { after } from '../../src/lib/clock.ts';
import { nextDue } from '../../src/relays/queries.ts';
import { type SendDeps, sendSigned } from '../../src/relays/send.ts';
import { serviceTest } from '../fixture.ts';
import type { TestMerchant, TestService } from '../harness.ts';
import { TEST_NETWORK } from '../support/payments.ts';
import { authorizationFor } from '../support/relays.ts';
import { customerWallet } from '../support/subscriptions.ts';

const test = serviceTest({ settings: { relayDailyMax: 1000 } });
/** The job looks at no more at once. */
const BATCH = 50;
const GWEI = 1_000_000_000n;
const network = { ...TEST_NETWORK, coin: 'ETH' };
const sweeper = operatorOf(deriveAccounts(MNEMONIC)(9));

/** What the next runs meet: the price of gas, and how a node answers to the trial of a wallet's transfer. */
let world = { gwei: 1n, trial: async (_payer: string): Promise<'passes' | 'balance'> => 'passes' };
let tried: string[] = [];
let logged: string[] = [];
beforeEach(() => {
  world = { gwei: 1n, trial: async () => 'passes' };
  [tried, logged] = [[], []];
});

/** One run of the job, with a node of which only the answers are made up. */
function run({ db, clock, service: { platform } }: TestService, networks: SendDeps['networks'] = [network]) {
  const { chains, settings } = platform;
  const node = {
    priceLimit: 500n * GWEI,
    readMarket: async () => ({ baseFee: world.gwei * GWEI, tip: 0n }),
    readCounts: async () => ({ mined: 0, pending: 0, head: 1 }),
  };
  const deps = {
    ...{ db, settings, networks, sweeper, livemode: true, reach: { isClosed: () => false } },
    chains: {
      ...chains,
      openOperatorNode: (asked: typeof network) =>
        asked.name === network.name ? node : { ...node, readMarket: () => new Promise(() => {}) },
      openSignedTransfers: (asked: typeof network) => ({
        ...chains.openSignedTransfers(asked),
        simulate: (_: unknown, { payer }: { payer: string }) => {
          tried.push(payer);
          return world.trial(payer);
        },
      }),
    },
    coinPrice: async () => 3000n * 10n ** 8n,
    log: (_: unknown, message: string) => void logged.push(message),
  } as unknown as SendDeps;
  return sendSigned(deps, { now: clock.now(), real: clock.real(), signal: new AbortController().signal });
}

/** A payment that a wallet has signed for; returns what became of it. */
async function sign(service: TestService, merchant: TestMerchant, wallet: number, amount = 15) {
  const payment = await merchant.client.payments.create({ amount, currency: 'USD' });
  const signed = await authorizationFor(service.client(), payment.id, customerWallet(wallet));
  await service.client().public.payments.authorize(payment.id, signed);
  const row = service.db.selectFrom('relays').selectAll().where('payment_id', '=', payment.id);
  return { id: payment.id, payer: signed.payer.toLowerCase(), read: () => row.executeTakeFirstOrThrow() };
}

const statusOf = async (relay: Awaited<ReturnType<typeof sign>>) => (await relay.read()).status;

test('what is too dear keeps nothing else waiting, and costs no node a trial', async ({ service, merchant }) => {
  world.gwei = 20n;
  const dear = await Promise.all(Array.from({ length: BATCH }, (_, i) => sign(service, merchant, 100 + i)));
  await run(service);
  const rich = await sign(service, merchant, 1, 2000);
  await run(service);
  expect([await statusOf(dear[0]!), await statusOf(rich), tried]).toEqual(['signed', 'sent', [rich.payer]]);
  expect(await nextDue(service.db)).toEqual(after(service.clock.now(), 60_000));
  world.gwei = 1n;
  service.clock.advance(60_000);
  await run(service);
  expect(await statusOf(dear[0]!)).toBe('sent');
});

test('a trial that a node does not answer keeps no other waiting, and is made again', async ({ service, merchant }) => {
  const odd = await sign(service, merchant, 2);
  const good = await sign(service, merchant, 3);
  world.trial = async (payer) => {
    if (payer === odd.payer) throw new Error('an answer that nobody knows');
    return 'passes';
  };
  await run(service);
  expect([await statusOf(odd), await statusOf(good)]).toEqual(['signed', 'sent']);
  expect(logged).toEqual([expect.stringContaining(odd.id)]);
  world.trial = async () => 'balance';
  service.clock.advance(10_000);
  await run(service);
  expect(await odd.read()).toMatchObject({ status: 'refused', reason: 'balance' });
});

test('a network whose node is silent keeps no other network waiting', async ({ service, merchant }) => {
  const stuck = await sign(service, merchant, 4);
  await service.db.updateTable('relays').set({ network: 'mute' }).where('payment_id', '=', stuck.id).execute();
  const good = await sign(service, merchant, 5);
  void run(service, [{ ...network, name: 'mute' }, network]);
  await expect.poll(() => statusOf(good)).toBe('sent');
  expect(await statusOf(stuck)).toBe('signed');
});
