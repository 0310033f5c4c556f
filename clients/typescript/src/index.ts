export { type Client, type ClientOptions, createClient } from './client.ts';
export { KasiError, type KasiErrorCode } from './errors.ts';
export type * from './models.ts';
export type { SessionTokens } from './session.ts';
export type { CallOptions, Fetch, HttpClient } from './transport.ts';
export type { WebhookPublicKey } from './webhook-keys.ts';
export {
  type SignedTestWebhook,
  signTestWebhook,
  type VerifyWebhookOptions,
  verifyWebhook,
  type WebhookHeaders,
  WebhookVerificationError,
  type WebhookVerificationReason,
} from './webhooks.ts';
