import { sql } from 'kysely';
import { type Address, encodeFunctionData, type Hex } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { afterAll, beforeAll, expect } from 'vitest';
import { subscriptionCollector } from '../../generated/contracts.ts';
import { createAccountSender } from '../../src/chains/evm/account-sender.ts';
import { openReader } from '../../src/chains/evm/client.ts';
import { encodeCollectMany, type Mandate } from '../../src/chains/evm/collector.ts';
import { readCollector } from '../../src/chains/evm/collector-reader.ts';
import { after, SECOND_MS } from '../../src/lib/clock.ts';
import { toHex } from '../../src/sandbox/anvil.ts';
import { controlChain } from '../../src/sandbox/chain-control.ts';
import { sandboxOperatorKey } from '../../src/sandbox/network.ts';
import { untilScanned } from '../../src/sandbox/sync.ts';
import { onChain } from '../../src/subscriptions/mandates/mandate.ts';
import { findCurrentMandates } from '../../src/subscriptions/mandates/queries.ts';
import { send, walletOf } from '../support/evm.ts';
import {
  type SandboxOptions,
  type SandboxService,
  startSandboxService,
  type Trader,
} from '../support/sandbox-service.ts';
import { openSubscriber } from './renewal-fixture.ts';

/** The job behind each step; to settle is to apply events and then signals. */
const JOBS = {
  send: 'operator.send',
  apply: 'payments.apply',
  expire: 'payments.expire',
  settle: 'subscriptions.settle',
  signals: 'subscriptions.signals',
  relay: 'subscriptions.relay',
  advance: 'subscriptions.sweep',
  collect: 'subscriptions.collect',
  retry: 'subscriptions.parked',
  report: 'subscriptions.unconfirmed',
} as const;

type Step = keyof typeof JOBS | 'see' | 'mine' | 'tick';

export type Stepwise = Awaited<ReturnType<typeof startStepwise>>;

/**
 * The whole service without its scheduler: the test runs the jobs one by one, so that it can stop between any two of
 * them, as a killed process would.
 */
export async function startStepwise(options: SandboxOptions = {}) {
  const sandbox = await startSandboxService({ ...options, roles: 'api,watcher' });
  const { network } = sandbox;
  const operator = createAccountSender(
    openReader(network.rpcUrl),
    privateKeyToAccount(sandboxOperatorKey() as Hex),
    network.chainId,
  );
  const chain = controlChain(sandbox.node.url);
  const look = (step: keyof typeof JOBS) => runJob(sandbox, JOBS[step]);
  const run = async (step: Step): Promise<void> => {
    const { platform } = sandbox.service();
    if (step === 'mine') return chain.mine(1);
    if (step === 'tick') return chain.setTime(after(platform.clock.now(), SECOND_MS)).then(() => undefined);
    if (step === 'see') {
      expect(await untilScanned({ db: platform.db, network }, 5_000)).toBe(true);
      return;
    }
    await look(step);
    if (step === 'settle') await look('signals');
    if (step === 'send' && (await untilMined(sandbox))) await look(step); // The second run records where it was mined.
  };
  const play = async (...steps: Step[]): Promise<void> => {
    for (const step of steps) await run(step);
  };
  return {
    ...sandbox,
    play,
    /** Relays a signed mandate to the chain and applies its event. */
    authorize: () => play('relay', 'send', 'see', 'settle'),
    /** Orders and sends due charges, and applies the outcome. */
    charge: () => play('advance', 'tick', 'collect', 'send', 'see', 'settle'),
    /** Notices what a reorg dropped, sends it again, and applies the outcome. */
    resend: () => play('send', 'send', 'see', 'settle'),
    /** Mines and applies enough blocks to confirm a collection. */
    confirm: () => play('mine', 'mine', 'see', 'send', 'apply', 'settle'),
    /** Drops the newest blocks and their transactions. */
    drop: (depth: number) => chain.reorg(depth, false),
    /** Hands the node what is signed, and does not wait until it is mined. */
    sendUnmined: () => look('send'),
    db: () => sandbox.service().platform.db,
    /** Collects from a subscription's customer with the operator's key, unknown to the service. */
    collectUnseen: async (subscriptionId: string, number: number, amount: bigint): Promise<string> => {
      const mandate = (await findCurrentMandates(sandbox.service().platform.db, [subscriptionId])).get(subscriptionId);
      if (!mandate) throw new Error('there is no mandate');
      const data = encodeCollectMany([{ mandate: onChain(mandate) as Mandate, amount, number }]);
      return (await operator.send({ to: network.collector as Address, data, gas: 400_000n })).hash;
    },
    /** Spends one of the operator's nonces on an unrelated transaction. */
    spendNonce: async (): Promise<void> => {
      await operator.send({ to: operator.address as Address, data: '0x', gas: 21_000n });
    },
    /** Lets the collector's owner pause or unpause it. */
    pause: (stop: boolean) => pause(sandbox, stop),
    setRates: (rates: Readonly<Record<string, string>>) => setRates(sandbox, rates),
    advance: async (ms: number): Promise<void> => {
      await sandbox.client().sandbox.clock.advance({ seconds: ms / 1000 });
    },
  };
}

async function runJob({ service }: SandboxService, name: string): Promise<void> {
  const { platform, features } = service();
  const job = features.jobs.find((each) => each.name === name);
  if (!job) throw new Error(`there is no job ${name}`);
  await job.run({ now: platform.clock.now(), real: platform.clock.real(), signal: new AbortController().signal });
}

/** Lets charges that wait, such as deferred ones or those that a reorg took, become due. */
export const makeDue = async (world: Stepwise): Promise<void> => {
  const now = world.service().platform.clock.now();
  await world.db().updateTable('charges').set({ due_at: now }).where('status', '=', 'due').execute();
};

/** A stepwise service for a test file, usable in its tests, with a merchant and a chain long enough for reorgs. */
export function useStepwise(confirmations = 3): { readonly world: Stepwise; readonly trader: Trader } {
  const world = {} as Stepwise;
  const trader = {} as Trader;
  beforeAll(async () => {
    Object.assign(world, await startStepwise({ network: (network) => ({ ...network, confirmations }) }));
    Object.assign(trader, await world.openTrader());
    await trader.client.sandbox.chain.mine({ blocks: 8 });
  });
  afterAll(() => world.close());
  return { world, trader };
}

/** A subscriber with an active mandate, whose first charge is due. */
export async function openAuthorized(world: Stepwise, trader: Trader, plan: Parameters<typeof openSubscriber>[2] = {}) {
  const subscriber = await openSubscriber(world, trader, plan);
  await world.authorize();
  expect(await subscriber.read()).toMatchObject({ status: 'active', mandateStatus: 'active' });
  const charge = async () => (await subscriber.charges())[0]!;
  return { ...subscriber, charge };
}

/** A subscriber who has revoked so many mandates, each of which another one followed, and has agreed to the last. */
export async function openRevoker(world: Stepwise, trader: Trader, times: number) {
  const subscriber = await openSubscriber(world, trader, {}, { sign: false });
  for (let time = 0; time < times; time += 1) {
    await subscriber.revoke();
    await world.play('see', 'settle');
  }
  await subscriber.sign();
  await world.authorize();
  expect(await subscriber.read()).toMatchObject({ mandateStatus: 'active' });
  return subscriber;
}

/**
 * Waits until the node has mined everything it was sent, at a time of its own choosing, or other transactions with the
 * same nonces; true when any of it is ours and not recorded. The node counts a nonce a moment before it knows the
 * block and its receipts: a job that asks in between takes our own transaction for another one's until its next run.
 */
async function untilMined({ node, service }: SandboxService): Promise<boolean> {
  const sent = await service()
    .platform.db.selectFrom('operator_transactions')
    .innerJoin('operator_signatures', 'transaction_id', 'id')
    .select(['hash', 'address', 'nonce'])
    .where('status', '=', 'sent')
    .where('sent_at', 'is not', null)
    .execute();
  const mined: (string | undefined)[] = [];
  for (const { address, nonce } of sent) {
    const waits = { interval: 5, timeout: 60_000, message: `nonce ${nonce} of ${address} in a block` };
    const count = () => node.rpc<string>('eth_getTransactionCount', [address, 'latest']);
    await expect.poll(async () => BigInt(await count()), waits).toBeGreaterThan(nonce);
    const find = () => findMined(node, address, nonce);
    await expect.poll(find, waits).toBeDefined();
    mined.push(await find());
  }
  return sent.some(({ hash }) => mined.includes(hash));
}

/** The hash of the account's transaction with this nonce, if a block has it: most often one of the newest. */
async function findMined(node: SandboxService['node'], address: string, nonce: bigint): Promise<string | undefined> {
  type Block = { readonly transactions: readonly Record<'hash' | 'from' | 'nonce', string>[] };
  for (let height = Number(await node.rpc('eth_blockNumber')); height > 0; height -= 1) {
    const { transactions } = await node.rpc<Block>('eth_getBlockByNumber', [toHex(height), true]);
    const found = transactions.find((each) => each.from === address && BigInt(each.nonce) === nonce);
    if (found) return found.hash;
  }
  return undefined;
}

async function pause({ node, network }: SandboxService, stop: boolean): Promise<void> {
  const { owner } = await readCollector(openReader(network.rpcUrl), network.collector as Address);
  await node.rpc('anvil_impersonateAccount', [owner]);
  await node.rpc('anvil_setBalance', [owner, '0xde0b6b3a7640000']);
  const data = encodeFunctionData({ abi: subscriptionCollector.abi, functionName: stop ? 'pause' : 'unpause' });
  await send(walletOf(node, owner), { to: network.collector as Address, data });
}

/** Sets the price of a dollar in rupees. */
async function setRates({ service }: SandboxService, manualRates: Readonly<Record<string, string>>): Promise<void> {
  const { db, settings, clock } = service().platform;
  const overrides = JSON.stringify({ manualRates });
  await db
    .insertInto('platform_settings')
    .values({ id: 1, overrides, updated_at: clock.now() })
    .onConflict((conflict) => conflict.column('id').doUpdateSet({ overrides }))
    .execute();
  await sql`select pg_notify('kasi_settings', '')`.execute(db);
  await expect.poll(async () => (await settings.current()).manualRates).toEqual(manualRates);
}
