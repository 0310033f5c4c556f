import { expect } from 'vitest';
import { MINUTE_MS } from '../../src/lib/clock.ts';
import { test } from '../fixture.ts';
import { PASSWORD, type TestMerchant, type TestService } from '../harness.ts';
import { turnOnTwoFactor } from '../support/two-factor.ts';

const WALLET = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed';

const put = (service: TestService, merchant: TestMerchant, body: unknown, to = merchant.id, token = merchant.token) =>
  service.send('PUT', `/v1/merchants/${to}`, { body, token });

test('changes what is sent and keeps the rest', async ({ service, merchant }) => {
  const before = await merchant.client.merchants.get(merchant.id);
  service.clock.advance(MINUTE_MS);
  const changes = {
    businessName: 'Ceylon Tea House (Pvt) Ltd',
    phone: '+44 20 7946 0958',
    walletAddress: WALLET,
    webhookUrl: 'https://teahouse.example/hooks/kasi?key=s3cret',
    businessType: 'nonprofit' as const,
    paymentToleranceBps: 100,
    sendReceipts: false,
  };
  const after = await merchant.client.merchants.update(merchant.id, changes);
  const updatedAt = service.clock.now().toISOString();
  expect(after).toEqual({ ...before, ...changes, phone: '+442079460958', updatedAt });

  service.clock.advance(MINUTE_MS);
  const renamed = await merchant.client.merchants.update(merchant.id, { businessName: 'Tea' });
  expect(renamed).toEqual({ ...after, businessName: 'Tea', updatedAt: service.clock.now().toISOString() });
  expect(await merchant.client.merchants.get(merchant.id)).toEqual(renamed);
  const hidden = await merchant.client.merchants.update(merchant.id, { businessName: 'Tea\u202e\n\nHouse\u200b' });
  expect(hidden.businessName, 'one line, and nothing hidden').toBe('Tea House');
});

test('tells administrators of an approved merchant that calls itself something else', async ({ service, admin }) => {
  const merchant = await service.activeMerchant();
  const pending = await service.registerMerchant();
  const told = async ({ id }: TestMerchant) => {
    const { data } = await admin.client.incidents.list({ kind: 'merchant.renamed', status: 'open', resource: id });
    return data.map(({ subject, message, count }) => ({ subject, message, count }));
  };
  await merchant.client.merchants.update(merchant.id, { phone: '+442079460959' });
  expect(await told(merchant)).toEqual([]);
  const { businessName } = await merchant.client.merchants.get(merchant.id);
  await merchant.client.merchants.update(merchant.id, { businessName: 'Kasi Refunds' });
  const first = {
    subject: merchant.id,
    message: `Payers read "Kasi Refunds" now, and read "${businessName}" before.`,
    count: 1,
  };
  expect(await told(merchant)).toEqual([first]);
  await merchant.client.merchants.update(merchant.id, { businessName: 'Kasi Support' });
  expect(await told(merchant)).toEqual([
    { subject: merchant.id, message: 'Payers read "Kasi Support" now, and read "Kasi Refunds" before.', count: 2 },
  ]);
  // Three in a minute, of which each differs from the one before in words with figures only.
  for (const next of ['T1', 'T2', 'BankOfCeylon1']) {
    await merchant.client.merchants.update(merchant.id, { businessName: next });
  }
  expect(await told(merchant)).toMatchObject([{ message: 'Payers read "BankOfCeylon1" now, and read "T2" before.' }]);
  const claims = 'Tea" now, and Kasi has looked: "fine\u05d0';
  await merchant.client.merchants.update(merchant.id, { businessName: claims });
  expect(await told(merchant)).toMatchObject([
    {
      message: `Payers read "\u2068Tea' now, and Kasi has looked: 'fine\u05d0\u2069" now, and read "BankOfCeylon1" before.`,
    },
  ]);
  await pending.client.merchants.update(pending.id, { businessName: 'Not approved yet' });
  expect(await told(pending)).toEqual([]);
});

test('changes nothing for an empty body and for the current values', async ({ service, merchant }) => {
  const before = await merchant.client.merchants.get(merchant.id);
  service.clock.advance(MINUTE_MS);
  for (const body of [{}, { businessName: before.businessName, walletAddress: before.walletAddress }]) {
    expect(await put(service, merchant, body)).toMatchObject({ status: 200, body: before });
  }
});

test.for(['', null])('removes the wallet and the webhook URL on %j', async (none, { service, merchant }) => {
  await put(service, merchant, { walletAddress: WALLET, webhookUrl: 'https://teahouse.example/hooks' });
  expect(await put(service, merchant, { walletAddress: none, webhookUrl: none })).toMatchObject({
    status: 200,
    body: { walletAddress: null, webhookUrl: null },
  });
});

test.for([
  ['walletAddress', '0x5AAeb6053F3E94C9b9A09f33669435E7Ef1BeAed'],
  ['walletAddress', '0x1234'],
  ['walletAddress', 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4'],
  ['webhookUrl', 'teahouse.example/hooks'],
  ['webhookUrl', 'ftp://teahouse.example/hooks'],
  ['webhookUrl', 'https://user:secret@teahouse.example/hooks'],
  ['webhookUrl', 'http://10.0.0.1/hooks'],
  ['webhookUrl', 'http://169.254.169.254/latest/meta-data'],
  ['webhookUrl', `https://teahouse.example/${'x'.repeat(2048)}`],
  ['phone', '+9477'],
  ['phone', null],
  ['businessName', ' '],
  ['businessName', '\u200b\u3164'],
  ['businessType', 'cooperative'],
  ['paymentToleranceBps', 501],
  ['paymentToleranceBps', -1],
  ['paymentToleranceBps', 1.5],
  ['paymentToleranceBps', '50'],
  ['email', 'other@example.com'],
  ['status', 'active'],
  ['id', 'mer_1'],
] as const)('refuses %s %j by name and changes nothing', async ([field, value], { service, merchant }) => {
  const before = await merchant.client.merchants.get(merchant.id);
  expect(await put(service, merchant, { [field]: value })).toMatchObject({
    status: 400,
    body: { error: { code: 'VALIDATION_ERROR', fields: [{ path: field }] } },
  });
  expect(await merchant.client.merchants.get(merchant.id)).toEqual(before);
});

test("refuses another merchant's profile", async ({ service, merchant }) => {
  const other = await service.registerMerchant();
  expect(await put(service, merchant, { businessName: 'Mine now' }, other.id)).toMatchObject({
    status: 403,
    body: { error: { code: 'FORBIDDEN', reason: 'not_owner' } },
  });
  expect(await other.client.merchants.get(other.id)).toMatchObject({ businessName: 'Ceylon Tea House' });
});

test('answers 401 without a login, whatever else is wrong', async ({ service, merchant }) => {
  const answer = await service.send('PUT', `/v1/merchants/${merchant.id}`, { body: { businessName: 5 } });
  expect(answer).toMatchObject({ status: 401, body: { error: { reason: 'token_missing' } } });
});

test('puts a rejected merchant up for review when it corrects its profile, and announces each status change', async ({
  service,
}) => {
  const rejected = await service.registerMerchant();
  await rejected.client.merchants.update(rejected.id, { webhookUrl: 'https://teahouse.example/hooks' });
  await service.decide(rejected.id, { kind: 'reject', reason: 'No such company.' });
  const { status } = await rejected.client.merchants.update(rejected.id, { businessName: 'Ceylon Tea (Pvt) Ltd' });
  expect(status).toBe('pending_verification');
  const { deliveries } = await rejected.client.webhooks.deliveries.list();
  expect(deliveries.map(({ event }) => event)).toEqual(['merchant.status_changed', 'merchant.status_changed']);
});

test('audits what changed, and hides what may be secret', async ({ service }) => {
  const own = await service.registerMerchant();
  await own.client.merchants.update(own.id, {
    walletAddress: WALLET,
    phone: '+442079460958',
    webhookUrl: 'https://teahouse.example/hooks?key=s3cret',
  });
  const entry = await service.db
    .selectFrom('audit_log')
    .select(['action', 'actor_type', 'actor_id', 'resource_id', 'metadata'])
    .where('action', '=', 'merchant.update')
    .where('merchant_id', '=', own.id)
    .executeTakeFirstOrThrow();
  expect(entry).toEqual({
    action: 'merchant.update',
    actor_type: 'merchant',
    actor_id: own.id,
    resource_id: own.id,
    metadata: {
      changed: {
        walletAddress: { from: null, to: WALLET },
        phone: { from: '…4567', to: '…0958' },
        webhookUrl: { from: null, to: 'https://teahouse.example/…' },
      },
    },
  });
});

test('with two-factor authentication on, needs a code only for another wallet', async ({ service, merchant }) => {
  const { id, client, token } = await service.activeMerchant();
  await client.merchants.update(id, { walletAddress: WALLET });
  const { nextCode, wrongCode, recoveryCodes } = await turnOnTwoFactor(service, client.auth, PASSWORD);
  const set = (body: object) => put(service, merchant, body, id, token);
  const OTHER = '0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359';
  const refused = (reason: string) => ({ status: 401, body: { error: { code: 'UNAUTHORIZED', reason } } });

  expect(await set({ businessName: 'Tea', walletAddress: WALLET })).toMatchObject({ status: 200 });
  for (const walletAddress of [OTHER, '', null]) {
    expect(await set({ walletAddress })).toMatchObject(refused('otp_required'));
  }
  expect(await set({ walletAddress: OTHER, otp: wrongCode() })).toMatchObject(refused('otp_invalid'));
  expect(await client.merchants.get(id)).toMatchObject({ walletAddress: WALLET });

  const otp = nextCode();
  service.clock.advance(MINUTE_MS);
  expect(await set({ walletAddress: OTHER, otp })).toMatchObject({ status: 200, body: { walletAddress: OTHER } });
  expect(await set({ walletAddress: WALLET, otp })).toMatchObject(refused('otp_invalid'));
  service.clock.advance(MINUTE_MS);
  expect(await set({ walletAddress: null, otp: recoveryCodes[0] })).toMatchObject({ status: 200 });
  const entries = await service.db
    .selectFrom('audit_log')
    .select('metadata')
    .where('merchant_id', '=', id)
    .where('action', '=', 'merchant.update')
    .orderBy('created_at')
    .execute();
  expect(entries.slice(-2).map(({ metadata }) => metadata)).toMatchObject([
    { secondFactor: 'totp', changed: { walletAddress: { to: OTHER } } },
    { secondFactor: 'recovery_code', recoveryCodesLeft: 9, changed: { walletAddress: { to: null } } },
  ]);
});

test('with two-factor authentication on, needs a code to offer payers more back, and none to offer less', async ({
  service,
}) => {
  const { client, id } = await service.activeMerchant();
  const { merchants } = client;
  await merchants.update(id, { refundOffers: ['late'], refundOfferMinimum: 5 });
  const { nextCode } = await turnOnTwoFactor(service, client.auth, PASSWORD);
  const wanted = { status: 401, reason: 'otp_required' };
  await expect(merchants.update(id, { refundOffers: ['late', 'overpaid'] })).rejects.toMatchObject(wanted);
  await expect(merchants.update(id, { refundOffers: ['overpaid'] })).rejects.toMatchObject(wanted);
  await expect(merchants.update(id, { refundOfferMinimum: 4.99 })).rejects.toMatchObject(wanted);
  expect(await merchants.get(id)).toMatchObject({ refundOffers: ['late'], refundOfferMinimum: 5 });
  const more = { refundOffers: ['late', 'overpaid'] as ('late' | 'overpaid')[], refundOfferMinimum: 0 };
  expect(await merchants.update(id, { ...more, otp: nextCode() })).toMatchObject(more);
  expect(await merchants.update(id, { ...more, businessName: 'Tea' })).toMatchObject(more);
  expect(await merchants.update(id, { refundOffers: [], refundOfferMinimum: 9 })).toMatchObject({ refundOffers: [] });
  const entries = await service.db
    .selectFrom('audit_log')
    .select('metadata')
    .where('merchant_id', '=', id)
    .where('action', '=', 'merchant.update')
    .execute();
  const byCode = entries.filter(({ metadata }) => Object.hasOwn(metadata as object, 'secondFactor'));
  expect(byCode).toMatchObject([{ metadata: { secondFactor: 'totp', changed: { refundOfferMinimum: { to: 0 } } } }]);
});

test('refuses any sixth code after five wrong ones', async ({ service, merchant }) => {
  service.clock.holdReal();
  const { id, client, token } = await service.activeMerchant();
  const { nextCode, wrongCode } = await turnOnTwoFactor(service, client.auth, PASSWORD);
  const otp = nextCode();
  for (let failure = 1; failure <= 5; failure += 1) {
    expect(await put(service, merchant, { walletAddress: WALLET, otp: wrongCode() }, id, token)).toMatchObject({
      status: 401,
    });
  }
  const sixth = await put(service, merchant, { walletAddress: WALLET, otp }, id, token);
  expect(sixth).toMatchObject({ status: 429, body: { error: { code: 'RATE_LIMITED' } } });
  expect(sixth.headers.get('retry-after')).toBe('1');
});

test('sets what payment pages offer back, and audits it', async ({ service }) => {
  const { client, id } = await service.activeMerchant();
  const change = { refundOffers: ['overpaid', 'late'] as ('overpaid' | 'late')[], refundOfferMinimum: 2.5 };
  expect(await client.merchants.update(id, change)).toMatchObject({
    ...{ refundOffers: ['late', 'overpaid'], refundOfferMinimum: 2.5 },
  });
  // The same again changes nothing.
  await client.merchants.update(id, change);
  const entries = await service.db
    .selectFrom('audit_log')
    .select('metadata')
    .where('merchant_id', '=', id)
    .where('action', '=', 'merchant.update')
    .execute();
  expect(entries.map(({ metadata }) => metadata)).toContainEqual({
    changed: {
      refundOffers: { from: [], to: ['late', 'overpaid'] },
      refundOfferMinimum: { from: 1, to: 2.5 },
    },
  });
  for (const wrong of [{ refundOffers: ['none'] }, { refundOffers: ['late', 'late'] }, { refundOfferMinimum: -1 }]) {
    await expect(client.merchants.update(id, wrong as never)).rejects.toMatchObject({ status: 400 });
  }
});

test('tells payers how to reach the merchant, and audits it', async ({ service }) => {
  const { client, id } = await service.activeMerchant();
  const contact = {
    supportEmail: 'help@teahouse.example',
    supportUrl: 'https://teahouse.example/help?from=kasi',
    website: 'https://teahouse.example',
  };
  expect(await client.merchants.update(id, contact)).toMatchObject(contact);
  const payment = await client.payments.create({ amount: 5, currency: 'USD' });
  const shown = await service.client().public.payments.get(payment.id);
  expect(shown.merchantContact).toEqual({
    ...{ email: contact.supportEmail, url: contact.supportUrl, website: contact.website },
  });
  const page = (await service.send('GET', `/checkout/payment/${payment.id}`)).text;
  expect(page).toContain('href="mailto:help@teahouse.example"');
  expect(page).toContain('href="https://teahouse.example/help?from=kasi"');

  await client.merchants.update(id, { supportEmail: null, supportUrl: '', website: null });
  const cleared = { supportEmail: null, supportUrl: null, website: null };
  expect(await client.merchants.get(id)).toMatchObject(cleared);
  const bare = (await service.send('GET', `/checkout/payment/${payment.id}`)).text;
  expect(bare).not.toContain('id="contact-');
  const wrong = [
    { supportEmail: 'nobody' },
    { supportUrl: 'http://teahouse.example' },
    { website: 'javascript:alert(1)' },
    { website: 'https://owner:secret@teahouse.example' },
    { supportUrl: 'https://' },
  ];
  for (const change of wrong) {
    const [field = ''] = Object.keys(change);
    await expect(client.merchants.update(id, change)).rejects.toMatchObject({
      ...{ status: 400, message: expect.stringContaining(field) },
    });
  }
  expect(await client.merchants.get(id)).toMatchObject(cleared);
});

test('lists the websites that may frame the checkout, as browsers write them, and audits it', async ({ service }) => {
  const { client, id } = await service.activeMerchant();
  const written = ['https://Shop.Example/', 'http://localhost:5173', 'https://shop.example:443', 'https://පොත.example'];
  const embedOrigins = ['http://localhost:5173', 'https://shop.example', 'https://xn--n0cn4j.example'];
  const updated = await client.merchants.update(id, { embedOrigins: written });
  expect(updated.embedOrigins).toEqual(embedOrigins);
  expect((await client.merchants.get(id)).embedOrigins).toEqual(embedOrigins);
  const again = await client.merchants.update(id, { embedOrigins: embedOrigins.toReversed() });
  expect(again.updatedAt, 'another order is no change').toBe(updated.updatedAt);
  const entries = await service.db
    .selectFrom('audit_log')
    .select('metadata')
    .where('merchant_id', '=', id)
    .where('action', '=', 'merchant.update')
    .execute();
  expect(entries.map(({ metadata }) => metadata)).toContainEqual({
    changed: { embedOrigins: { from: [], to: embedOrigins } },
  });

  const many = Array.from({ length: 11 }, (_, at) => `https://shop${at}.example`);
  const wrong = [
    [
      ['https://shop.example', 'https://*.example', 'http://shop.example'],
      ['embedOrigins.1', 'embedOrigins.2'],
    ],
    [['https://owner@shop.example'], ['embedOrigins.0']],
    [['https://shop.example.'], ['embedOrigins.0']],
    [['null'], ['embedOrigins.0']],
    [[''], ['embedOrigins.0']],
    [many, ['embedOrigins']],
  ] as const;
  for (const [origins, paths] of wrong) {
    const refused = client.merchants.update(id, { embedOrigins: [...origins] });
    await expect(refused).rejects.toMatchObject({ status: 400, fields: paths.map((path) => ({ path })) });
  }
  expect((await client.merchants.get(id)).embedOrigins).toEqual(embedOrigins);
  expect((await client.merchants.update(id, { embedOrigins: [] })).embedOrigins).toEqual([]);
});
