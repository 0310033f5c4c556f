import { createHash, createHmac } from 'node:crypto';
import type { components } from '../../generated/api.ts';
import { operationMeta } from '../../generated/operations.ts';
import { SCOPES } from '../../src/api-keys/key.ts';
import type { OperationId } from '../../src/ports/operation.ts';
import type { Answer, Sent, TestMerchant, TestService } from '../harness.ts';

type Schemas = components['schemas'];
export type TestKey = Schemas['ApiKeyCreated'];

export type Signing = {
  readonly method: string;
  /** Path and query. */
  readonly target: string;
  readonly body?: string | Uint8Array<ArrayBuffer>;
  /** Unix seconds; by default now, null for none. */
  readonly timestamp?: string | null;
  readonly idempotencyKey?: string;
};

/** The headers of a signed request, written from the documentation rather than with the code under test. */
export function signatureHeaders(key: Pick<TestKey, 'apiKey' | 'apiSecret'>, signing: Signing): Record<string, string> {
  const { method, target, body = '', idempotencyKey = '' } = signing;
  const timestamp = signing.timestamp === undefined ? String(Math.floor(Date.now() / 1000)) : signing.timestamp;
  const digest = createHash('sha256').update(body).digest('hex');
  const text = `${timestamp ?? ''}\n${method}\n${target}\n${digest}\n${idempotencyKey}`;
  return {
    'x-api-key': key.apiKey,
    'x-signature': createHmac('sha256', key.apiSecret).update(text, 'utf8').digest('hex'),
    ...(timestamp === null ? {} : { 'x-timestamp': timestamp }),
    ...(idempotencyKey === '' ? {} : { 'idempotency-key': idempotencyKey }),
  };
}

/** Creates a key of the merchant, by default with every scope. */
export async function createKey(
  service: Pick<TestService, 'send'>,
  { token }: Pick<TestMerchant, 'token'>,
  draft: Partial<Schemas['CreateApiKeyRequest']> = {},
): Promise<TestKey> {
  const asked = { name: 'Web shop', permissions: SCOPES, ...draft };
  const { status, body } = await service.send('POST', '/v1/api-keys', { token, body: asked });
  if (status !== 201) throw new Error(`no key was made: ${JSON.stringify(body)}`);
  return body as TestKey;
}

/** Sends a request signed with the key; `change` overrides the signed headers. */
export function sendSigned(
  service: Pick<TestService, 'send'>,
  key: Pick<TestKey, 'apiKey' | 'apiSecret'>,
  signing: Signing,
  change: Readonly<Record<string, string>> = {},
): Promise<Answer> {
  const { method, target, body } = signing;
  const headers = {
    ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    ...signatureHeaders(key, signing),
    ...change,
  };
  return service.send(method, target, {
    headers,
    ...(body === undefined ? {} : { raw: body }),
  });
}

const takes = (id: OperationId, scheme: string): boolean =>
  operationMeta[id].security.some((alternative) => Object.hasOwn(alternative, scheme));

/** Whether an operation accepts a merchant's session. */
export const takesToken = (id: OperationId): boolean => takes(id, 'merchantBearer');
export const takesAdmin = (id: OperationId): boolean => takes(id, 'adminBearer');
export const takesKey = (id: OperationId): boolean => takes(id, 'apiKey');

/**
 * `sent` with credentials that the operation accepts: a merchant's or an administrator's token if possible, else a
 * signature.
 */
export function withCredentials(
  id: OperationId,
  path: string,
  sent: Sent,
  credentials: { token: string; adminToken: string; key: TestKey; method?: string },
): Sent {
  const { token, adminToken, key, method = operationMeta[id].method } = credentials;
  if (takesAdmin(id)) return { token: adminToken, ...sent };
  if (takesToken(id)) return { token, ...sent };
  return takesKey(id) ? signedWith(key, method, path, sent) : sent;
}

/** `sent` with a signature by the key, over the exact bytes that will be sent. */
export function signedWith(key: TestKey, method: string, target: string, sent: Sent): Sent {
  const body = sent.raw ?? (sent.body === undefined ? '' : JSON.stringify(sent.body));
  const idempotencyKey = sent.headers?.['idempotency-key'] ?? '';
  return { ...sent, headers: { ...signatureHeaders(key, { method, target, body, idempotencyKey }), ...sent.headers } };
}
