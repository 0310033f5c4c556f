import { expect, expectTypeOf, test } from 'vitest';
import type { FeedEvent } from '../../clients/typescript/src/index.ts';
import type { components, operations, webhooks } from '../../generated/api.ts';
import { type OperationId, operationMeta } from '../../generated/operations.ts';

type WebhookEvent = components['schemas']['WebhookEvent'];

test("an event's type determines the type of its data", () => {
  const subject = (event: WebhookEvent): string => {
    switch (event.type) {
      case 'payment.completed':
        return event.data.cryptoAddress;
      case 'checkout.session.completed':
        return event.data.paymentId;
      case 'payment_link.created':
        return event.data.slug;
      case 'merchant.status_changed':
        return event.data.businessName;
      default:
        return event.data.id;
    }
  };
  expectTypeOf(subject).parameter(0).toEqualTypeOf<WebhookEvent>();
});

test('the webhooks, their union and the list of event types name the same events, except the one that is only in the feed', () => {
  expectTypeOf<WebhookEvent['type'] | 'webhook.endpoint_disabled'>().toEqualTypeOf<keyof webhooks>();
  expectTypeOf<FeedEvent['type']>().toEqualTypeOf<keyof webhooks>();
  expectTypeOf<components['schemas']['EventType']>().toEqualTypeOf<keyof webhooks>();
});

test('the table of operations and the types name the same operations, each with a success', () => {
  expectTypeOf<OperationId>().toEqualTypeOf<keyof operations>();
  for (const [id, meta] of Object.entries(operationMeta)) expect(meta.successStatus.length, id).toBeGreaterThan(0);
});

test('a field with a default is optional in requests', () => {
  const shortest: components['schemas']['CreatePaymentLinkRequest'] = { title: 'Donation', amount: 5 };
  expect(Object.keys(shortest)).toEqual(['title', 'amount']);
});
