import { sql } from 'kysely';
import { describe, expect } from 'vitest';
import { test as base } from '../fixture.ts';
import { PASSWORD, type TestMerchant, type TestService } from '../harness.ts';
import { createKey, sendSigned, type TestKey } from '../support/signing.ts';
import { turnOnTwoFactor } from '../support/two-factor.ts';
import { fund, WALLET } from '../support/withdrawals.ts';

/** `refused` keeps its 300 dollars: every request of it is refused. */
const test = base.extend('refused', { scope: 'file' }, ({ service }) => merchantWith(service, 300));

const OTHER_WALLET = '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC';
const CRYPTO = { amount: 250, method: 'crypto', destinationAddress: WALLET } as const;
const ACCOUNT = { bankAccountNumber: '0072 3456-7890', bankName: 'Bank of Ceylon', bankBranch: 'Kandy' };
const BANK = { amount: 250, method: 'bank', ...ACCOUNT } as const;

/** An active merchant with this many dollars. */
async function merchantWith(service: TestService, dollars: number): Promise<TestMerchant> {
  const merchant = await service.activeMerchant();
  await fund(service.db, merchant.id, BigInt(dollars * 100));
  return merchant;
}

const post = (service: TestService, merchant: TestMerchant, body: object) =>
  service.send('POST', '/v1/withdrawals', { token: merchant.token, body });
const errorOf = async (service: TestService, merchant: TestMerchant, body: object) => {
  const { status, body: answer } = await post(service, merchant, body);
  const { code, message, reason, fields } = (answer as { error: Record<string, unknown> }).error;
  return { status, code, message, ...(reason ? { reason } : {}), ...(fields ? { fields } : {}) };
};
const eventsOf = async (service: TestService, id: string) => {
  const rows = await service.db.selectFrom('events').select('body').where('resource_id', '=', id).execute();
  return rows.map(({ body }) => JSON.parse(body.toString('utf8')));
};
const auditOf = (service: TestService, id: string) =>
  service.db.selectFrom('audit_log').selectAll().where('resource_id', '=', id).executeTakeFirstOrThrow();

describe('money to a wallet', () => {
  test('is held with the network fee, announced and audited', async ({ service }) => {
    const merchant = await merchantWith(service, 300);
    const withdrawal = await merchant.client.withdrawals.create(CRYPTO);
    expect(withdrawal).toEqual({
      id: expect.stringMatching(/^wd_\w{26}$/),
      amount: 250,
      fee: 1,
      netAmount: 249,
      status: 'pending',
      statusReason: null,
      statusMessage: null,
      method: 'crypto',
      bankAccountNumber: null,
      bankName: null,
      bankBranch: null,
      currency: 'USDT',
      network: 'devnet',
      destinationAddress: WALLET,
      txHash: null,
      reference: null,
      createdAt: service.clock.now().toISOString(),
      processedAt: null,
    });
    expect(await merchant.client.settlements.balance()).toMatchObject({ availableBalance: 50, heldBalance: 250 });
    const { data } = await merchant.client.settlements.entries.list({ account: 'hold' });
    expect(data).toMatchObject([
      { kind: 'withdrawal.created', amount: '250.000000', withdrawalId: withdrawal.id, paymentId: null },
    ]);
    expect(await eventsOf(service, withdrawal.id)).toMatchObject([
      { type: 'withdrawal.created', sequence: 1, merchantId: merchant.id, data: withdrawal },
    ]);
    expect(await auditOf(service, withdrawal.id)).toMatchObject({
      action: 'withdrawal.create',
      actor_id: merchant.id,
      metadata: { amount: '250.00', fee: '1.00', method: 'crypto', destinationAddress: WALLET },
    });
  });

  test('goes to the wallet of the profile by default, in the requested token', async ({ service }) => {
    const merchant = await merchantWith(service, 100);
    await merchant.client.merchants.update(merchant.id, { walletAddress: OTHER_WALLET });
    const made = await merchant.client.withdrawals.create({ amount: 100, method: 'crypto', currency: 'USDC' });
    expect(made).toMatchObject({ destinationAddress: OTHER_WALLET, currency: 'USDC', netAmount: 99 });
  });

  test('needs a destination', async ({ service, refused }) => {
    expect(await errorOf(service, refused, { amount: 50, method: 'crypto' })).toMatchObject({
      status: 400,
      fields: [{ path: 'destinationAddress' }],
    });
  });

  test.for([
    ['a wrong checksum', WALLET.replace('C5', 'c5'), 'typing mistakes'],
    ['something else', 'bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq', 'typing mistakes'],
    ['the zero address', `0x${'0'.repeat(40)}`, 'to nobody'],
    ['the treasury', '0x00000000000000000000000000000000000000F1', 'to the platform'],
    ['the collector', '0x00000000000000000000000000000000000000f2', 'to the platform'],
    ['the token itself', '0x00000000000000000000000000000000000000a1', 'to the platform'],
  ] as const)('never goes to %s', async ([_, destinationAddress, message], { service, refused }) => {
    const { status, fields } = await errorOf(service, refused, { amount: 50, method: 'crypto', destinationAddress });
    expect({ status, fields }).toMatchObject({ status: 400, fields: [{ path: 'destinationAddress' }] });
    expect(JSON.stringify(fields)).toContain(message.split(' ').at(-1));
  });
});

test("refuses the address of any merchant's payment", async ({ service, refused }) => {
  const other = await service.activeMerchant();
  const { cryptoAddress } = await other.client.payments.create({ amount: 25, currency: 'USD' });
  const message = 'belongs to the platform or to nobody; ask for a wallet of your own';
  for (const destinationAddress of [cryptoAddress, cryptoAddress.toLowerCase()]) {
    expect(await errorOf(service, refused, { ...CRYPTO, destinationAddress })).toMatchObject({
      status: 400,
      fields: [{ path: 'destinationAddress', message }],
    });
  }
  const merchant = await merchantWith(service, 300);
  await merchant.client.merchants.update(merchant.id, { walletAddress: cryptoAddress });
  expect(await errorOf(service, merchant, { amount: 250, method: 'crypto' })).toMatchObject({ status: 400 });
  expect(await merchant.client.settlements.balance()).toMatchObject({ availableBalance: 300, heldBalance: 0 });
});

describe('money to a bank', () => {
  test('costs a percentage with a minimum; only its merchant sees the account number, which is stored encrypted', async ({
    service,
  }) => {
    const merchant = await merchantWith(service, 3000);
    const small = await merchant.client.withdrawals.create(BANK);
    expect(small).toMatchObject({ ...ACCOUNT, fee: 5, netAmount: 245, destinationAddress: null, method: 'bank' });
    // 0.5 % of 1234.57 is 6.17285.
    expect(await merchant.client.withdrawals.create({ ...BANK, amount: 1234.57 })).toMatchObject({ fee: 6.18 });
    const [event] = await eventsOf(service, small.id);
    expect(event.data).toEqual({ ...small, bankAccountNumber: '****7890' });
    expect((await auditOf(service, small.id)).metadata).toMatchObject({ bankAccountNumber: '****7890' });
    const { rows } = await sql<{ text: string }>`
      select (select string_agg(w::text, '') from withdrawals w) || (select string_agg(a::text, '') from audit_log a)
             || (select string_agg(convert_from(body, 'UTF8'), '') from events)
             || (select string_agg(w::text, '') from idempotency_keys w) as text`.execute(service.db);
    const number = ACCOUNT.bankAccountNumber;
    const shown = ['Bank of Ceylon', number, '007234567890', Buffer.from(number).toString('hex')];
    expect(shown.filter((each) => rows[0]?.text.includes(each))).toEqual(['Bank of Ceylon']);
  });

  test('names its bank on one line, because who pays by it reads the number beside it', async ({ service }) => {
    const merchant = await merchantWith(service, 3000);
    const turned = { ...BANK, bankName: 'Bank of Ceylon\u202e', bankBranch: ' Kandy\n\u009b2JPaid already' };
    const made = await merchant.client.withdrawals.create(turned);
    expect(made).toMatchObject({ bankName: 'Bank of Ceylon', bankBranch: 'Kandy 2JPaid already' });
  });

  test.for([
    [{ bankAccountNumber: undefined }, ['bankAccountNumber']],
    [{ bankName: '  ', bankBranch: undefined }, ['bankName', 'bankBranch']],
    [{ bankName: '\u200b', bankBranch: '\u202e' }, ['bankName', 'bankBranch']],
    [{ destinationAddress: WALLET, network: 'devnet' }, ['destinationAddress', 'network']],
    [{ bankAccountNumber: '12-3--4' }, ['bankAccountNumber']],
    [{ method: 'crypto' }, ['bankAccountNumber', 'bankName', 'bankBranch']],
  ] as const)('refuses %j and names every field', async ([change, paths], { service, refused }) => {
    const { status, fields } = await errorOf(service, refused, { ...BANK, ...change });
    expect([status, (fields as { path: string }[]).map(({ path }) => path)]).toEqual([400, paths]);
  });
});

describe('is refused for', () => {
  test('insufficient balance, and holds nothing', async ({ service }) => {
    const merchant = await merchantWith(service, 249);
    expect(await errorOf(service, merchant, CRYPTO)).toEqual({
      status: 409,
      code: 'INSUFFICIENT_BALANCE',
      message: 'You have 249.00 USD. Ask for that much or less.',
    });
    expect(await merchant.client.settlements.balance()).toMatchObject({ availableBalance: 249, heldBalance: 0 });
    expect((await post(service, merchant, { ...CRYPTO, amount: 249 })).status).toBe(201);
  });

  test('an amount below the fee, an unknown network, or a token that the network lacks', async ({
    service,
    refused,
  }) => {
    const fee = 'amount: must be more than the fee, which is';
    expect(await errorOf(service, refused, { ...CRYPTO, amount: 1 })).toMatchObject({
      status: 400,
      message: `${fee} 1.00 USD`,
    });
    expect(await errorOf(service, refused, { ...BANK, amount: 5 })).toMatchObject({
      status: 400,
      message: `${fee} 5.00 USD`,
    });
    expect(await errorOf(service, refused, { ...CRYPTO, network: 'bsc' })).toMatchObject({
      status: 400,
      fields: [{ path: 'network', message: 'must be one of: devnet' }],
    });
    await service.set({ withdrawalFees: { bank: { bps: 50, min: '5.00' }, networks: {} } });
    expect(await errorOf(service, refused, CRYPTO)).toMatchObject({ status: 400, fields: [{ path: 'network' }] });
    await service.set({ withdrawalFees: { bank: { bps: 50, min: '5.00' }, networks: { devnet: '1.00' } } });
  });

  test('limits, each named with its value', async ({ service }) => {
    const merchant = await merchantWith(service, 100_000);
    const refusal = async (amount: number) => errorOf(service, merchant, { ...CRYPTO, amount });
    const limit = (message: string) => ({ status: 409, code: 'CONFLICT', reason: 'limit_exceeded', message });
    expect(await refusal(9.99)).toEqual(limit('One withdrawal must be at least 10.00 USD.'));
    expect(await refusal(10_000.01)).toEqual(limit('One withdrawal may be at most 10000.00 USD.'));
    for (let count = 0; count < 4; count += 1) await merchant.client.withdrawals.create({ ...CRYPTO, amount: 10_000 });
    const { id } = await merchant.client.withdrawals.create({ ...CRYPTO, amount: 9999 });
    expect(await refusal(10)).toEqual(
      limit('At most 5 withdrawals may be open at once. Wait until one is paid, or cancel one.'),
    );
    await service.set({ withdrawalMaxOpen: 6 });
    expect(await refusal(10)).toEqual(
      limit('Withdrawals of 24 hours may come to 50000.00 USD; 1.00 USD are left now.'),
    );
    // Cancelled and rejected withdrawals don't count.
    await merchant.client.withdrawals.cancel(id);
    expect((await post(service, merchant, { ...CRYPTO, amount: 10_000 })).status).toBe(201);
    expect(await refusal(10)).toMatchObject({ reason: 'limit_exceeded' });
    // Some midnight lies between: that changes nothing. What is a day old counts no more.
    service.clock.advance(24 * 3_600_000 - 1);
    expect(await refusal(10)).toMatchObject({ reason: 'limit_exceeded' });
    service.clock.advance(1);
    expect((await post(service, merchant, { ...CRYPTO, amount: 10_000 })).status).toBe(201);
  });

  test.for(['pending_verification', 'frozen', 'rejected'] as const)(
    'a merchant that is %s',
    async (status, { service }) => {
      const merchant = await service.registerMerchant();
      if (status === 'rejected') await service.decide(merchant.id, { kind: 'reject', reason: 'no papers' });
      if (status === 'frozen') {
        await service.decide(merchant.id, { kind: 'approve' });
        await service.decide(merchant.id, { kind: 'freeze', reason: 'under review' });
      }
      await fund(service.db, merchant.id, 30_000n);
      expect(await errorOf(service, merchant, CRYPTO)).toMatchObject({ status: 403, reason: 'merchant_not_active' });
    },
  );
});

describe('a key', () => {
  const keyOf = (service: TestService, merchant: TestMerchant) =>
    createKey(service, merchant, { permissions: ['settlements:write'] });
  const signed = (service: TestService, key: TestKey, body: object) =>
    sendSigned(service, key, { method: 'POST', target: '/v1/withdrawals', body: JSON.stringify(body) });
  const protect = (service: TestService, merchant: TestMerchant) =>
    turnOnTwoFactor(service, merchant.client.auth, PASSWORD);

  test('with the scope withdraws like its merchant, and the audit log names the key', async ({ service }) => {
    const merchant = await merchantWith(service, 300);
    const { status, body } = await signed(service, await keyOf(service, merchant), BANK);
    expect(status).toBe(201);
    expect((await auditOf(service, (body as { id: string }).id)).metadata).toHaveProperty('apiKeyId');
  });

  test('of a merchant with two-factor authentication withdraws only to the wallet of the profile', async ({
    service,
  }) => {
    const merchant = await merchantWith(service, 1000);
    await merchant.client.merchants.update(merchant.id, { walletAddress: WALLET });
    const key = await keyOf(service, merchant);
    await protect(service, merchant);
    const refused = { status: 401, body: { error: { code: 'UNAUTHORIZED', reason: 'otp_required' } } };
    expect(await signed(service, key, { ...CRYPTO, destinationAddress: OTHER_WALLET })).toMatchObject(refused);
    expect(await signed(service, key, BANK)).toMatchObject(refused);
    expect((await signed(service, key, { amount: 250, method: 'crypto' })).status).toBe(201);
    expect((await signed(service, key, { ...CRYPTO, destinationAddress: WALLET.toLowerCase() })).status).toBe(201);
    // A person has an authenticator at hand, wherever the money goes.
    expect(await errorOf(service, merchant, { amount: 250, method: 'crypto' })).toMatchObject({
      reason: 'otp_required',
    });
    expect(await merchant.client.settlements.balance()).toMatchObject({ availableBalance: 500 });
  });
});

test('needs a fresh code for each withdrawal when two-factor authentication is on', async ({ service }) => {
  const merchant = await merchantWith(service, 1000);
  const { nextCode, wrongCode } = await turnOnTwoFactor(service, merchant.client.auth, PASSWORD);
  const otp = nextCode();
  expect(await errorOf(service, merchant, BANK)).toMatchObject({ status: 401, reason: 'otp_required' });
  expect(await errorOf(service, merchant, { ...BANK, otp: wrongCode() })).toMatchObject({
    status: 401,
    reason: 'otp_invalid',
  });
  const { id } = await merchant.client.withdrawals.create({ ...BANK, otp });
  expect((await auditOf(service, id)).metadata).toMatchObject({ secondFactor: 'totp' });
  expect(await errorOf(service, merchant, { ...BANK, otp })).toMatchObject({ status: 401, reason: 'otp_invalid' });
  expect((await merchant.client.withdrawals.list()).pagination.total).toBe(1);
});
