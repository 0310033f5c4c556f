import { afterAll, beforeAll, expect } from 'vitest';
import { operationMeta } from '../../generated/operations.ts';
import type { OperationId } from '../../src/ports/operation.ts';
import { sandboxTest } from '../sandbox-fixture.ts';
import { createTestAdmin, type TestAdmin } from '../support/admins.ts';
import { operationIds } from '../support/contract.ts';
import { DESTINATION, secretOf } from '../support/refunds.ts';
import type { SandboxService, Trader } from '../support/sandbox-service.ts';
import { TEA_CLUB } from '../support/subscriptions.ts';
import { WALLET } from '../support/withdrawals.ts';
import { fillPath } from './fill-sample.ts';
import { missingFor, SHELL } from './program.ts';
import { type ClientLabel, RUNNERS, runCurl, type SampleRunner } from './sample-runner.ts';

const test = sandboxTest({ bitcoin: true })
  .extend('key', { scope: 'file' }, ({ trader }) => trader.client.apiKeys.create({ name: 'Web shop' }))
  .extend('admin', { scope: 'file' }, ({ sandbox }) => {
    const { db, clock } = sandbox.service().platform;
    return createTestAdmin({ db, clock, url: sandbox.url(), fetch });
  });
const ids = operationIds.filter((id) => operationMeta[id].sandbox);
const labels = Object.keys(RUNNERS) as ClientLabel[];
const runners = new Map<ClientLabel, SampleRunner | { readonly missing: string }>();

beforeAll(async () => {
  for (const label of labels) runners.set(label, await RUNNERS[label]());
});
afterAll(() => {
  for (const runner of runners.values()) if ('stop' in runner) runner.stop();
});

type Stage = { readonly trader: Trader; readonly sandbox: SandboxService; readonly admin: TestAdmin };

const payment = async ({ client }: Trader, token: 'USDT' | 'BTC') =>
  (await client.payments.create({ amount: 25, currency: 'USD', acceptedTokens: [token] })).id;

async function paid({ trader }: Stage): Promise<string> {
  const id = await payment(trader, 'USDT');
  await trader.client.sandbox.payments.pay(id);
  await trader.reaches(id, 'paid');
  return id;
}

const subscription = async ({ client }: Trader, authorize: boolean): Promise<string> => {
  const { id } = await client.plans.create({ ...TEA_CLUB, trialDays: 30 });
  return (await client.sandbox.plans.subscribe(id, { authorize })).subscription.id;
};

/** What there has to be before each sample, and its id. The others need nothing. */
const PREPARE: Partial<Record<OperationId, (stage: Stage) => Promise<string>>> = {
  reorgSandboxChain: async ({ trader }) => {
    await trader.client.sandbox.chain.mine({ blocks: 3 });
    return '';
  },
  updateSandboxWallet: async ({ trader }) => (await trader.client.sandbox.wallets.create()).address,
  paySandboxPayment: ({ trader }) => payment(trader, 'USDT'),
  replaceSandboxTransfer: async ({ trader }) => {
    const id = await payment(trader, 'BTC');
    await trader.client.sandbox.payments.pay(id, { confirm: false });
    return id;
  },
  paySandboxRefund: async (stage) => {
    const made = await stage.trader.client.refunds.create(await paid(stage), { amount: 5, reason: 'Sold out.' });
    await stage.sandbox.client().public.refunds.claim(secretOf(made), { destinationAddress: DESTINATION });
    return made.id;
  },
  paySandboxWithdrawal: async (stage) => {
    await paid(stage);
    const { id } = await stage.trader.client.withdrawals.create({
      ...{ amount: 10, method: 'crypto', destinationAddress: WALLET },
    });
    await stage.admin.client.withdrawals.approve(id, {});
    return id;
  },
  subscribeSandboxCustomer: async ({ trader }) => (await trader.client.plans.create(TEA_CLUB)).id,
  authorizeSandboxSubscription: ({ trader }) => subscription(trader, false),
  revokeSandboxMandate: ({ trader }) => subscription(trader, true),
};

test.for(ids)('the samples of %s work', async (id, { sandbox, trader, admin, key, skip }) => {
  const token = trader.client.tokens()?.token ?? '';
  const env = { KASI_TOKEN: token, KASI_API_KEY: key.apiKey, KASI_API_SECRET: key.apiSecret };
  /** The sample with the ids of what it is about, made anew for each. */
  const prepare = async (label: string): Promise<string> => {
    const subject = await PREPARE[id]?.({ trader, sandbox, admin });
    const path = operationMeta[id].path.replace(/\{\w+\}/, subject ?? '');
    return fillPath(id, label, sandbox.url(), path);
  };
  const lacking = missingFor(SHELL);
  if (lacking.length === 0) {
    expect(await runCurl(await prepare('curl'), env)).toBe(`${operationMeta[id].successStatus[0]}`);
  }
  for (const [label, runner] of runners) {
    if ('missing' in runner) lacking.push(runner.missing);
    else await runner.run(id, await prepare(label), env);
  }
  if (lacking.length > 0) skip(`in part: ${lacking.join(', ')}`);
});
