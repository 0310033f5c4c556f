import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Client, createClient } from '../../clients/typescript/src/index.ts';
import { operationMeta } from '../../generated/operations.ts';
import type { OperationId } from '../../src/ports/operation.ts';
import { PASSWORD } from '../harness.ts';
import { createTestAdmin } from '../support/admins.ts';
import { operationIds } from '../support/contract.ts';
import { type SandboxService, startSandboxService } from '../support/sandbox-service.ts';
import { TEA_CLUB } from '../support/subscriptions.ts';
import { WALLET } from '../support/withdrawals.ts';
import { blocks, readGuide } from './guide.ts';
import { missingFor, runProgram, SHELL, skipWithout } from './program.ts';
import { sampleOf } from './samples.ts';

const missing = missingFor(SHELL);
const guide = readGuide('getting-started');
let sandbox: SandboxService;

beforeAll(async () => {
  sandbox = await startSandboxService({ bitcoin: true });
});
afterAll(() => sandbox.close());

const here = (text: string): string => text.replaceAll('http://localhost:3000', sandbox.url());

async function ask(text: string, env: Readonly<Record<string, string>> = {}): Promise<Record<string, string>> {
  const answer = JSON.parse((await runProgram(SHELL, here(text), { env })).join('\n'));
  expect(answer).not.toHaveProperty('error');
  return answer;
}

test('following the guide line by line leads to a paid payment, and a server that creates payments', async ({
  skip,
}) => {
  skipWithout(missing, skip);
  const commands = blocks(guide, 'sh').flatMap((block) => block.split(/^(?=curl )/m));
  const [register = '', create = '', pay = '', makeKey = '', logIn = '', approve = '', ...rest] = commands;
  expect(rest).toEqual([]);

  const { token: TOKEN = '' } = await ask(register);
  const { paymentId: PAYMENT = '' } = await ask(create, { TOKEN });
  await ask(pay, { TOKEN, PAYMENT });
  const client = sandbox.client();
  const { merchant } = await client.auth.login({ email: 'owner@teahouse.example', password: 'Str0ng-enough' });
  await expect
    .poll(async () => (await client.payments.get(PAYMENT)).status, { timeout: 60_000, interval: 100 })
    .toBe('paid');

  const { apiKey: KASI_API_KEY = '', apiSecret: KASI_API_SECRET = '' } = await ask(makeKey, { TOKEN });
  const shop = createClient({ baseUrl: sandbox.url(), apiKey: KASI_API_KEY, apiSecret: KASI_API_SECRET });
  const giveBack = () => shop.refunds.create(PAYMENT, { amount: 'all', reason: 'Sold out.' });
  await expect(giveBack()).rejects.toMatchObject({ reason: 'merchant_not_active' });
  const { email } = await createTestAdmin({ ...sandbox.service().platform, url: sandbox.url(), fetch });
  const { token: ADMIN = '' } = await ask(logIn.replace('admin@kasi.example', email), { PASSWORD });
  await ask(approve, { ADMIN, MERCHANT: merchant.id });
  expect(await giveBack()).toMatchObject({ status: 'awaiting_claim' });
});

/** A withdrawal of the merchant, approved by an administrator. */
async function approvedBy(merchant: Client): Promise<string> {
  const { db, clock } = sandbox.service().platform;
  const admin = await createTestAdmin({ db, clock, url: sandbox.url(), fetch });
  const payment = await merchant.payments.create({ amount: 100, currency: 'USD' });
  await merchant.sandbox.payments.pay(payment.id);
  const { id } = await merchant.withdrawals.create({ amount: 50, method: 'crypto', destinationAddress: WALLET });
  await admin.client.withdrawals.approve(id);
  return id;
}

/** A refund whose destination is known. */
async function refundedBy(merchant: Client): Promise<string> {
  const { id } = await merchant.payments.create({ amount: 100, currency: 'USD' });
  await merchant.sandbox.payments.pay(id);
  const asked = { amount: 50, reason: 'Sold out.', destinationAddress: WALLET };
  return (await merchant.refunds.create(id, asked)).id;
}

/** A payment with a transfer that waits in the pool. */
async function waitingIn(merchant: Client): Promise<string> {
  const { id } = await merchant.payments.create({ amount: 25, currency: 'USD' });
  await merchant.sandbox.payments.pay(id, { token: 'BTC', confirm: false });
  return id;
}

/** A subscriber to a plan of the merchant, authorised or not. */
async function subscriberOf(merchant: Client, authorize: boolean): Promise<string> {
  const { id } = await merchant.plans.create(TEA_CLUB);
  return (await merchant.sandbox.plans.subscribe(id, { authorize })).subscription.id;
}

/** The id in a sample that must exist first, and how it is created. */
const NEEDED: Partial<Record<OperationId, readonly [RegExp, (merchant: Client) => Promise<string>]>> = {
  paySandboxPayment: [
    /pay_\w+/,
    async (merchant) => (await merchant.payments.create({ amount: 25, currency: 'USD' })).id,
  ],
  replaceSandboxTransfer: [/pay_\w+/, waitingIn],
  paySandboxWithdrawal: [/wd_\w+/, approvedBy],
  paySandboxRefund: [/rfd_\w+/, refundedBy],
  updateSandboxWallet: [/0x\w{40}/, async (merchant) => (await merchant.sandbox.wallets.create()).address],
  subscribeSandboxCustomer: [/plan_\w+/, async (merchant) => (await merchant.plans.create(TEA_CLUB)).id],
  authorizeSandboxSubscription: [/sub_\w+/, (merchant) => subscriberOf(merchant, false)],
  revokeSandboxMandate: [/sub_\w+/, (merchant) => subscriberOf(merchant, true)],
};

test.for(operationIds.filter((id) => operationMeta[id].sandbox))(
  'the curl sample of %s works',
  async (id, { skip }) => {
    skipWithout(missing, skip);
    const { client } = await sandbox.openTrader();
    const [pattern, make] = NEEDED[id] ?? [];
    const shown = here(sampleOf(id, 'curl'));
    const source = pattern && make ? shown.replace(pattern, await make(client)) : shown;
    const lines = await runProgram(SHELL, source, {
      env: { KASI_TOKEN: client.tokens()?.token ?? '', CURL_HOME: '.' },
      files: { '.curlrc': 'silent\nwrite-out = "\\n%{http_code}"' },
    });
    expect(lines.at(-1), lines.join('\n')).toBe(`${operationMeta[id].successStatus[0]}`);
  },
);
