import { resolve } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Client } from '../../clients/typescript/src/index.ts';
import { operationMeta } from '../../generated/operations.ts';
import type { OperationId } from '../../src/ports/operation.ts';
import { createTestAdmin } from '../support/admins.ts';
import { operationIds } from '../support/contract.ts';
import { type SandboxService, startSandboxService } from '../support/sandbox-service.ts';
import { TEA_CLUB } from '../support/subscriptions.ts';
import { WALLET } from '../support/withdrawals.ts';
import { blocks, readGuide } from './guide.ts';
import { LANGUAGES, type Language, missingFor, runProgram, SHELL, skipWithout } from './program.ts';
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
  const [register = '', create = '', read = '', pay = '', makeKey = '', ...rest] = commands;
  expect(rest).toEqual([]);

  const { token: TOKEN = '' } = await ask(register);
  const { sessionId: SESSION = '' } = await ask(create, { TOKEN });
  const { paymentId: PAYMENT = '' } = await ask(read, { TOKEN, SESSION });
  await ask(pay, { TOKEN, PAYMENT });
  const client = sandbox.client();
  await client.auth.login({ email: 'owner@teahouse.example', password: 'Str0ng-enough' });
  await expect
    .poll(async () => (await client.payments.get(PAYMENT)).status, { timeout: 15_000, interval: 100 })
    .toBe('paid');

  const { apiKey: KASI_API_KEY = '', apiSecret: KASI_API_SECRET = '' } = await ask(makeKey, { TOKEN });
  const [shop = ''] = blocks(guide, 'ts');
  const source = here(shop).replace('@kasi/client', resolve('clients/typescript/src/index.ts'));
  const [checkoutUrl] = await runProgram(LANGUAGES[0] as Language, source, { env: { KASI_API_KEY, KASI_API_SECRET } });
  expect(checkoutUrl).toMatch(/\/checkout\/session\/cs_\w+$/);
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
