import { expect } from 'vitest';
import { inTransaction } from '../../src/db/transaction.ts';
import { parkCredits } from '../../src/payments/credits.ts';
import { test } from '../fixture.ts';
import { auditOf } from '../support/audit.ts';
import { openTestIncident } from '../support/incidents.ts';

test('takes up parked transfers again, without SQL; the incident ends when they are counted', async ({
  service,
  merchant,
}) => {
  const { client } = await service.admin(['incidents.view', 'incidents.manage']);
  const payment = await merchant.client.payments.create({ amount: 25, currency: 'USD' });
  const paymentId = payment.id;
  await service.chain.transfer(payment);
  const now = service.clock.now();
  await inTransaction(service.db, (trx) => parkCredits(trx, paymentId, 'A fault of ours.', now));
  const id = await openTestIncident(service, { kind: 'payment.parked', subject: paymentId });
  await service.runPaymentJobs();
  expect(await merchant.client.payments.get(paymentId)).toMatchObject({ status: 'initiated' });

  const { retry } = await client.incidents.get(id);
  expect(retry).toContain('counted at once');
  expect(await client.incidents.retry(id)).toMatchObject({ status: 'open' });
  await service.runPaymentJobs();
  expect(await merchant.client.payments.get(paymentId)).not.toMatchObject({ status: 'initiated' });
  expect(await client.incidents.get(id)).toMatchObject({ status: 'resolved', resolvedBy: null });
  expect(await auditOf(service, id, 'incident.retry')).toMatchObject([
    { metadata: { kind: 'payment.parked', subject: paymentId } },
  ]);
  await expect(client.incidents.retry(id)).rejects.toMatchObject({ status: 409 });
});

test('refuses kinds of which nothing can be tried again', async ({ service, admin }) => {
  const id = await openTestIncident(service, { kind: 'payment.reversed', subject: 'pay_1' });
  await expect(admin.client.incidents.retry(id)).rejects.toMatchObject({
    ...{ status: 409, message: 'Nothing can be tried again for an incident of the kind payment.reversed.' },
  });
  await expect(admin.client.incidents.retry('inc_1')).rejects.toMatchObject({ status: 404 });
});
