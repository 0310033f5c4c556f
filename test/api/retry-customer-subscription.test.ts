import { expect } from 'vitest';
import { test } from '../fixture.ts';
import type { TestService } from '../harness.ts';
import { beginSession } from '../support/customers.ts';
import { customerWallet, makePastDue, subscribe } from '../support/subscriptions.ts';

const nextAction = async ({ db }: TestService, id: string) =>
  (await db.selectFrom('subscriptions').select('next_action_at').where('id', '=', id).executeTakeFirstOrThrow())
    .next_action_at;

test('makes a failed charge due at once, however often it is pressed', async ({ service, merchant }) => {
  const { id } = await subscribe(merchant.client);
  await makePastDue(service.db, id, service.clock.now());
  const { token } = await beginSession(service.client());
  const { customers } = service.client().public;
  expect(await nextAction(service, id)).not.toEqual(service.clock.now());
  for (let time = 0; time < 2; time += 1) {
    expect(await customers.subscriptions.retry(token, id)).toMatchObject({ id, status: 'past_due' });
    expect(await nextAction(service, id)).toEqual(service.clock.now());
  }
  const entries = service.db.selectFrom('audit_log').selectAll().where('action', '=', 'subscription.retry');
  expect((await entries.execute())[0]).toMatchObject({
    ...{ resource_id: id, actor_type: 'system', actor_id: 'payer', merchant_id: merchant.id, ip_address: '' },
  });
});

test('refuses where nothing has failed', async ({ service, merchant }) => {
  const { id } = await subscribe(merchant.client);
  const { token } = await beginSession(service.client());
  await expect(service.client().public.customers.subscriptions.retry(token, id)).rejects.toMatchObject({
    ...{ status: 409, code: 'CONFLICT' },
  });
});

test('answers 404 for a subscription of another wallet, an unknown one, and without a session', async ({
  service,
  merchant,
}) => {
  const { id } = await subscribe(merchant.client, {}, 41);
  await makePastDue(service.db, id, service.clock.now());
  const before = await nextAction(service, id);
  const { token } = await beginSession(service.client(), customerWallet(42));
  const { customers } = service.client().public;
  for (const [session, subscription] of [
    [token, id],
    [token, 'sub_unknown'],
    ['A'.repeat(43), id],
  ] as const) {
    await expect(customers.subscriptions.retry(session, subscription)).rejects.toMatchObject({ status: 404 });
  }
  expect(await nextAction(service, id)).toEqual(before);
});
