import { expect } from 'vitest';
import { openIncident, resolveIncidents } from '../../src/incidents/incidents.ts';
import type { IncidentKind } from '../../src/incidents/kinds.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../src/lib/clock.ts';
import { serviceTest } from '../fixture.ts';
import type { TestService } from '../harness.ts';
import { startMailServer } from '../support/mail-server.ts';

const server = await startMailServer();
const test = serviceTest({ env: { SMTP_URL: server.url, MAIL_FROM: 'Kasi <alerts@kasi.example>' } });
test.afterAll(() => server.close());
test.beforeEach(async ({ service }) => {
  await service.db.updateTable('incidents').set({ resolved_at: service.clock.now() }).execute();
  service.clock.advance(2 * DAY_MS);
  server.mails.length = 0;
});

const open = ({ db, clock }: TestService, kind: IncidentKind, subject: string, message = 'it does not answer') =>
  openIncident(db, { kind, subject, message }, clock.now());

/** A look of the job, and what it leaves for the server. */
async function tell(service: TestService, job: 'incidents.mail' | 'incidents.digest' = 'incidents.mail') {
  await service.runJob(job);
  await service.runJob('mail.send');
}

test('those who may see incidents get what is critical at once, with what to do, and nobody else does', async ({
  service,
}) => {
  const [owner, viewer, clerk, gone] = [
    await service.admin(),
    await service.admin(['incidents.view']),
    await service.admin(['merchants.view']),
    await service.admin(['incidents.view']),
  ];
  await service.db.updateTable('admins').set({ status: 'deactivated' }).where('id', '=', gone.id).execute();
  await open(service, 'network.closed', 'devnet', 'no endpoint <b>answers</b>');
  await open(service, 'tallies.drift', 'payments');
  await tell(service);
  expect(server.mails.flatMap(({ to }) => to)).toEqual(expect.arrayContaining([owner.email, viewer.email]));
  for (const { email } of [clerk, gone]) expect(server.to(email)).toEqual([]);
  const [mail] = server.to(viewer.email);
  expect(mail?.email.subject).toMatch(/^\[Kasi sandbox\] CRITICAL: /);
  expect(mail?.email.text).toContain('no endpoint <b>answers</b>');
  expect(mail?.email.text).toContain('What to do: ');
  expect(mail?.email.text).not.toContain('payments: ');
  expect(mail?.email.html).toContain('no endpoint &lt;b&gt;answers&lt;/b&gt;');
});

test('no mail makes a link of what a merchant calls itself', async ({ service }) => {
  const { email } = await service.admin();
  const merchant = await service.activeMerchant();
  await merchant.client.merchants.update(merchant.id, { businessName: 'Log in: https://kasi-admin.example/login' });
  await tell(service, 'incidents.digest');
  const mail = server.to(email)[0]?.email;
  expect(mail?.text).toContain('Log in: https: //kasi-admin. example/login');
  expect(`${mail?.subject}${mail?.text}${mail?.html}`).not.toContain('kasi-admin.example');
});

test('what opens within five minutes is folded into the next mail, and a subject that comes and goes into one an hour', async ({
  service,
}) => {
  const { email } = await service.admin();
  await open(service, 'network.closed', 'devnet');
  await tell(service);
  for (const subject of ['one', 'two', 'three']) await open(service, 'network.closed', subject);
  await tell(service);
  expect(server.to(email)).toHaveLength(1);
  service.clock.advance(5 * MINUTE_MS);
  await tell(service);
  expect(server.to(email)).toHaveLength(2);
  for (const subject of ['one', 'two', 'three']) expect(server.to(email)[1]?.email.text).toContain(` ${subject}: `);

  await resolveIncidents(service.db, 'network.closed', ['devnet'], service.clock.now());
  await open(service, 'network.closed', 'devnet');
  service.clock.advance(10 * MINUTE_MS);
  await tell(service);
  expect(server.to(email)).toHaveLength(2);
  service.clock.advance(HOUR_MS);
  await tell(service);
  await tell(service);
  expect(server.to(email)).toHaveLength(3);
});

test('a clock that ran a month ahead when it told of one does not silence those of the right time', async ({
  service,
}) => {
  const { email } = await service.admin();
  const now = service.clock.now();
  service.clock.advance(30 * DAY_MS);
  await open(service, 'network.closed', 'ethereum');
  await tell(service);
  service.clock.set(now);
  await open(service, 'network.closed', 'devnet');
  await tell(service);
  expect(server.to(email).map(({ email: { text = '' } }) => text.match(/^- .*/gm))).toEqual([
    [expect.stringContaining(' ethereum: ')],
    [expect.stringContaining(' devnet: ')],
  ]);
  service.clock.advance(31 * DAY_MS); // Later tests are after all of that.
});

test('a flood is told fifty at a time', async ({ service }) => {
  const { email } = await service.admin();
  for (let n = 0; n < 60; n += 1) await open(service, 'network.closed', `net${n}`);
  await tell(service);
  service.clock.advance(5 * MINUTE_MS);
  await tell(service);
  const counts = server.to(email).map(({ email: { text = '' } }) => text.match(/^- /gm)?.length);
  expect(counts).toEqual([50, 10]);
});

test('each morning tells once what is open and what is over, and a quiet morning tells nothing', async ({
  service,
}) => {
  const { email } = await service.admin();
  await tell(service, 'incidents.digest');
  expect(server.mails).toEqual([]);
  await open(service, 'network.closed', 'devnet');
  await open(service, 'tallies.drift', 'payments');
  await open(service, 'tallies.drift', 'links');
  await resolveIncidents(service.db, 'tallies.drift', ['links'], service.clock.now());
  await tell(service, 'incidents.digest');
  await tell(service, 'incidents.digest');
  const [mail, ...more] = server.to(email);
  expect(more).toEqual([]);
  expect(mail?.email.subject).toBe('[Kasi sandbox] 2 open incidents this morning');
  expect(mail?.email.text).toMatch(
    /Open, critical: 1\n\n- .*devnet[\s\S]*Open, warnings: 1\n\n- .*payments[\s\S]*Over since yesterday: 1\n\n- .*links/,
  );
});

test('a server that is away keeps them, and none is stored twice', async ({ service }) => {
  const { email } = await service.admin();
  server.says = { from: () => ({ code: 421, text: 'busy' }) };
  await open(service, 'network.closed', 'devnet');
  await tell(service);
  expect(server.mails).toEqual([]);
  server.says = {};
  service.clock.advance(20 * MINUTE_MS);
  await tell(service);
  expect(server.to(email)).toHaveLength(1);
});
