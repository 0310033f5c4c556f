import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Client, createClient } from '../../clients/typescript/src/index.ts';
import { endLeases } from '../../scripts/crash/payments/run.ts';
import type { ServiceProcess } from '../../scripts/lib/service-process.ts';
import { type SandboxService, startSandboxService, type Trader } from '../support/sandbox-service.ts';
import { startAnother } from '../support/second-process.ts';
import { codeAt, wrongCodeAt } from '../support/totp.ts';

const PASSWORD = 'Str0ng-enough';

let sandbox: SandboxService;
let trader: Trader;
let second: ServiceProcess;

beforeAll(async () => {
  sandbox = await startSandboxService();
  trader = await sandbox.openTrader();
  second = await startAnother(sandbox);
});
afterAll(async () => {
  await second.kill();
  await sandbox.close();
});

test('two processes together allow a rate limit plus at most a lease each', async () => {
  // In the sandbox 600 reads of a payment a minute, which is ten a second, in leases of 60.
  const { id } = await trader.client.payments.create({ amount: 9, currency: 'USD' });
  const start = performance.now();
  const read = async (base: string): Promise<number> => {
    const answer = await fetch(`${base}/v1/public/payments/${id}`);
    await answer.arrayBuffer();
    return answer.status;
  };
  const readUntilRefused = async (base: string): Promise<number> => {
    for (let allowed = 0; ; allowed += 1) if ((await read(base)) === 429) return allowed;
  };
  const bases = [sandbox.url(), second.url];
  const counts = await Promise.all(bases.flatMap((base) => Array.from({ length: 4 }, () => readUntilRefused(base))));
  const allowed = counts.reduce((sum, count) => sum + count, 0);
  const cameBack = (performance.now() - start) / 100;
  expect(allowed).toBeGreaterThanOrEqual(600);
  expect(allowed).toBeLessThanOrEqual(600 + cameBack + 2 * 60);
});

test('of concurrent logins with one code at two processes one succeeds, and of guesses at both five are judged', async () => {
  const client = sandbox.client();
  const email = 'careful@example.com';
  const shop = { businessName: 'Tea', phone: '+94771234567', businessType: 'company' } as const;
  await client.auth.register({ ...shop, email, password: PASSWORD });
  const { secret } = await client.auth.twoFactor.setUp({ password: PASSWORD });
  const { recoveryCodes } = await client.auth.twoFactor.enable({ otp: codeAt(secret, new Date()) });
  const enter = async (otp: string, base: string): Promise<number> => {
    const body = JSON.stringify({ email, password: PASSWORD, otp });
    const headers = { 'content-type': 'application/json' };
    const answer = await fetch(`${base}/v1/auth/login`, { method: 'POST', headers, body });
    await answer.arrayBuffer();
    return answer.status;
  };
  const crowd = (otp: string, size: number) =>
    Promise.all(Array.from({ length: size }, (_, index) => enter(otp, index % 2 === 0 ? sandbox.url() : second.url)));
  const [once, ...others] = recoveryCodes;
  for (const otp of [codeAt(secret, new Date(Date.now() + 30_000)), once as string]) {
    expect((await crowd(otp, 4)).sort()).toEqual([200, 401, 401, 401]);
    // Late attempts counted as wrong guesses; a successful login resets them.
    expect(await enter(others.shift() as string, second.url)).toBe(200);
  }
  const start = performance.now();
  const answers = await crowd(wrongCodeAt(secret, new Date()), 10);
  const seconds = Math.floor((performance.now() - start) / 1000);
  expect(new Set(answers)).toEqual(new Set([401, 429]));
  const heard = answers.filter((status) => status === 401).length;
  expect(heard).toBeGreaterThanOrEqual(5);
  expect(heard).toBeLessThanOrEqual(5 + seconds);
});

test('two processes share the work: each payment is applied once, each webhook arrives, and one may die', async () => {
  const there = createClient({ baseUrl: second.url, token: trader.client.tokens()?.token });
  const buy = async (client: Client, dollars: number): Promise<string> => {
    const payment = await client.payments.create({ amount: dollars, currency: 'USD' });
    const half = BigInt(dollars) * 500_000n;
    await Promise.all([sandbox.transfer(payment, 'USDT', half), sandbox.transfer(payment, 'USDC', half)]);
    return payment.id;
  };
  const dollars = [10, 11, 12, 13, 14, 15, 16, 17];
  const both = await Promise.all(dollars.map((amount, index) => buy(index % 2 === 0 ? trader.client : there, amount)));
  const [alone] = await Promise.all([
    Promise.all(dollars.map((amount) => buy(trader.client, amount))),
    sleep(300).then(second.kill),
  ]);
  for (const id of [...both, ...alone]) {
    expect(await trader.reaches(id, 'paid')).toMatchObject({ exception: null, amountDue: 0 });
  }
  await endLeases(sandbox.service().platform.db);
  for (const id of [...both, ...alone]) await trader.shop.expect('payment.completed', id);
  const completed = trader.shop.events.filter(({ type }) => type === 'payment.completed');
  expect(completed).toHaveLength(16);
  expect(await trader.client.settlements.balance()).toMatchObject({ availableBalance: 216, pendingBalance: 0 });
});

test('a restarted service catches up on everything that happened meanwhile', async () => {
  const { client } = trader;
  const before = await client.settlements.balance();
  const [begun, untouched] = await Promise.all([
    client.payments.create({ amount: 20, currency: 'USD' }),
    client.payments.create({ amount: 30, currency: 'USD' }),
  ]);
  await client.sandbox.payments.pay(begun.id, { amount: '5' });
  await sandbox.stop();
  await sandbox.transfer(begun, 'USDT', 15_000_000n);
  await sandbox.node.rpc('anvil_mine', ['0x100']);
  await sandbox.transfer(untouched, 'USDC', 30_000_000n);
  await sandbox.start();

  await trader.reaches(begun.id, 'paid');
  await trader.reaches(untouched.id, 'paid');
  expect(await client.settlements.balance()).toMatchObject({ availableBalance: before.availableBalance + 50 });
  expect(await trader.eventTypes(begun.id, 4)).toEqual(['created', 'pending', 'confirming', 'completed']);
  expect(await trader.eventTypes(untouched.id, 3)).toEqual(['created', 'confirming', 'completed']);
});
