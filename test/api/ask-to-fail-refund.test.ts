import { expect } from 'vitest';
import { test } from '../fixture.ts';
import { claimed } from '../support/refunds.ts';

const notes = 'Nothing was signed.';

test('is taken only for what is being paid, with a note to read', async ({ service, admin }) => {
  const merchant = await service.activeMerchant();
  const { id } = await claimed(service, merchant);
  await expect(admin.client.refunds.askToFail(id, { notes })).rejects.toMatchObject({
    ...{ status: 409, message: 'This refund is pending; to ask to fail it, it must be processing.' },
  });
  await admin.client.refunds.process(id, {});
  await expect(admin.client.refunds.askToFail(id, { notes: ' ' })).rejects.toMatchObject({
    ...{ status: 400, fields: [{ path: 'notes' }] },
  });
  const failRequestedAt = service.clock.now().toISOString();
  expect(await admin.client.refunds.askToFail(id, { notes: ` ${notes} ` })).toMatchObject({
    ...{ status: 'processing', failRequestedBy: admin.id, failRequestedAt, notes },
  });
  expect(await (await service.admin()).client.refunds.get(id)).toMatchObject({ failRequestedBy: admin.id, notes });
  const audited = service.db.selectFrom('audit_log').selectAll().where('resource_id', '=', id).orderBy('id');
  expect((await audited.execute()).at(-1)).toMatchObject({ action: 'refund.fail_request', metadata: { notes } });
  expect(await merchant.client.refunds.get(id)).toMatchObject({ status: 'processing' });
});
