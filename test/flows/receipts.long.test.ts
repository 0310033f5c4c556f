import { sql } from 'kysely';
import { expect, vi } from 'vitest';
import { inTransaction } from '../../src/db/transaction.ts';
import { after, DAY_MS } from '../../src/lib/clock.ts';
import { enqueueMails, forgetMail, lockQueued } from '../../src/mail/queries.ts';
import { serviceTest } from '../fixture.ts';
import type { TestMerchant, TestService } from '../harness.ts';
import { type Arrived, startMailServer } from '../support/mail-server.ts';
import { DESTINATION, PAYER } from '../support/refunds.ts';
import { newHash } from '../support/withdrawals.ts';

const server = await startMailServer();
const test = serviceTest({
  env: { SMTP_URL: server.url, MAIL_FROM: 'Kasi <receipts@kasi.example>' },
  settings: { verifyPayoutOnChain: false },
});
test.afterAll(() => server.close());

let people = 0;
/** An address that nobody else has. */
const somebody = (): string => {
  people += 1;
  return `nimal${people}@example.org`;
};

type Draft = Parameters<TestMerchant['client']['payments']['create']>[0];

async function ask({ client }: TestMerchant, draft: Partial<Draft> = {}) {
  return client.payments.create({ amount: 25, currency: 'USD', acceptedTokens: ['USDT'], ...draft });
}

async function pay(service: TestService, payment: Parameters<TestService['chain']['transfer']>[0], amount = '25') {
  await service.chain.transfer(payment, { amount, from: PAYER.address });
  await service.runPaymentJobs();
}

const mail = (service: TestService) => service.runJob('mail.send');
const only = (mails: readonly Arrived[]): Arrived => {
  expect(mails).toHaveLength(1);
  return mails[0] as Arrived;
};
const header = ({ email }: Arrived, name: string) => email.headers.find(({ key }) => key === name)?.value;
const rows = (service: TestService, paymentId: string) =>
  service.db.selectFrom('mails').selectAll().where('payment_id', '=', paymentId).orderBy('id').execute();

const waiting = async ({ db }: TestService) =>
  (
    await db
      .selectFrom('mails')
      .select('id')
      .where('failure', '=', 'limit_recipient')
      .where('status', '=', 'queued')
      .execute()
  ).length;

test('a payer who left an address gets one receipt, with all that the page of it shows', async ({ service }) => {
  const merchant = await service.activeMerchant();
  await merchant.client.merchants.update(merchant.id, {
    ...{ supportEmail: 'help@teahouse.example', supportUrl: 'https://teahouse.example/help' },
  });
  const to = somebody();
  const payment = await ask(merchant, {
    ...{ customerEmail: to, description: 'Tea workshop' },
    items: [
      { name: 'Workshop', quantity: 1, unitAmount: 20 },
      { name: 'Tea', quantity: 2, unitAmount: 2.5 },
    ],
  });
  await mail(service);
  expect(server.to(to), 'nothing is mailed before it is paid').toEqual([]);
  await pay(service, payment);
  await Promise.all([mail(service), mail(service), mail(service)]);
  await mail(service);
  const arrived = only(server.to(to));
  const { email } = arrived;
  expect(email).toMatchObject({
    from: { name: 'Kasi', address: 'receipts@kasi.example' },
    to: [{ address: to }],
    replyTo: [{ address: 'help@teahouse.example' }],
    subject: 'Receipt · USD 25.00 to Ceylon Tea House',
  });
  const [row] = await rows(service, payment.id);
  expect(email.messageId).toBe(`<${row?.id}@kasi.example>`);
  expect([header(arrived, 'auto-submitted'), header(arrived, 'content-language')]).toEqual(['auto-generated', 'en']);
  const shown = await service.client().public.payments.get(payment.id);
  const paidAt = '1 Jan 2026, 10:00 UTC';
  for (const part of [email.text, email.html]) {
    for (const said of [
      ...['Receipt USD 25.00', 'Thank you. Ceylon Tea House has your payment.', 'Tea workshop', 'Workshop'],
      ...['25.00 USDT', paidAt, shown.transactions[0]?.hash, 'help@teahouse.example', 'teahouse.example/help'],
      ...[`http://localhost:3000/checkout/receipt/${payment.id}`, payment.id, 'Test mode'],
    ])
      expect(part).toContain(said);
  }
  expect(email.html, 'nothing is loaded, and nothing is counted').not.toMatch(/<img|<link|<script|url\(/);
  expect(row).toMatchObject({ status: 'sent', attempts: 1, locked_by: null, failure: null });
});

test('whoever left no address gets nothing, and a merchant may want no receipts', async ({ service }) => {
  const merchant = await service.activeMerchant();
  const silent = await ask(merchant);
  await pay(service, silent);
  expect(await merchant.client.merchants.update(merchant.id, { sendReceipts: false })).toMatchObject({
    sendReceipts: false,
  });
  const to = somebody();
  const unwanted = await ask(merchant, { customerEmail: to });
  await pay(service, unwanted);
  await mail(service);
  expect(server.to(to)).toEqual([]);
  expect(await rows(service, silent.id)).toEqual([]);
  expect(await rows(service, unwanted.id)).toMatchObject([{ status: 'dropped', failure: 'merchant', recipient: null }]);
  expect(await merchant.client.merchants.update(merchant.id, { sendReceipts: true })).toMatchObject({
    sendReceipts: true,
  });
});

test('money that was given back is told once, with where it went', async ({ service, admin }) => {
  const merchant = await service.activeMerchant();
  const to = somebody();
  const payment = await ask(merchant, { customerEmail: to });
  await pay(service, payment);
  await mail(service);
  const refund = await merchant.client.refunds.create(payment.id, {
    ...{ amount: 5, reason: 'Sold out.', destinationAddress: DESTINATION },
  });
  await mail(service);
  expect(server.to(to), 'nothing before it is paid').toHaveLength(1);
  const txHash = newHash();
  await admin.client.refunds.complete(refund.id, { txHash });
  await Promise.all([mail(service), mail(service)]);
  const [, told, ...others] = server.to(to);
  expect(others).toEqual([]);
  expect(told?.email.subject).toBe('Refund of USD 5.00 from Ceylon Tea House');
  for (const part of [told?.email.text, told?.email.html])
    for (const said of ['Your refund is paid', '5.00 USDT', DESTINATION, txHash, 'USD 25.00', payment.id])
      expect(part).toContain(said);
  expect(told?.email.text, 'what the merchant wrote for itself stays with it').not.toContain('Sold out.');
});

test.for([
  ['es', 'Recibo · 25,00 USD a Ceylon Tea House', 'Gracias. Ceylon Tea House tiene su pago.'],
  ['fr', 'Reçu · 25,00 USD à Ceylon Tea House', 'Merci. Ceylon Tea House a votre paiement.'],
  ['si', 'රිසිට්පත · Ceylon Tea House වෙත USD 25.00', 'ස්තුතියි. ඔබේ ගෙවීම Ceylon Tea Houseට ලැබුණා.'],
  ['ta', 'பற்றுச்சீட்டு · Ceylon Tea House க்கு USD 25.00', 'நன்றி. உங்கள் கொடுப்பனவு Ceylon Tea House க்குக் கிடைத்தது.'],
] as const)('the shop may say that its payer reads %s', async ([locale, subject, thanks], { service, merchant }) => {
  const to = somebody();
  const payment = await ask(merchant, { customerEmail: to, locale });
  await pay(service, payment);
  await mail(service);
  const { email, raw } = only(server.to(to));
  expect(email.subject?.replaceAll('\u00a0', ' ')).toBe(subject);
  expect([email.text, email.html?.includes(`lang="${locale}"`)]).toEqual([expect.stringContaining(thanks), true]);
  expect(email.html).toContain(thanks);
  expect(raw, 'headers are ASCII').toMatch(/^[\x20-\x7e\r\n\t]*?\r\n\r\n/);
});

test('the language in which the payer read the page wins, until it is paid', async ({ service, merchant }) => {
  const to = somebody();
  const payment = await ask(merchant, { customerEmail: to, locale: 'fr' });
  const open = (id: string, headers: Record<string, string>) =>
    service.send('GET', `/checkout/payment/${id}`, { headers });
  await open(payment.id, { 'accept-language': 'ta, en;q=0.5' });
  await open(payment.id, { 'accept-language': '' });
  await pay(service, payment);
  await open(payment.id, { 'accept-language': 'es' });
  await mail(service);
  expect(header(only(server.to(to)), 'content-language')).toBe('ta');

  const session = await merchant.client.checkout.sessions.create({
    ...{ amount: 25, currency: 'USD', customerEmail: somebody() },
    ...{ successUrl: 'https://shop.example/thanks', cancelUrl: 'https://shop.example/cart' },
  });
  await service.send('GET', `/checkout/session/${session.sessionId}?lang=si`);
  const read = await service.db
    .selectFrom('payments')
    .select('locale')
    .where('session_id', '=', session.sessionId)
    .executeTakeFirst();
  expect(read).toEqual({ locale: 'si' });
});

test('no name and no address of anybody ends a header, adds one, or leaves the text', async ({ service }) => {
  const hostile = [
    'Tea <script>alert(1)</script> "House"',
    'a@b.example, c@d.example',
    'Tea =?utf-8?q?=0d=0aBcc:_x=40y.example?=',
    'Tea \u202Egpj.exe',
    'Tea\u2028Bcc: x@y.example',
  ];
  for (const businessName of hostile) {
    const merchant = await service.activeMerchant({ businessName });
    const to = somebody();
    await pay(service, await ask(merchant, { customerEmail: to, description: `<b>${businessName}</b>` }));
    await mail(service);
    const arrived = only(server.to(to));
    expect(arrived.to).toEqual([to]);
    expect(arrived.email.headers.map(({ key }) => key).sort()).toEqual([
      ...['auto-submitted', 'content-language', 'content-type', 'date', 'from', 'message-id', 'mime-version'],
      ...['subject', 'to'],
    ]);
    expect(arrived.email.from).toEqual({ name: 'Kasi', address: 'receipts@kasi.example' });
    expect(arrived.email.subject).not.toMatch(/[\r\n\u202e\u2028]/);
    expect(arrived.email.html).not.toMatch(/<script|<b>/);
  }
  for (const address of ['"a, b@c.example"@d.example', "o'neil+tea@example.org"]) {
    const merchant = await service.activeMerchant();
    const created = await ask(merchant, { customerEmail: address }).catch(() => null);
    if (created === null) continue;
    await pay(service, created);
    await mail(service);
    const [row] = await rows(service, created.id);
    const isPlain = !address.startsWith('"');
    expect(row).toMatchObject(isPlain ? { status: 'sent' } : { status: 'dropped', failure: 'address' });
    expect(server.to(address)).toHaveLength(isPlain ? 1 : 0);
  }
});

test('an address gets three mails of a merchant a day, and ten of all; what is over that waits', async ({
  service,
}) => {
  const merchants = await Promise.all(Array.from({ length: 4 }, () => service.activeMerchant()));
  for (let i = 0; i < 16; i += 1) {
    const customerEmail = i % 3 ? `victim+${i}@example.org` : 'Victim@example.org';
    await pay(service, await ask(merchants[i % 4]!, { customerEmail }));
  }
  await Promise.all([mail(service), mail(service)]);
  const got = () => server.mails.filter(({ to }) => /^victim/i.test(to[0] ?? '')).length;
  expect(got()).toBe(10);
  expect(await waiting(service)).toBe(6);
  service.clock.advance(DAY_MS + 1000);
  await mail(service);
  expect(got(), 'they come as soon as the day is over').toBe(16);
});

test('who pays three times in the name of another person does not suppress what that one gets of the merchant', async ({
  service,
  merchant,
}) => {
  const to = somebody();
  for (let i = 0; i < 3; i += 1) await pay(service, await ask(merchant, { customerEmail: to }));
  await mail(service);
  service.clock.advance(DAY_MS / 2);
  const own = await ask(merchant, { customerEmail: to });
  await pay(service, own);
  await mail(service);
  expect(server.to(to)).toHaveLength(3);
  expect(await rows(service, own.id)).toMatchObject([
    { status: 'queued', failure: 'limit_recipient', next_attempt_at: after(service.clock.now(), DAY_MS / 2) },
  ]);
  // Just before and just when there is room again, the other pays three times once more.
  const others: { id: string }[] = [];
  for (const ms of [DAY_MS / 2 - 1, 1]) {
    service.clock.advance(ms);
    for (let i = 0; i < 2; i += 1) {
      const again = await ask(merchant, { customerEmail: to });
      others.push(again);
      await pay(service, again);
    }
    await mail(service);
  }
  expect(await rows(service, own.id)).toMatchObject([{ status: 'sent' }]);
  expect(server.to(to)).toHaveLength(6);
  expect((await Promise.all(others.map(({ id }) => rows(service, id)))).flat().map(({ status }) => status)).toEqual([
    ...['sent', 'sent', 'queued', 'queued'],
  ]);
});

test.for([
  [5, 'limit_payment', 'of a payment'],
  [2000, 'limit_merchant', 'of a merchant a day'],
] as const)('%i mails and no more %s: %s', async ([most, failure], { service }) => {
  const merchant = await service.activeMerchant();
  const [first, second] = [await ask(merchant, { customerEmail: somebody() }), await ask(merchant)];
  const paymentId = failure === 'limit_payment' ? first.id : second.id;
  const now = service.clock.now();
  await sql`
    insert into mails (id, effect, kind, merchant_id, payment_id, status, failure, created_at, written_at, finished_at)
    select 'mail_' || ${paymentId} || n, 'told:' || ${paymentId} || n, 'receipt', ${merchant.id}, ${paymentId},
      'failed', 'said before', ${now}::timestamptz, ${now}::timestamptz, ${now}::timestamptz
      from generate_series(1, ${most}::integer) n`.execute(service.db);
  await pay(service, first);
  await mail(service);
  expect((await rows(service, first.id)).find((row) => row.status === 'dropped')).toMatchObject({ failure });
});

test('what is not so when it is written is forgotten, and told once it is so', async ({ service, admin }) => {
  const merchant = await service.activeMerchant();
  const to = somebody();
  const payment = await ask(merchant, { customerEmail: to });
  await pay(service, payment);
  await mail(service);
  const { id } = await merchant.client.refunds.create(payment.id, {
    ...{ amount: 5, reason: 'Sold out.', destinationAddress: DESTINATION },
  });
  // As one whose payout a reorg has taken back before it was told.
  const told = { kind: 'refund', merchantId: merchant.id, paymentId: payment.id, refundId: id } as const;
  await inTransaction(service.db, (trx) => enqueueMails(trx, [told], service.clock.now()));
  const early = { kind: 'receipt', merchantId: merchant.id, paymentId: (await ask(merchant)).id } as const;
  await inTransaction(service.db, (trx) => enqueueMails(trx, [{ ...early, refundId: null }], service.clock.now()));
  await mail(service);
  expect([server.to(to).length, (await rows(service, payment.id)).length]).toEqual([1, 1]);
  expect(await rows(service, early.paymentId)).toEqual([]);
  await admin.client.refunds.complete(id, { txHash: newHash() });
  await mail(service);
  expect(server.to(to).map(({ email }) => email.subject)[1]).toBe('Refund of USD 5.00 from Ceylon Tea House');
});

test('what becomes so while it is being forgotten is queued again', async ({ service, merchant }) => {
  const payment = await ask(merchant, { customerEmail: somebody() });
  const told = { kind: 'receipt', merchantId: merchant.id, paymentId: payment.id, refundId: null } as const;
  const queue = () => inTransaction(service.db, (trx) => enqueueMails(trx, [told], service.clock.now()));
  await queue();
  let again: Promise<void> | undefined;
  await inTransaction(service.db, async (trx) => {
    const mine = await lockQueued(trx, service.clock.now());
    expect(mine?.paymentId).toBe(payment.id);
    await forgetMail(trx, mine?.id ?? '');
    again = queue();
    await vi.waitUntil(async () => {
      const { rows: waiting } = await sql`
        select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`.execute(
        service.db,
      );
      return waiting.length > 0;
    }, 60_000);
  });
  await again;
  expect(await rows(service, payment.id)).toMatchObject([{ status: 'queued' }]);
});

test('whoever types an address into a link is told that a receipt may come there', async ({ service, merchant }) => {
  const { slug } = await merchant.client.paymentLinks.create({ title: 'Tea', amount: 5 });
  const { text } = await service.send('GET', `/checkout/pay/${slug}`);
  expect(text).toContain('If Ceylon Tea House sends receipts by e-mail, yours comes there.');
  const to = somebody();
  const payment = await service.client().public.paymentLinks.startPayment(slug, { customerEmail: to });
  await service.send('GET', `/checkout/payment/${payment.id}?lang=fr`);
  await pay(service, payment, '5');
  await mail(service);
  expect(header(only(server.to(to)), 'content-language')).toBe('fr');
});

test('addresses and words are gone a week after a mail was sent; that it was sent stays', async ({
  service,
  merchant,
}) => {
  const to = somebody();
  const payment = await ask(merchant, { customerEmail: to });
  await pay(service, payment);
  await mail(service);
  service.clock.advance(7 * DAY_MS - 1000);
  await service.runJob('mail.clear');
  expect(await rows(service, payment.id)).toMatchObject([{ recipient: to, cleared_at: null }]);
  service.clock.advance(2000);
  await service.runJob('mail.clear');
  const empty = { recipient: null, recipient_key: null, subject: null, text_body: null, html_body: null };
  expect(await rows(service, payment.id)).toMatchObject([{ status: 'sent', ...empty, cleared_at: expect.any(Date) }]);
});
