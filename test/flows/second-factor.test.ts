import { expect } from 'vitest';
import { test } from '../fixture.ts';
import { type Answer, PASSWORD, type TestMerchant, type TestService } from '../harness.ts';
import { type TwoFactor, turnOnTwoFactor } from '../support/two-factor.ts';
import { fund, WALLET } from '../support/withdrawals.ts';

let wallets = 0;
/** A different wallet each time: keeping the current one needs no code. */
const anotherWallet = (): string => {
  wallets += 1;
  return `0x${wallets.toString(16).padStart(40, '0')}`;
};

type Careful = TestMerchant & TwoFactor;

/** A merchant with 300 dollars and two-factor authentication. */
async function carefulMerchant(service: TestService): Promise<Careful> {
  const merchant = await service.activeMerchant();
  await fund(service.db, merchant.id, 30_000n);
  return { ...merchant, ...(await turnOnTwoFactor(service, merchant.client.auth, PASSWORD)) };
}

const withdraw = (
  service: TestService,
  { token }: Careful,
  otp: string,
  amount = 100,
  headers: Record<string, string> = {},
) =>
  service.send('POST', '/v1/withdrawals', {
    token,
    headers,
    body: { amount, method: 'crypto', destinationAddress: WALLET, otp },
  });

/** Every operation that asks for a code, called with this one. */
const doors: Readonly<Record<string, (service: TestService, merchant: Careful, otp: string) => Promise<Answer>>> = {
  'a login': (service, { email }, otp) =>
    service.send('POST', '/v1/auth/login', { body: { email, password: PASSWORD, otp } }),
  'a withdrawal': (service, merchant, otp) => withdraw(service, merchant, otp),
  'another wallet': (service, { id, token }, otp) =>
    service.send('PUT', `/v1/merchants/${id}`, { token, body: { walletAddress: anotherWallet(), otp } }),
  'a new password': (service, { token }, otp) =>
    service.send('POST', '/v1/auth/password', {
      token,
      body: { currentPassword: PASSWORD, newPassword: PASSWORD, otp },
    }),
  'turning it off': (service, { token }, otp) =>
    service.send('POST', '/v1/auth/two-factor/disable', { token, body: { password: PASSWORD, otp } }),
};
const INVALID = { status: 401, body: { error: { code: 'UNAUTHORIZED', reason: 'otp_invalid' } } };

test.for(['a code of the app', 'a recovery code'])(
  '%s that one operation accepted is refused by all of them',
  async (kind, { service }) => {
    for (const [first, use] of Object.entries(doors)) {
      if (first === 'turning it off') continue;
      const merchant = await carefulMerchant(service);
      const otp = kind === 'a recovery code' ? (merchant.recoveryCodes[0] as string) : merchant.nextCode();
      expect([first, (await use(service, merchant, otp)).status]).toEqual([
        first,
        first === 'a withdrawal' ? 201 : 200,
      ]);
      for (const door of Object.values(doors)) expect(await door(service, merchant, otp)).toMatchObject(INVALID);
    }
  },
);

test('one of all concurrent operations with one code succeeds', async ({ service }) => {
  const merchant = await carefulMerchant(service);
  const otp = merchant.nextCode();
  const { 'turning it off': _, 'a new password': __, ...others } = doors;
  const answers = await Promise.all(Object.values(others).map((door) => door(service, merchant, otp)));
  expect(answers.filter(({ status }) => status < 300)).toHaveLength(1);
  for (const answer of answers.filter(({ status }) => status >= 300)) expect(answer).toMatchObject(INVALID);
});

test('one of ten concurrent withdrawals with one code succeeds', async ({ service }) => {
  const merchant = await carefulMerchant(service);
  const otp = merchant.nextCode();
  const answers = await Promise.all(Array.from({ length: 10 }, () => withdraw(service, merchant, otp, 10)));
  expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
  expect((await merchant.client.settlements.balance()).availableBalance).toBe(290);
});

test('a withdrawal refused for its amount leaves its code unused', async ({ service }) => {
  const merchant = await carefulMerchant(service);
  const otp = merchant.nextCode();
  for (const headers of [{}, { 'idempotency-key': 'too-much' }] as Record<string, string>[]) {
    expect(await withdraw(service, merchant, otp, 301, headers)).toMatchObject({
      status: 409,
      body: { error: { code: 'INSUFFICIENT_BALANCE' } },
    });
  }
  expect(await withdraw(service, merchant, otp, 300)).toMatchObject({ status: 201 });
});

test('a lost answer is replayed without another code, and a wrong code leaves the idempotency key free', async ({
  service,
}) => {
  const merchant = await carefulMerchant(service);
  const otp = merchant.nextCode();
  const key = { 'idempotency-key': 'payday' };
  expect(await withdraw(service, merchant, merchant.wrongCode(), 100, key)).toMatchObject(INVALID);
  const first = await withdraw(service, merchant, otp, 100, key);
  expect(first.status).toBe(201);
  const again = await withdraw(service, merchant, otp, 100, key);
  expect([again.status, again.text, again.headers.get('idempotent-replayed')]).toEqual([201, first.text, 'true']);
  expect((await merchant.client.settlements.balance()).availableBalance).toBe(200);
});

test('wrong codes at a withdrawal count, under a key or not, although the rest is rolled back', async ({ service }) => {
  service.clock.holdReal();
  const merchant = await carefulMerchant(service);
  const otp = merchant.nextCode();
  for (let failure = 1; failure <= 5; failure += 1) {
    const headers: Record<string, string> = failure % 2 === 0 ? { 'idempotency-key': `guess-${failure}` } : {};
    expect(await withdraw(service, merchant, merchant.wrongCode(), 100, headers)).toMatchObject(INVALID);
  }
  expect(await withdraw(service, merchant, otp)).toMatchObject({
    status: 429,
    body: { error: { code: 'RATE_LIMITED' } },
  });
  service.clock.advanceReal(1000);
  expect(await withdraw(service, merchant, otp)).toMatchObject({ status: 201 });
});
