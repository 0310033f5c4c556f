import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { parseEther } from 'viem';
import { generatePrivateKey, privateKeyToAccount, privateKeyToAddress } from 'viem/accounts';
import { afterAll, beforeAll, expect, inject, test, vi } from 'vitest';
import { type AdminClient, createAdminClient } from '../../clients/typescript/src/admin.ts';
import { type Client, createClient } from '../../clients/typescript/src/index.ts';
import { type ServiceProcess, startServiceProcess } from '../../scripts/lib/service-process.ts';
import { MNEMONIC } from '../../src/chains/evm/dev-accounts.ts';
import { createFaucet, type Faucet } from '../../src/chains/evm/faucet.ts';
import { TEST_USDC_AUTHORIZATION } from '../../src/chains/evm/test-contracts.ts';
import { findFreePort } from '../../src/db/daemon.ts';
import { type Anvil, startAnvil } from '../support/anvil.ts';
import { connectOwner, createTestDatabase, type TestDatabase } from '../support/database.ts';
import { createInjectedWallet } from '../support/injected-wallet.ts';
import { LIVE_CHAIN_ID, liveEnv, prepareLiveEntry } from '../support/live.ts';
import { LOCALHOST } from '../support/localhost-certificate.ts';
import { startMailServer, type TestMailServer } from '../support/mail-server.ts';
import { PHONE, usePayers, violations, waitForHeading } from '../support/payers.ts';
import { makeTestFolder } from '../support/run-folder.ts';
import { codeAt } from '../support/totp.ts';

/*
 * A live process from its first start to the receipt: nothing here uses the sandbox's routes, clock or wallets. The
 * node has the chain id of Base, the mail server wants STARTTLS, and the administrator a second factor.
 */

const ADMIN = { email: 'asha@pay.example', password: 'Long-enough-4-live' };
const OWNER = { email: 'owner@teahouse.example', password: 'Str0ng-enough' };
const BUSINESS = { businessName: 'Tea House', phone: '+94771234567', businessType: 'company' } as const;
const NO_SANDBOX = /sandbox|play money|test wallet/i;

let node: Anvil;
let database: TestDatabase;
let mails: TestMailServer;
let service: ServiceProcess;
let faucet: Faucet;
let admin: AdminClient;
/** Codes that work once each, beside those of the app, of which one is valid at a time. */
let codes: readonly string[];
let merchant: Client;

beforeAll(async () => {
  [node, database, mails] = await Promise.all([
    startAnvil({ chainId: LIVE_CHAIN_ID }),
    createTestDatabase(),
    startMailServer({ ...LOCALHOST, disabledCommands: [] }),
  ]);
  const entry = await prepareLiveEntry(node.url);
  const [usdt, usdc] = entry.tokens;
  // The price of gas on a node that has just begun is above what Base ever asks.
  const network = {
    ...entry,
    gasPriceMaxGwei: 500,
    tokens: [usdt!, { ...usdc!, authorization: TEST_USDC_AUTHORIZATION }],
  };
  faucet = createFaucet({ ...network, kind: 'evm', rpcUrl: node.url, chainId: LIVE_CHAIN_ID } as never, MNEMONIC);
  const sweepKey = generatePrivateKey();
  await node.rpc('anvil_setBalance', [privateKeyToAddress(sweepKey), `0x${parseEther('1').toString(16)}`]);
  // A block a second, whether anything is in it or not.
  await node.rpc('evm_setIntervalMining', [1]);
  service = await startLive([network], sweepKey);
  admin = await enterAsAdmin();
  merchant = await openShop();
});
afterAll(async () => {
  await service?.stop();
  await Promise.all([node?.stop(), mails?.close(), database?.drop()]);
});

const payers = usePayers();

async function startLive(networks: readonly object[], sweepKey: string): Promise<ServiceProcess> {
  const folder = makeTestFolder(inject('runFolder'));
  const authority = join(folder, 'authority.pem');
  writeFileSync(authority, LOCALHOST.cert);
  const port = await findFreePort();
  const env = liveEnv(database, networks, {
    ...{ SWEEP_KEY: sweepKey, ADMIN_EMAIL: ADMIN.email, ADMIN_PASSWORD: ADMIN.password },
    ...{ SMTP_URL: mails.url, MAIL_FROM: 'Tea <receipts@pay.example>', NODE_EXTRA_CA_CERTS: authority },
    PORT: String(port),
  });
  const started = await startServiceProcess({ dataDir: folder, port, env });
  await started.ready();
  // The first administrator is made once it serves.
  await vi.waitUntil(() => started.printed().includes(ADMIN.email), { timeout: 60_000 });
  return started;
}

/** The first administrator, who has set up a second factor, without which nothing that moves money works. */
async function enterAsAdmin(): Promise<AdminClient> {
  const client = createAdminClient({ baseUrl: service.url });
  await client.auth.login(ADMIN);
  const { secret } = await client.auth.twoFactor.setUp({ password: ADMIN.password });
  const { recoveryCodes } = await client.auth.twoFactor.enable({ otp: codeAt(secret, new Date()) });
  codes = recoveryCodes;
  await client.auth.login({ ...ADMIN, otp: codes[0] ?? '' });
  return client;
}

async function openShop(): Promise<Client> {
  const client = createClient({ baseUrl: service.url });
  const registered = await client.auth.register({ ...OWNER, ...BUSINESS });
  await admin.merchants.approve(registered.merchant.id);
  await client.auth.login(OWNER);
  return client;
}

/** A payer on the network of Base, who has both tokens, and ether if `wei` is not 0. */
async function openPayer(wei = parseEther('1')) {
  const { privateKey, address } = await faucet.createWallet();
  await node.rpc('anvil_setBalance', [address, `0x${wei.toString(16)}`]);
  const account = privateKeyToAccount(privateKey as `0x${string}`);
  return createInjectedWallet({ rpcUrl: node.url, account, name: 'Fox', chainId: LIVE_CHAIN_ID });
}

/** What the job stores once two sources on the internet agree; no test asks those. */
async function quoteEther(dollars: string): Promise<void> {
  const owner = await connectOwner(database);
  const insert = `insert into rates (base, quote, value_e8, source, quoted_at)
    values ('ETH', 'USD', $1::numeric * 100000000, 'test', now())`;
  await owner.query(insert, [dollars]).finally(() => owner.end());
}

async function shoot(page: Page, name: string): Promise<void> {
  const folder = process.env['SHOTS'];
  if (folder) await page.screenshot({ path: `${folder}/live-${name}.png`, fullPage: true });
}

const wordsOf = async (page: Page): Promise<string> => (await page.locator('body').textContent()) ?? '';

test('a payer pays by a wallet on a phone, and gets a receipt on a page and by mail', async () => {
  const { id } = await merchant.payments.create({
    ...{ amount: 25, currency: 'USD', customerEmail: 'nimal@example.org', description: 'Tea workshop' },
  });
  const page = await payers.open(`${service.url}/checkout/payment/${id}`, PHONE, [await openPayer()]);
  await page.getByRole('button', { name: 'Pay with Fox' }).waitFor();
  expect(await wordsOf(page)).toContain('Base');
  expect(await wordsOf(page)).not.toMatch(NO_SANDBOX);
  await shoot(page, 'payment');
  expect(await violations(page)).toEqual([]);
  await page.getByRole('button', { name: 'Pay with Fox' }).click();
  await waitForHeading(page, 'Payment complete');
  expect(await merchant.payments.get(id)).toMatchObject({ status: 'paid', amountReceived: 25 });
  const receipt = await payers.open(`${service.url}/checkout/receipt/${id}`, PHONE);
  await shoot(receipt, 'receipt');
  expect(await receipt.locator('a[href^="https://basescan.org/tx/0x"]').count()).toBe(1);
  expect(await wordsOf(receipt)).not.toMatch(NO_SANDBOX);
  await expect.poll(() => mails.to('nimal@example.org').length).toBe(1);
  expect(mails.to('nimal@example.org')[0]?.email.text).toContain('https://pay.example/checkout/receipt/');
});

test('a payer without ether signs, once an administrator has turned that on and gas has a price', async () => {
  const { id } = await merchant.payments.create({ amount: 25, currency: 'USD', acceptedTokens: ['USDC'] });
  const url = `${service.url}/checkout/payment/${id}`;
  const choice = { network: 'base', token: 'USDC', payer: privateKeyToAddress(generatePrivateKey()) } as const;
  const read = () => merchant.public.payments.signedTransfer(id, choice);
  await expect(read()).rejects.toMatchObject({ code: 'CONFLICT', message: expect.stringMatching(/are not taken/) });
  const { version } = await admin.settings.get();
  await admin.settings.update({ version, relayMinAmount: '5.00', otp: codes[1] ?? '' });
  // Nothing would be sent, so nobody is asked to sign in vain.
  // Settings may be a second old.
  await vi.waitFor(async () => {
    await expect(read()).rejects.toMatchObject({ code: 'CONFLICT', message: expect.stringMatching(/is not known/) });
  }, 60_000);
  const unasked = await openPayer(0n);
  const before = await payers.open(url, PHONE, [unasked]);
  await before.getByRole('button', { name: 'Pay with Fox' }).click();
  await before.getByRole('alert').waitFor();
  expect(unasked.asked).not.toContain('eth_signTypedData_v4');

  await quoteEther('3000');
  const wallet = await openPayer(0n);
  const page = await payers.open(url, PHONE, [wallet]);
  await page.getByRole('button', { name: 'Pay with Fox' }).click();
  await waitForHeading(page, 'Payment complete').finally(() => shoot(page, 'signed'));
  expect(wallet.asked).toContain('eth_signTypedData_v4');
  expect(await merchant.payments.get(id)).toMatchObject({ status: 'paid', transactions: [{ token: 'USDC' }] });
});

test('a link sells, and nothing of the sandbox answers', async () => {
  const { url } = await merchant.paymentLinks.create({ title: 'Spring workshop', amount: 12, currency: 'USD' });
  const page = await payers.open(url.replace('https://pay.example', service.url), PHONE, [await openPayer()]);
  await shoot(page, 'link');
  expect(await wordsOf(page)).not.toMatch(NO_SANDBOX);
  await page.getByRole('button', { name: /continue|pay/i }).click();
  await page.getByRole('button', { name: 'Pay with Fox' }).click();
  await waitForHeading(page, 'Payment complete');
  await expect(merchant.sandbox.get()).rejects.toMatchObject({ code: 'NOT_FOUND' });
});
