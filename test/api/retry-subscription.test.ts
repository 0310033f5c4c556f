import { expect } from 'vitest';
import { test } from '../fixture.ts';
import { makePastDue, subscribe } from '../support/subscriptions.ts';

test('makes a failed charge due now, and announces nothing before the attempt', async ({ service, merchant }) => {
  const { id } = await subscribe(merchant.client);
  await makePastDue(service.db, id, service.clock.now());
  service.clock.advance(60_000);
  const now = service.clock.now();
  const retried = await merchant.client.subscriptions.retry(id);
  expect(retried).toMatchObject({
    status: 'past_due',
    nextRetryAt: now.toISOString(),
    nextChargeAt: now.toISOString(),
  });
  expect(await merchant.client.subscriptions.get(id)).toEqual(retried);
  const row = service.db.selectFrom('subscriptions').select(['next_action_at', 'event_sequence']).where('id', '=', id);
  expect(await row.executeTakeFirst()).toEqual({ next_action_at: now, event_sequence: 1 });
  const entries = service.db.selectFrom('audit_log').select('actor_id').where('action', '=', 'subscription.retry');
  expect(await entries.execute()).toEqual([{ actor_id: merchant.id }]);
});

test('refuses a charge that has not failed', async ({ merchant }) => {
  const { id } = await subscribe(merchant.client, { trialDays: 3 });
  const refused = (status: string) => ({
    status: 409,
    code: 'CONFLICT',
    message: `This subscription is ${status}; only one that is past_due can be retried.`,
  });
  await expect(merchant.client.subscriptions.retry(id)).rejects.toMatchObject(refused('trialing'));
  await merchant.client.subscriptions.cancel(id);
  await expect(merchant.client.subscriptions.retry(id)).rejects.toMatchObject(refused('cancelled'));
});
