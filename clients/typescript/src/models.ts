import type { components } from './generated/api.ts';
import type { WebhookEndpointDisabledEvent, WebhookEvent } from './generated/models.ts';

/** Every type of the contract, by name. */
export type Schemas = components['schemas'];

/** The same for an `import`: every request, query and answer, every part of them, and every event. */
export type * from './generated/models.ts';

export type WebhookEventType = WebhookEvent['type'];
/** The event of one type, for a function that handles it: `WebhookEventOf<'payment.completed'>`. */
export type WebhookEventOf<Type extends WebhookEventType> = Extract<WebhookEvent, { type: Type }>;
/**
 * Any event of the feed: those that webhooks bring, and the one that is never delivered, because it announces that the
 * endpoint is disabled.
 */
export type FeedEvent = WebhookEvent | WebhookEndpointDisabledEvent;
