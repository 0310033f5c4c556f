import pg from 'pg';
import { pino } from 'pino';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openIncident } from '../../src/incidents/incidents.ts';
import { startService, type TestService } from '../harness.ts';
import { urlsOf } from '../support/database.ts';
import { startMailServer } from '../support/mail-server.ts';
import { startReceiver } from '../support/receiver.ts';
import { PAYER } from '../support/refunds.ts';

const [mails, alerts] = [await startMailServer(), await startReceiver()];
let service: TestService;
let owner: pg.Client;
beforeAll(async () => {
  const env = { SMTP_URL: mails.url, MAIL_FROM: 'receipts@kasi.example', ALERT_WEBHOOK_URL: alerts.url };
  // What can not be recorded is logged.
  service = await startService({ env, logger: pino({ level: 'silent' }) });
  owner = new pg.Client({ connectionString: (await urlsOf(service.db)).ownerUrl });
  await owner.connect();
});
afterAll(async () => {
  await owner.end();
  await service.close();
  await mails.close();
  await alerts.close();
});

/** Ends the session that is the first to write what became of a row of the table; later ones may. */
const endFirstRecord = (table: string, isRecord: string) =>
  owner.query(`
    create sequence ${table}_faults; grant usage on sequence ${table}_faults to public;
    create function ${table}_fault() returns trigger language plpgsql as $$ begin
      if nextval('${table}_faults') = 1 then perform pg_terminate_backend(pg_backend_pid()); end if; return new; end $$;
    create trigger fault before update on ${table} for each row when (${isRecord}) execute function ${table}_fault()`);

/** As if the time of a lease had passed. */
const endLeases = (table: string) =>
  owner.query(`update ${table} set locked_until = clock_timestamp() - interval '1 second'
    where locked_until is not null`);

test('a mail whose record fails with its connection is recorded by another one, and not sent twice', async () => {
  await endFirstRecord('mails', `new.status = 'sent'`);
  const { client } = await service.activeMerchant();
  const customerEmail = 'kamala@example.org';
  const payment = await client.payments.create({ amount: 5, currency: 'USD', acceptedTokens: ['USDT'], customerEmail });
  await service.chain.transfer(payment, { from: PAYER.address });
  await service.runPaymentJobs();
  await service.runJob('mail.send');
  await endLeases('mails');
  await service.runJob('mail.send');
  expect((await owner.query('select status, attempts from mails')).rows).toEqual([{ status: 'sent', attempts: 1 }]);
  expect(mails.to(customerEmail)).toHaveLength(1);
});

test('an alert whose record fails with its connection is recorded by another one, and not sent twice', async () => {
  await endFirstRecord('incident_alerts', 'new.delivered_at is not null');
  const incident = { kind: 'tallies.drift', subject: 'payments', message: 'they differ' } as const;
  await openIncident(service.db, incident, service.clock.now());
  await service.runJob('incidents.alert');
  await endLeases('incident_alerts');
  await service.runJob('incidents.alert');
  const { rows } = await owner.query('select attempts, delivered_at is not null as "isTold" from incident_alerts');
  expect(rows).toEqual([{ attempts: 1, isTold: true }]);
  expect(alerts.received).toHaveLength(1);
});
