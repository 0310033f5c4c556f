import { beforeEach, expect } from 'vitest';
import { deriveAccounts, MNEMONIC } from '../../src/chains/evm/dev-accounts.ts';
import { operatorOf } from '../../src/chains/evm/operator-account.ts';
import { listTransactions, type OperatorTransactionId } from '../../src/chains/operator/queries.ts';
import { inTransaction } from '../../src/db/transaction.ts';
import { after } from '../../src/lib/clock.ts';
import { GAS_AT_RISK_MAX } from '../../src/relays/limits.ts';
import { listDue, nextDue } from '../../src/relays/queries.ts';
import { followRelays, type SendDeps, sendSigned } from '../../src/relays/send.ts';
import { serviceTest } from '../fixture.ts';
import type { TestMerchant, TestService } from '../harness.ts';
import { TEST_NETWORK } from '../support/payments.ts';
import { authorizationFor } from '../support/relays.ts';
import { customerWallet } from '../support/subscriptions.ts';

const test = serviceTest({ settings: { relayDailyMax: 1000 } });
const GWEI = 1_000_000_000n;
const network = { ...TEST_NETWORK, coin: 'ETH' };
const BLOCK = `0x${'ab'.repeat(32)}`;
const sweeper = operatorOf(deriveAccounts(MNEMONIC)(9));

/** What the next runs meet: the price of gas, and how a node answers to the trial of a wallet's transfer. */
let world = { gwei: 1n, trial: async (_payer: string): Promise<'passes' | 'dear' | 'balance'> => 'passes' };
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
    countSeconded: async () => 0,
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

type Signed = Awaited<ReturnType<typeof sign>>;
const statusOf = async (relay: Signed) => (await relay.read()).status;

test('what takes more gas than it is given waits, and is sent once it takes less', async ({ service, merchant }) => {
  const relay = await sign(service, merchant, 90);
  world.trial = async () => 'dear';
  await run(service);
  expect(await relay.read()).toMatchObject({
    ...{ status: 'signed', sent_by: null, next_try_at: after(service.clock.now(), 60_000) },
  });
  world.trial = async () => 'passes';
  service.clock.advance(60_000);
  await run(service);
  expect(await statusOf(relay)).toBe('sent');
});

test('what is too dear keeps nothing else waiting, and costs no node a trial', async ({ service, merchant }) => {
  world.gwei = 20n;
  const dear = await Promise.all([100, 101, 102].map((wallet) => sign(service, merchant, wallet)));
  await run(service);
  const rich = await sign(service, merchant, 1, 2000);
  expect(await listDue(service.db, 'devnet', dear.length, service.clock.now())).toMatchObject([{ paymentId: rich.id }]);
  await run(service);
  expect([await statusOf(dear[0]!), await statusOf(rich), tried]).toEqual(['signed', 'sent', [rich.payer]]);
  expect(await nextDue(service.db)).toEqual(after(service.clock.now(), 60_000));
  world.gwei = 1n;
  service.clock.advance(60_000);
  await run(service);
  expect(await statusOf(dear[0]!)).toBe('sent');
});

test('what was signed before its merchant was frozen costs no trial and is not sent until the merchant is active again', async ({
  service,
}) => {
  const merchant = await service.activeMerchant();
  const relay = await sign(service, merchant, 91);
  await service.decide(merchant.id, { kind: 'freeze', reason: 'odd payments' });
  await run(service);
  expect([await statusOf(relay), tried]).toEqual(['signed', []]);
  // Frozen between the trial and the sending.
  await service.decide(merchant.id, { kind: 'unfreeze', reason: null });
  service.clock.advance(60_000);
  world.trial = async () => {
    await service.decide(merchant.id, { kind: 'freeze', reason: 'odd payments' });
    return 'passes';
  };
  await run(service);
  expect([await statusOf(relay), tried]).toEqual(['signed', [relay.payer]]);
  await service.decide(merchant.id, { kind: 'unfreeze', reason: null });
  world.trial = async () => 'passes';
  service.clock.advance(60_000);
  await run(service);
  expect(await statusOf(relay)).toBe('sent');
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

/** What a run has sent is in a block now, and went through or not. */
async function mine({ db, clock }: TestService, relay: Signed, succeeded: boolean) {
  const { sent_by } = await relay.read();
  const block = { status: 'mined', mined_attempt: 1, block_number: 1n, block_hash: BLOCK, succeeded, fee_wei: 1n };
  await inTransaction(db, async (trx) => {
    await trx.updateTable('operator_transactions').set(block).where('id', '=', sent_by).execute();
    await followRelays(trx, await listTransactions(trx, [sent_by as OperatorTransactionId]), clock.now());
  });
}

test('what a wallet signs is sent one after the other, and not after one that failed', async ({
  service,
  merchant,
}) => {
  const relays: Signed[] = [];
  for (let count = 0; count < 4; count += 1) {
    relays.push(await sign(service, merchant, 6));
    service.clock.advance(1);
  }
  const states = () => Promise.all(relays.map(statusOf));
  await run(service);
  expect([await states(), tried]).toEqual([['sent', 'signed', 'signed', 'signed'], [relays[0]!.payer]]);
  await mine(service, relays[0]!, true);
  service.clock.advance(4_000);
  await Promise.all([run(service), run(service)]);
  expect(await states()).toEqual(['sent', 'sent', 'signed', 'signed']);
  await mine(service, relays[1]!, false);
  service.clock.advance(4_000);
  await run(service);
  expect(await states()).toEqual(['sent', 'reverted', 'refused', 'refused']);
  expect(await relays[2]!.read()).toMatchObject({ reason: 'wallet' });
  await expect(sign(service, merchant, 6)).rejects.toMatchObject({
    ...{ status: 409, message: expect.stringContaining('24 hours') },
  });
  service.clock.advance(24 * 3_600_000);
  await expect(sign(service, merchant, 6)).resolves.toBeDefined();
});

test('a network on which a day’s gas is lost sends nothing more, and the metrics say so', async ({ service }) => {
  service.clock.advance(24 * 3_600_000);
  const merchant = await service.activeMerchant();
  const [spent, late] = [await sign(service, merchant, 7), await sign(service, merchant, 8)];
  world.trial = async (payer) => (payer === late.payer ? 'balance' : 'passes');
  await run(service);
  expect([await statusOf(spent), await statusOf(late)]).toEqual(['sent', 'refused']);
  await mine(service, spent, false);
  const gas = GAS_AT_RISK_MAX - 130_000n + 1n;
  const lose = async (lost: bigint) => {
    const row = service.db.updateTable('relays').where('payment_id', '=', spent.id);
    await row.set({ status: 'sent', gas: lost }).execute();
    await row.set({ status: 'reverted' }).execute();
  };
  await lose(gas);
  world.trial = async () => 'passes';
  const waiting = await sign(service, merchant, 9);
  await run(service);
  expect(await statusOf(waiting)).toBe('signed');
  const metrics = await service.metrics();
  expect(Number(/kasi_relay_budget_used\{network="devnet"\} (\S+)/.exec(metrics)?.[1])).toBeGreaterThan(0.98);
  await lose(gas - 1n);
  service.clock.advance(60_000);
  await run(service);
  expect(await statusOf(waiting)).toBe('sent');
});

test('signatures that bring nothing do not use up a shop’s day; what was sent does', async ({ service }) => {
  service.clock.advance(24 * 3_600_000);
  const merchant = await service.activeMerchant();
  await service.set({ relayDailyMax: 2 });
  world.trial = async () => 'balance';
  const poor = await Promise.all([20, 21, 22].map((wallet) => sign(service, merchant, wallet)));
  await run(service);
  expect(await Promise.all(poor.map(statusOf))).toEqual(['refused', 'refused', 'refused']);
  world.trial = async () => 'passes';
  const good = await Promise.all([23, 24, 25].map((wallet) => sign(service, merchant, wallet)));
  await run(service);
  expect((await Promise.all(good.map(statusOf))).toSorted()).toEqual(['sent', 'sent', 'signed']);
  await expect(sign(service, merchant, 26)).rejects.toMatchObject({ status: 409 });
});
