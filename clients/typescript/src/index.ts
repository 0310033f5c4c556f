export {
  type CertificationCheck,
  type CertificationEvent,
  type CertificationReport,
  type CertifyOptions,
  certifyHandler,
  createTestWebhookKey,
} from './certification.ts';
export { type Client, type ClientOptions, createClient } from './client.ts';
export type { ClientErrorCode, KasiErrorCode, SharedErrorCode } from './error-codes.ts';
export { KasiError, type KasiErrorOf } from './errors.ts';
export type { Fetch } from './failures.ts';
export { EventFeedError, type EventFeedReason, type EventPosition, type HandleEvent } from './feed.ts';
export {
  InstructionsVerificationError,
  type InstructionsVerificationReason,
  type VerifiedInstructions,
  type VerifyInstructionsOptions,
  verifyInstructions,
} from './instructions.ts';
export type { Method, Result } from './method.ts';
export type * from './models.ts';
export { requestIdOf } from './request-ids.ts';
export type { SessionTokens } from './session.ts';
export { type RequestToSign, type SignatureHeaders, signRequest } from './signature.ts';
export { type SignedTestWebhook, signTestWebhook } from './test-webhooks.ts';
export type { CallOptions, HttpClient, IdempotentCallOptions } from './transport.ts';
export type { WebhookPublicKey } from './webhook-keys.ts';
export {
  type VerifyWebhookOptions,
  verifyWebhook,
  type WebhookHeaders,
  WebhookVerificationError,
  type WebhookVerificationReason,
} from './webhooks.ts';
