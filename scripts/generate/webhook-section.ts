import { type JsonMap, mapOf } from '../contract/outline.ts';
import { mapEntries } from './schemas.ts';

const HEADERS = ['WebhookId', 'WebhookTimestamp', 'WebhookSignature'];

/**
 * The contract with what is the same for all that webhooks bring: a tag of its own, since `webhooks` are operations;
 * the headers that a signature comes in; and an operationId, `onPaymentCompleted`.
 */
export function withWebhookParts<Contract>(contract: Contract): Contract {
  const document = contract as JsonMap;
  const webhooks = mapEntries(mapOf(document['webhooks']), (type, item) =>
    mapEntries(mapOf(item), (_, operation) => ({
      ...mapOf(operation),
      operationId: idOf(type),
      tags: ['webhook-events'],
      parameters: HEADERS.map((name) => ({ $ref: `#/components/parameters/${name}` })),
    })),
  );
  return { ...document, webhooks } as Contract;
}

const idOf = (type: string): string =>
  `on${type
    .split(/[._]/)
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join('')}`;
