import { expect } from 'vitest';
import { serviceTest } from '../fixture.ts';
import { PASSWORD, type TestService } from '../harness.ts';
import { createKey, sendSigned } from '../support/signing.ts';
import { codeAt } from '../support/totp.ts';
import { turnOnTwoFactor } from '../support/two-factor.ts';
import { fund } from '../support/withdrawals.ts';

/** A proxy on this host names the caller's address, as in front of every live service. */
const test = serviceTest({ env: { TRUST_PROXY: '127.0.0.1' } });

const HOME = '198.51.100.7';

type Attempt = { readonly email: string; readonly from: string; readonly password?: string; readonly device?: string };

const logIn = (service: TestService, { email, from, password = PASSWORD, device }: Attempt) =>
  service.send('POST', '/v1/auth/login', {
    body: { email, password, ...(device === undefined ? {} : { deviceToken: device }) },
    headers: { 'x-forwarded-for': from },
  });

const register = async (service: TestService, email: string, from: string) => {
  const { status, body } = await service.send('POST', '/v1/auth/register', {
    body: { businessName: 'Tea', email, password: PASSWORD, phone: '+94771234567', businessType: 'company' },
    headers: { 'x-forwarded-for': from },
  });
  expect(status).toBe(201);
  return body as {
    readonly merchant: { readonly id: string };
    readonly deviceToken: string;
    readonly refreshToken: string;
  };
};

/** Wrong logins from `addresses` strangers, `each` from every one; how many were tried and how many were refused. */
async function attack(service: TestService, email: string, addresses: number, each: number) {
  const tally = { tried: 0, refused: 0 };
  for (let round = 0; round < each; round += 1) {
    for (let first = 0; first < addresses; first += 20) {
      const burst = Array.from({ length: Math.min(20, addresses - first) }, (_, index) => first + index);
      const answers = await Promise.all(
        burst.map((n) =>
          logIn(service, { email, from: `203.0.${n >> 8}.${n & 255}`, password: `Wr0ng-${round}-${n}` }),
        ),
      );
      for (const { status } of answers) {
        expect([401, 429]).toContain(status);
        tally[status === 401 ? 'tried' : 'refused'] += 1;
      }
    }
  }
  return tally;
}

test('strangers at sixty addresses guess a few passwords, and lock the owner out of nothing', async ({ service }) => {
  const email = 'attacked@example.com';
  const { deviceToken, refreshToken } = await register(service, email, HOME);
  const { tried, refused } = await attack(service, email, 60, 2);
  expect(tried).toBeLessThanOrEqual(25);
  expect(refused).toBe(120 - tried);

  // At the address where the account was registered, and with its device token anywhere else.
  expect(await logIn(service, { email, from: HOME })).toMatchObject({ status: 200 });
  expect(await logIn(service, { email, from: '192.0.2.1', device: deviceToken })).toMatchObject({ status: 200 });
  // Where the session was refreshed last: addresses of phones change.
  await service.send('POST', '/v1/auth/refresh', {
    body: { refreshToken },
    headers: { 'x-forwarded-for': '192.0.2.77' },
  });
  expect(await logIn(service, { email, from: '192.0.2.77' })).toMatchObject({ status: 200 });
  expect(await logIn(service, { email, from: HOME, device: 'dv_short' })).toMatchObject({ status: 400 });
});

test('a stolen session gives no tries at the password but a few, however many addresses it is refreshed from', async ({
  service,
}) => {
  const email = 'roaming@example.com';
  const registered = await register(service, email, HOME);
  let { refreshToken } = registered;
  const tally = { tried: 0, refused: 0 };
  for (let n = 0; n < 30; n += 1) {
    const from = `203.0.113.${n}`;
    const refreshed = await service.send('POST', '/v1/auth/refresh', {
      body: { refreshToken },
      headers: { 'x-forwarded-for': from },
    });
    ({ refreshToken } = refreshed.body as { readonly refreshToken: string });
    for (let guess = 0; guess < 4; guess += 1) {
      const { status } = await logIn(service, { email, from, password: `Wr0ng-${n}-${guess}` });
      tally[status === 401 ? 'tried' : 'refused'] += 1;
    }
  }
  expect(tally.tried).toBeLessThanOrEqual(25);
  expect(tally.refused).toBe(120 - tally.tried);
  // Nor is the owner kept out, where they have logged in, or with their device.
  expect(await logIn(service, { email, from: HOME })).toMatchObject({ status: 200 });
  const { deviceToken: device } = registered;
  expect(await logIn(service, { email, from: '203.0.113.5', device })).toMatchObject({ status: 200 });
  const kept = service.db.selectFrom('login_devices').select('device');
  const devices = await kept.where('principal_id', '=', registered.merchant.id).execute();
  expect(devices.filter((row) => row.device.startsWith('address:refreshed/'))).toHaveLength(20);
});

test('a stranger behind the same address can not keep out a device that is known', async ({ service }) => {
  const email = 'neighbour@example.com';
  const { deviceToken } = await register(service, email, '198.51.100.20');
  for (let failure = 0; failure < 12; failure += 1) {
    await logIn(service, { email, from: '198.51.100.20', password: 'Wr0ng-password' });
  }
  expect(await logIn(service, { email, from: '198.51.100.20' })).toMatchObject({ status: 429 });
  expect(await logIn(service, { email, from: '198.51.100.20', device: deviceToken })).toMatchObject({ status: 200 });
});

test('a stolen device token is no way to guess on, and keeps nobody out of a known address', async ({ service }) => {
  const email = 'stolen@example.com';
  const { deviceToken: device } = await register(service, email, '198.51.100.30');
  const guesses = await Promise.all(
    Array.from({ length: 60 }, (_, n) =>
      logIn(service, { email, from: `203.0.113.${n}`, device, password: `Wr0ng-${n}` }),
    ),
  );
  expect(guesses.filter(({ status }) => status === 401).length).toBeLessThanOrEqual(30);
  expect(await logIn(service, { email, from: '198.51.100.30', device })).toMatchObject({ status: 200 });
});

/**
 * More than may fail of one account, and together more than of one address. Those of one account wait for each other,
 * and twice as many waited too long on a crowded machine.
 */
const WORKERS = Array.from({ length: 26 }, (_, n) => `workers-${n % 2}@example.com`);

test('right passwords at once are never refused as failed logins', async ({ service }) => {
  for (const email of new Set(WORKERS)) await register(service, email, '198.51.100.40');
  for (const from of ['198.51.100.40', '198.51.100.41']) {
    const answers = await Promise.all(WORKERS.map((email) => logIn(service, { email, from })));
    expect(answers.map(({ status }) => status)).toEqual(WORKERS.map(() => 200));
  }
});

test('a forged address in front of the one that the proxy adds gives nobody a new budget', async ({ service }) => {
  const email = 'forged@example.com';
  await register(service, email, '198.51.100.50');
  const answers = await Promise.all(
    Array.from({ length: 20 }, (_, n) =>
      logIn(service, { email, from: `10.9.8.${n}, 203.0.113.99`, password: 'Wr0ng-password' }),
    ),
  );
  expect([5, 6, 7]).toContain(answers.filter(({ status }) => status === 401).length);
});

test('a new password forgets the devices of the old one', async ({ service }) => {
  const email = 'changed@example.com';
  const { deviceToken: device, merchant } = await register(service, email, '198.51.100.60');
  const { id } = merchant;
  const { body } = await logIn(service, { email, from: '198.51.100.61', device });
  const { token } = body as { token: string };
  const changed = await service.send('POST', '/v1/auth/password', {
    body: { currentPassword: PASSWORD, newPassword: 'An0ther-password' },
    headers: { 'x-forwarded-for': '198.51.100.61' },
    token,
  });
  expect(changed.status).toBe(200);
  const known = await service.db.selectFrom('login_devices').select('device').where('principal_id', '=', id).execute();
  expect(known).toEqual([{ device: 'address:198.51.100.61' }]);
  const again = await logIn(service, { email, from: '198.51.100.62', password: 'An0ther-password', device });
  expect((again.body as { deviceToken: string }).deviceToken).not.toBe(device);
});

test('a key that guesses codes keeps nobody else from using theirs', async ({ service }) => {
  const merchant = await service.activeMerchant();
  await fund(service.db, merchant.id, 100_000n);
  const key = await createKey(service, merchant, { permissions: ['settlements:write'] });
  const { secret, nextCode, wrongCode } = await turnOnTwoFactor(service, merchant.client.auth, PASSWORD);
  const account = { bankAccountNumber: '0072 3456-7890', bankName: 'Bank of Ceylon', bankBranch: 'Kandy' };
  const draft = { amount: 250, method: 'bank', ...account } as const;
  const guess = async (otp: string): Promise<unknown> => {
    const timestamp = String(Math.floor(service.clock.real().getTime() / 1000));
    const body = JSON.stringify({ ...draft, otp });
    const answer = await sendSigned(service, key, { method: 'POST', target: '/v1/withdrawals', body, timestamp });
    return (answer.body as { readonly error: object }).error;
  };
  // No wait is longer than a quarter of an hour; after the twelfth it is two minutes.
  const guessWrongly = async (times: number): Promise<void> => {
    for (let failure = 1; failure <= times; failure += 1) {
      service.clock.advanceReal(16 * 60_000);
      expect(await guess(wrongCode())).toMatchObject({ reason: 'otp_invalid' });
    }
  };
  await guessWrongly(12);
  await merchant.client.withdrawals.create({ ...draft, otp: nextCode() });
  expect(await guess(wrongCode())).toMatchObject({ code: 'RATE_LIMITED' });

  // The success of somebody else gave the key nothing back: twenty in a row lock the codes of the app for it.
  await guessWrongly(8);
  service.clock.advanceReal(16 * 60_000);
  expect(await guess(codeAt(secret, service.clock.real()))).toMatchObject({ reason: 'otp_locked' });
  const { status } = await service.send('POST', '/v1/auth/login', {
    body: { email: merchant.email, password: PASSWORD, otp: nextCode() },
  });
  expect(status).toBe(200);
  const alarms = await service.db.selectFrom('incidents').select('kind').where('subject', '=', merchant.id).execute();
  expect(alarms).toEqual([]);
});
