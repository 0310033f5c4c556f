import { expect } from 'vitest';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../src/lib/clock.ts';
import { claimMails } from '../../src/mail/queries.ts';
import { serviceTest } from '../fixture.ts';
import type { TestMerchant, TestService } from '../harness.ts';
import { type Say, startMailServer } from '../support/mail-server.ts';
import { PAYER } from '../support/refunds.ts';

let server = await startMailServer();
const { port } = server;
const env = { SMTP_URL: `smtp://kasi:s%3Acret@127.0.0.1:${port}`, MAIL_FROM: 'receipts@kasi.example' };
const test = serviceTest({ env });
test.afterEach(async () => {
  server.says = {};
});
test.afterAll(() => server.close());

let people = 0;
/** A payment that was just paid by somebody whose address is returned. */
async function paid(service: TestService, owner?: TestMerchant): Promise<string> {
  people += 1;
  const customerEmail = `kamala${people}@example.org`;
  const { client } = owner ?? (await service.activeMerchant());
  const payment = await client.payments.create({ amount: 5, currency: 'USD', acceptedTokens: ['USDT'], customerEmail });
  await service.chain.transfer(payment, { amount: '5', from: PAYER.address });
  await service.runPaymentJobs();
  return customerEmail;
}

const mail = (service: TestService) => service.runJob('mail.send');
const row = (service: TestService, recipient: string) =>
  service.db.selectFrom('mails').selectAll().where('recipient', '=', recipient).executeTakeFirstOrThrow();
const health = (service: TestService) => service.db.selectFrom('mail_server').selectAll().executeTakeFirstOrThrow();
const incidents = (service: TestService) =>
  service.db.selectFrom('incidents').selectAll().where('kind', '=', 'mail.failing').orderBy('id').execute();
const at = (service: TestService, ms: number) => new Date(service.clock.now().getTime() + ms);
const always = (code: number, text: string) => (): Say => ({ code, text });

test('logs in, and brings a mail again that the server puts off, until it is taken', async ({ service }) => {
  const to = await paid(service);
  server.says.to = always(450, 'try again later');
  await mail(service);
  expect(await row(service, to)).toMatchObject({
    ...{ status: 'pending', attempts: 1, failure: '450 at RCPT TO', locked_by: null },
    next_attempt_at: at(service, MINUTE_MS),
  });
  expect((await health(service)).failing_since, 'it is about one address').toBeNull();
  service.clock.advance(MINUTE_MS - 1);
  await mail(service);
  expect((await row(service, to)).attempts).toBe(1);
  service.clock.advance(1);
  server.says = {};
  await mail(service);
  expect(await row(service, to)).toMatchObject({ status: 'sent', attempts: 2, failure: null });
  expect(server.to(to)).toHaveLength(1);
  expect(server.to(to)[0]).toMatchObject({ user: 'kasi', from: 'receipts@kasi.example' });
});

test('a server that failed while a clock ran a month ahead is looked at again by a clock that is right', async ({
  service,
}) => {
  const now = service.clock.now();
  service.clock.advance(30 * 24 * 60 * MINUTE_MS);
  server.says.from = always(421, 'closing');
  await paid(service);
  await mail(service);
  expect((await health(service)).failing_since).not.toBeNull();
  service.clock.set(now);
  server.says = {};
  const to = await paid(service);
  await mail(service);
  expect(await row(service, to)).toMatchObject({ status: 'sent' });
  expect((await health(service)).failing_since).toBeNull();
  await service.db.deleteFrom('mails').where('status', '=', 'pending').execute(); // Later tests are before it is due.
});

test('a mail that is put off for a day is given up', async ({ service }) => {
  const to = await paid(service);
  server.says.to = always(450, 'mailbox busy');
  for (let hours = 0; hours < 30; hours += 1) {
    await mail(service);
    service.clock.advance(HOUR_MS);
  }
  const { status, attempts, finished_at, created_at } = await row(service, to);
  expect([status, attempts]).toEqual(['failed', 10]);
  expect(finished_at!.getTime() - created_at.getTime()).toBeLessThanOrEqual(DAY_MS);
});

test('a mail that is refused fails at once, and no other with it', async ({ service }) => {
  const [nobody, somebody] = [await paid(service), await paid(service)];
  server.says.to = (to) => (to === nobody ? { code: 550, text: `5.1.1 ${nobody} does not live here` } : undefined);
  await mail(service);
  expect(await row(service, nobody)).toMatchObject({ status: 'failed', attempts: 1, next_attempt_at: null });
  const { failure } = await row(service, nobody);
  expect(failure, 'the words of the server are not kept: they name people').toBe('550 5.1.1 at RCPT TO');
  expect(await row(service, somebody)).toMatchObject({ status: 'sent' });
  server.says = { data: always(554, 'this is no mail') };
  const third = await paid(service);
  await mail(service);
  expect(await row(service, third)).toMatchObject({ status: 'failed', failure: '554 at DATA' });
});

test('a server that is down costs a look now and then, opens an incident, and ends it when it is back', async ({
  service,
  admin,
}) => {
  await server.close();
  const waiting = [
    await paid(service),
    await paid(service),
    await paid(service),
    await paid(service),
    await paid(service),
  ];
  await mail(service);
  const failed = await Promise.all(waiting.map((to) => row(service, to)));
  expect(failed.map(({ attempts }) => attempts).sort(), 'it was tried with four at once').toEqual([0, 1, 1, 1, 1]);
  expect(failed.every(({ status }) => status === 'pending')).toBe(true);
  expect(await health(service)).toMatchObject({ failures: 1, failing_since: service.clock.now() });
  await mail(service);
  expect((await health(service)).failures, 'it is left alone for a while').toBe(1);
  const since = service.clock.now();
  for (let i = 0; i < 5; i += 1) {
    expect(await incidents(service)).toEqual([]);
    service.clock.advance(2 * MINUTE_MS);
    await mail(service);
  }
  const attempts = (await Promise.all(waiting.map((to) => row(service, to)))).map((each) => each.attempts);
  expect(
    attempts.reduce((sum, each) => sum + each, 0),
    'one mail a look',
  ).toBeLessThanOrEqual(9);
  service.clock.advance(5 * MINUTE_MS);
  await mail(service);
  const [incident, ...others] = await incidents(service);
  expect(others).toEqual([]);
  expect(incident).toMatchObject({
    ...{ subject: `127.0.0.1:${port}`, resolved_at: null },
    message: `127.0.0.1:${port} has taken no mail since ${since.toISOString()}: ESOCKET.`,
  });
  expect((await admin.client.incidents.list({ kind: 'mail.failing' })).data[0]).toMatchObject({
    ...{ resourceType: 'mail_server', severity: 'warning' },
  });
  server = await startMailServer({}, port);
  service.clock.advance(15 * MINUTE_MS);
  await mail(service);
  for (const to of waiting) expect(server.to(to)).toHaveLength(1);
  expect((await incidents(service)).map(({ resolved_at }) => resolved_at)).toEqual([service.clock.now()]);
  expect(await health(service)).toMatchObject({ failing_since: null, failures: 0 });
});

test('a server that refuses our login or sender is the trouble of no mail, also when no mail is left', async ({
  service,
}) => {
  for (const says of [
    { login: always(535, 'no') },
    { from: always(553, 'not yours') },
    { data: always(451, 'disk full') },
  ]) {
    const to = await paid(service);
    await closeConnections();
    server.says = says;
    await mail(service);
    expect(await row(service, to)).toMatchObject({ status: 'pending', attempts: 1 });
    expect((await health(service)).failing_since).not.toBeNull();
    server.says = {};
    service.clock.advance(15 * MINUTE_MS);
    await mail(service);
    expect(await row(service, to)).toMatchObject({ status: 'sent' });
    expect((await health(service)).failing_since).toBeNull();
  }
  const lost = await paid(service);
  await closeConnections();
  server.says = { login: always(535, 'no') };
  await mail(service);
  service.clock.advance(DAY_MS + HOUR_MS);
  await service.runJob('mail.clear');
  expect(await row(service, lost)).toMatchObject({ status: 'failed', failure: '535 at AUTH PLAIN' });
  await mail(service);
  expect(await health(service), 'looked at without a mail').toMatchObject({ failures: 2 });
  server.says = {};
  service.clock.advance(5 * MINUTE_MS);
  await mail(service);
  expect(await health(service)).toMatchObject({ failing_since: null });
});

test('mails that a content filter refuses fail, and keep no other waiting', async ({ service }) => {
  const refused = [await paid(service), await paid(service), await paid(service), await paid(service)];
  server.says.data = (to) => (refused.includes(to) ? { code: 554, text: '5.7.1 spam message rejected' } : undefined);
  const taken = await paid(service);
  await mail(service);
  for (const to of refused)
    expect(await row(service, to)).toMatchObject({ status: 'failed', failure: '554 5.7.1 at DATA' });
  expect(await row(service, taken)).toMatchObject({ status: 'sent' });
  expect((await health(service)).failing_since).toBeNull();
});

test('a recipient that is refused by a policy is put off; two that are, with nothing taken, are the trouble of the server', async ({
  service,
}) => {
  service.clock.advance(10 * MINUTE_MS);
  server.says.to = always(554, '5.7.1 relaying denied');
  const first = await paid(service);
  await mail(service);
  expect(await row(service, first)).toMatchObject({ status: 'pending', attempts: 1, troubles: 1 });
  expect((await health(service)).failing_since, 'one says nothing of others').toBeNull();
  await paid(service);
  await mail(service);
  expect((await health(service)).failing_since).toEqual(service.clock.now());
  for (let minutes = 0; minutes < 12; minutes += 2) {
    service.clock.advance(2 * MINUTE_MS);
    await paid(service);
    await mail(service);
  }
  expect((await incidents(service)).at(-1)).toMatchObject({ resolved_at: null });
  server.says = {};
  service.clock.advance(15 * MINUTE_MS);
  await mail(service);
  expect((await incidents(service)).at(-1)).toMatchObject({ resolved_at: service.clock.now() });
});

test('whose mails meet trouble again and again does not stop the mails of others', async ({ service }) => {
  const owner = await service.activeMerchant();
  const poison: string[] = [];
  for (let i = 0; i < 6; i += 1) poison.push(await paid(service, owner));
  server.says.data = (to) => (poison.includes(to) ? { code: 451, text: '4.7.1 suspicious' } : undefined);
  await mail(service);
  expect((await health(service)).failing_since, 'four at once, and none was taken').not.toBeNull();
  const honest = await paid(service);
  service.clock.advance(15_000);
  await mail(service);
  expect(await row(service, honest)).toMatchObject({ status: 'sent', attempts: 1 });
  server.says = {};
  service.clock.advance(15 * MINUTE_MS);
  await mail(service);
  for (const to of poison) expect(await row(service, to)).toMatchObject({ status: 'sent' });
});

/** A server that was restarted: connections that stand know nothing of what it says now. */
async function closeConnections(): Promise<void> {
  await server.close();
  server = await startMailServer({}, port);
}

test('a process that dies between claim and answer leaves a lease, after which another one sends', async ({
  service,
}) => {
  const to = await paid(service);
  server.says.to = always(450, 'later');
  await mail(service);
  service.clock.advance(MINUTE_MS);
  server.says = {};
  const [claimed] = await claimMails(service.db, 'a process that was killed', service.clock.now(), 1);
  expect(claimed).toMatchObject({ recipient: to, attempt: 2 });
  await Promise.all([mail(service), mail(service)]);
  expect(server.to(to)).toEqual([]);
  await service.db
    .updateTable('mails')
    .set({ locked_until: new Date(Date.now() - 1000) })
    .where('recipient', '=', to)
    .execute();
  await Promise.all([mail(service), mail(service), mail(service)]);
  expect(server.to(to)).toHaveLength(1);
  expect(await row(service, to)).toMatchObject({ status: 'sent', attempts: 3 });
});

test('metrics say what was sent and what waits', async ({ service }) => {
  server.says.to = always(450, 'later');
  await paid(service);
  await mail(service);
  service.clock.advance(3 * MINUTE_MS);
  const text = await service.metrics();
  expect(text).toMatch(/^kasi_mails_day\{status="sent"\} \d+$/m);
  expect(text).toMatch(/^kasi_queue_oldest_due_seconds\{queue="mails"\} 120$/m);
});
