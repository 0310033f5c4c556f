import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { findBreaks } from '../../scripts/contract/compare.ts';
import { type Json, outlineOf } from '../../scripts/contract/outline.ts';

const before = outlineOf(JSON.parse(readFileSync('generated/openapi.json', 'utf8')) as Json);
const BEFORE = JSON.stringify(before);

type Draft = { [key: string]: Draft | Json } & { [index: number]: Draft | Json };
type Change = (document: Draft) => void;

/** The last but one thing on a way through the document, and the key of the last. */
function reach(document: Draft, path: readonly string[]): { readonly owner: Draft; readonly key: string } {
  const key = path.at(-1) ?? '';
  const owner = path.slice(0, -1).reduce((at, part) => at[part] as Draft, document);
  if (typeof owner !== 'object') throw new Error(`nothing at ${path.join('/')}`);
  return { owner, key };
}

/** Changes of the contract, by the way to what changes. In lists, a number is a place and `-` the end. */
function drop(...path: string[]): Change {
  return (document) => {
    const { owner, key } = reach(document, path);
    if (owner[key] === undefined) throw new Error(`nothing at ${path.join('/')}`);
    if (Array.isArray(owner)) owner.splice(Number(key), 1);
    else delete owner[key];
  };
}
function put(value: Json, ...path: string[]): Change {
  return (document) => {
    const { owner, key } = reach(document, path);
    if (Array.isArray(owner) && key === '-') owner.push(value);
    else owner[key] = value;
  };
}
/** Copies what stands at one place to another. */
function copy(from: readonly string[], to: readonly string[]): Change {
  return (document) => {
    const { owner, key } = reach(document, from);
    const target = reach(document, to);
    target.owner[target.key] = owner[key] as Json;
  };
}

/** What breaks when the contract of now becomes one that is changed like this. */
function breaksOf(...changes: Change[]): string[] {
  const document = JSON.parse(BEFORE) as Draft;
  for (const change of changes) change(document);
  return findBreaks(before, outlineOf(document as Json));
}

const GET = ['paths', '/v1/payments', 'get'];
const POST = ['paths', '/v1/payments', 'post'];
const ONE = ['paths', '/v1/payments/{id}', 'get'];
const PUBLIC = ['paths', '/v1/public/payments/{id}', 'get'];
const PNG = ['paths', '/v1/public/payments/{id}/qr.png', 'get', 'responses', '200', 'content', 'image/png'];
const schema = (name: string): string[] => ['components', 'schemas', name];
const parameter = (name: string): string[] => ['components', 'parameters', name];
const field = (type: string, name: string): string[] => [...schema(type), 'properties', name];
const YEAR = { name: 'year', in: 'query', schema: { type: 'integer' } };

test('the contract breaks nobody who relies on it as it is', () => {
  expect(breaksOf()).toEqual([]);
});

test.each<[string, Change, string]>([
  ['a path that is gone', drop('paths', '/v1/webhooks/test'), 'POST /v1/webhooks/test is gone'],
  ['a method that is gone', drop(...POST), 'POST /v1/payments is gone'],
  ['another operationId', put('find', ...GET, 'operationId'), 'GET /v1/payments has another operationId'],
  [
    'a public path that is closed',
    put([{ merchantBearer: [] }], ...PUBLIC, 'security'),
    'GET /v1/public/payments/{id} is not public any more',
  ],
  [
    'a way in that is closed',
    drop(...GET, 'security', '0'),
    "GET /v1/payments can't be called with merchantBearer as before",
  ],
  [
    'another scope',
    put(['payments:write'], ...GET, 'security', '1', 'apiKey'),
    "GET /v1/payments can't be called with apiKey + signature + timestamp as before",
  ],
  [
    'a timestamp that is needed now',
    drop(...ONE, 'security', '2'),
    "GET /v1/payments/{id} can't be called with apiKey + signature as before",
  ],
  [
    'a parameter that is gone',
    drop(...GET, 'parameters', '0'),
    'GET /v1/payments has no parameter page (query) any more',
  ],
  [
    'a new parameter that is needed',
    put({ ...YEAR, required: true }, ...GET, 'parameters', '-'),
    'GET /v1/payments needs the parameter year (query) now',
  ],
  [
    'a parameter that became required',
    put(true, ...parameter('IdempotencyKey'), 'required'),
    'POST /v1/payments needs the parameter idempotency-key (header) now',
  ],
  [
    'a bound that is tighter',
    put(50, ...parameter('Limit'), 'schema', 'maximum'),
    'GET /v1/payments limit (query) has a tighter maximum',
  ],
  [
    'another default',
    put(10, ...parameter('Limit'), 'schema', 'default'),
    'GET /v1/payments limit (query) has another default',
  ],
  [
    'a value of an enum that is gone',
    drop(...schema('PaymentStatus'), 'enum', '5'),
    'GET /v1/payments 200.payments[].status has no value "expired" any more',
  ],
  [
    'a body that is needed now',
    put(true, 'paths', '/v1/api-keys/{id}/rotate', 'post', 'requestBody', 'required'),
    'POST /v1/api-keys/{id}/rotate needs a body now',
  ],
  [
    'a field of a request that is required now',
    put('description', ...schema('CreatePaymentRequest'), 'required', '-'),
    'POST /v1/payments body.description is required now',
  ],
  [
    'a field of a request that is gone',
    drop(...field('CreatePaymentRequest', 'metadata')),
    'POST /v1/payments body.metadata is gone',
  ],
  [
    'a shorter text',
    put(60, ...field('CreateApiKeyRequest', 'name'), 'maxLength'),
    'POST /v1/api-keys body.name has a tighter maxLength',
  ],
  [
    'a pattern that was not there',
    put('^a', ...field('CreateApiKeyRequest', 'name'), 'pattern'),
    'POST /v1/api-keys body.name has another pattern',
  ],
  [
    'a null that is not taken any more',
    put('string', ...field('CreateApiKeyRequest', 'expiresAt'), 'type'),
    'POST /v1/api-keys body.expiresAt takes no null any more',
  ],
  [
    'another type of a field',
    put('string', ...field('Payment', 'amount'), 'type'),
    'POST /v1/payments 201.amount may be string now',
  ],
  [
    'a field that can be null now',
    put(['string', 'null'], ...field('Payment', 'cryptoAmount'), 'type'),
    'POST /v1/payments 201.cryptoAmount may be null now',
  ],
  ['a field of an answer that is gone', drop(...field('Payment', 'txHash')), 'POST /v1/payments 201.txHash is gone'],
  [
    'a field that is called like a keyword of the format, and gone',
    drop(...field('PaymentLink', 'description')),
    'POST /v1/payment-links 201.description is gone',
  ],
  [
    'a field of an answer that may be missing',
    drop(...schema('Pagination'), 'required', '3'),
    'GET /v1/payments 200.pagination.totalPages may be missing now',
  ],
  [
    'another format',
    put('double', ...field('Payment', 'amount'), 'format'),
    'POST /v1/payments 201.amount has another format',
  ],
  ['a status that is gone', drop(...POST, 'responses', '201'), 'POST /v1/payments does not answer 201 any more'],
  ['a media type that is gone', drop(...PNG), 'GET /v1/public/payments/{id}/qr.png 200 is no image/png any more'],
  [
    'an error code that is gone',
    drop(...schema('ErrorCode'), 'enum', '0'),
    'POST /v1/payments 400.error.code has no value "VALIDATION_ERROR" any more',
  ],
  ['an event that is gone', drop('webhooks', 'payment.completed'), 'the event payment.completed is gone'],
  [
    'an event without a field',
    drop(...field('EventEnvelope', 'sequence')),
    'the event payment.completed.sequence is gone',
  ],
])('%s is found and named', (_what, change, sentence) => {
  expect(breaksOf(change)).toContain(sentence);
});

test.each<[string, Change[]]>([
  ['a new path', [copy(['paths', '/v1/payments'], ['paths', '/v1/refunds'])]],
  ['a new optional parameter', [put(YEAR, ...GET, 'parameters', '-')]],
  ['a new optional field of a request', [put({ type: 'string' }, ...field('CreatePaymentRequest', 'note'))]],
  ['a field of a request that is not required any more', [drop(...schema('CreatePaymentRequest'), 'required', '1')]],
  ['a wider bound', [put(200, ...parameter('Limit'), 'schema', 'maximum')]],
  [
    'a new field of an answer',
    [put({ type: 'string' }, ...field('Payment', 'note')), put('note', ...schema('Payment'), 'required', '-')],
  ],
  ['a field that is never null any more', [put('string', ...field('Payment', 'txHash'), 'type')]],
  ['a new value in an answer', [put('refunded', ...schema('PaymentStatus'), 'enum', '-')]],
  ['a new status', [copy([...POST, 'responses', '400'], [...POST, 'responses', '402'])]],
  ['a new event', [copy(['webhooks', 'payment.completed'], ['webhooks', 'payment.refunded'])]],
  ['a new way in', [put({ apiKey: ['payments:read'] }, 'paths', '/v1/payment-links', 'get', 'security', '-')]],
  ['other words', [put('Something else.', ...schema('Payment'), 'description'), put({ version: '1.1.0' }, 'info')]],
])('%s breaks nobody', (_what, changes) => {
  expect(breaksOf(...changes)).toEqual([]);
});
