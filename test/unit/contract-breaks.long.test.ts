import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { findBreaks } from '../../scripts/contract/compare.ts';
import { type Json, outlineOf } from '../../scripts/contract/outline.ts';

const before = outlineOf(JSON.parse(readFileSync('generated/openapi.json', 'utf8')) as Json);
const BEFORE = JSON.stringify(before);

type Draft = { [key: string]: Draft | Json } & { [index: number]: Draft | Json };
type Change = (document: Draft) => void;

/** The owner of the last part of a path through the document, and that part's key. */
function reach(document: Draft, path: readonly string[]): { readonly owner: Draft; readonly key: string } {
  const key = path.at(-1) ?? '';
  const owner = path.slice(0, -1).reduce((at, part) => at[part] as Draft, document);
  if (typeof owner !== 'object') throw new Error(`nothing at ${path.join('/')}`);
  return { owner, key };
}

/** Changes to the contract, each given by the path to what changes. In lists, a number is an index and `-` the end. */
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
/** Copies the value at one path to another. */
function copy(from: readonly string[], to: readonly string[]): Change {
  return (document) => {
    const { owner, key } = reach(document, from);
    const target = reach(document, to);
    target.owner[target.key] = owner[key] as Json;
  };
}

/** The breaks between the current contract and one with these changes. */
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

test('the unchanged contract has no breaks', () => {
  expect(breaksOf()).toEqual([]);
});

test.each<[string, Change, string]>([
  ['a removed path', drop('paths', '/v1/webhooks/test'), 'POST /v1/webhooks/test is gone'],
  ['a removed method', drop(...POST), 'POST /v1/payments is gone'],
  ['a changed operationId', put('find', ...GET, 'operationId'), 'GET /v1/payments has another operationId'],
  [
    'a public path that now needs credentials',
    put([{ merchantBearer: [] }], ...PUBLIC, 'security'),
    'GET /v1/public/payments/{id} is not public any more',
  ],
  [
    'a removed security scheme',
    drop(...GET, 'security', '0'),
    "GET /v1/payments can't be called with merchantBearer as before",
  ],
  [
    'a changed scope',
    put(['payments:write'], ...GET, 'security', '1', 'apiKey'),
    "GET /v1/payments can't be called with apiKey + signature + timestamp as before",
  ],
  [
    'a timestamp that is now required',
    drop(...ONE, 'security', '2'),
    "GET /v1/payments/{id} can't be called with apiKey + signature as before",
  ],
  ['a removed parameter', drop(...GET, 'parameters', '0'), 'GET /v1/payments has no parameter page (query) any more'],
  [
    'a new required parameter',
    put({ ...YEAR, required: true }, ...GET, 'parameters', '-'),
    'GET /v1/payments needs the parameter year (query) now',
  ],
  [
    'a parameter that became required',
    put(true, ...parameter('IdempotencyKey'), 'required'),
    'POST /v1/payments needs the parameter idempotency-key (header) now',
  ],
  [
    'a tighter bound',
    put(50, ...parameter('Limit'), 'schema', 'maximum'),
    'GET /v1/payments limit (query) has a tighter maximum',
  ],
  [
    'another default',
    put(10, ...parameter('Limit'), 'schema', 'default'),
    'GET /v1/payments limit (query) has another default',
  ],
  [
    'a removed enum value',
    drop(...schema('PaymentStatus'), 'enum', '5'),
    'GET /v1/payments 200.payments[].status has no value "expired" any more',
  ],
  [
    'a body that is now required',
    put(true, 'paths', '/v1/api-keys/{id}/rotate', 'post', 'requestBody', 'required'),
    'POST /v1/api-keys/{id}/rotate needs a body now',
  ],
  [
    'a request field that is now required',
    put('description', ...schema('CreatePaymentRequest'), 'required', '-'),
    'POST /v1/payments body.description is required now',
  ],
  [
    'a removed request field',
    drop(...field('CreatePaymentRequest', 'metadata')),
    'POST /v1/payments body.metadata is gone',
  ],
  [
    'a shorter maxLength',
    put(60, ...field('CreateApiKeyRequest', 'name'), 'maxLength'),
    'POST /v1/api-keys body.name has a tighter maxLength',
  ],
  [
    'a new pattern',
    put('^a', ...field('CreateApiKeyRequest', 'name'), 'pattern'),
    'POST /v1/api-keys body.name has another pattern',
  ],
  [
    'a null that is no longer accepted',
    put('string', ...field('CreateApiKeyRequest', 'expiresAt'), 'type'),
    'POST /v1/api-keys body.expiresAt takes no null any more',
  ],
  [
    'a changed field type',
    put('string', ...field('Payment', 'amount'), 'type'),
    'POST /v1/payments 201.amount may be string now',
  ],
  [
    'a field that refers to a type and may be null now',
    put({ anyOf: [{ $ref: '#/components/schemas/PaymentStatus' }, { type: 'null' }] }, ...field('Payment', 'status')),
    'POST /v1/payments 201.status may be null now',
  ],
  [
    'a field that may now be null',
    put(['string', 'null'], ...field('Payment', 'cryptoAmount'), 'type'),
    'POST /v1/payments 201.cryptoAmount may be null now',
  ],
  ['a removed response field', drop(...field('Payment', 'txHash')), 'POST /v1/payments 201.txHash is gone'],
  [
    'a removed field named like a schema keyword',
    drop(...field('PaymentLink', 'description')),
    'POST /v1/payment-links 201.description is gone',
  ],
  [
    'a response field that may now be missing',
    drop(...schema('Pagination'), 'required', '3'),
    'GET /v1/payments 200.pagination.totalPages may be missing now',
  ],
  [
    'a changed format',
    put('double', ...field('Payment', 'amount'), 'format'),
    'POST /v1/payments 201.amount has another format',
  ],
  ['a removed status', drop(...POST, 'responses', '201'), 'POST /v1/payments does not answer 201 any more'],
  ['a removed media type', drop(...PNG), 'GET /v1/public/payments/{id}/qr.png 200 is no image/png any more'],
  [
    'a removed error code',
    drop(...schema('ErrorCode'), 'enum', '0'),
    'POST /v1/payments 400.error.code has no value "VALIDATION_ERROR" any more',
  ],
  [
    'other values under keys that callers choose',
    put('integer', ...schema('MetadataInput'), 'additionalProperties', 'type'),
    'POST /v1/payments body.metadata.* takes no string any more',
  ],
  [
    'keys that are refused where the object may be null',
    put(false, ...schema('MetadataInput'), 'additionalProperties'),
    'POST /v1/payments body.metadata refuses unknown properties now',
  ],
  [
    'a field of an answer that may be anything',
    drop(...field('Payment', 'amount'), 'type'),
    'POST /v1/payments 201.amount may be of any type now',
  ],
  [
    'alternatives where there were none',
    put([{ type: 'number', maximum: 5 }], ...field('CreatePaymentRequest', 'amount'), 'oneOf'),
    'POST /v1/payments body.amount takes only certain alternatives now',
  ],
  [
    'a number that has to be a multiple',
    put(5, ...field('CreatePaymentRequest', 'amount'), 'multipleOf'),
    'POST /v1/payments body.amount has another multipleOf',
  ],
  [
    'a removed header',
    drop('components', 'responses', 'Error', 'headers', 'Retry-After'),
    'POST /v1/payments default has no header Retry-After any more',
  ],
  [
    'another header of credentials',
    put('x-key', 'components', 'securitySchemes', 'apiKey', 'name'),
    'the credentials apiKey are sent in another way now',
  ],
  [
    'another style of a parameter',
    drop(...GET, 'parameters', '13', 'style'),
    'GET /v1/payments reads the parameter metadata (query) in another way now',
  ],
  ['a removed event', drop('webhooks', 'payment.completed'), 'the event payment.completed is gone'],
  [
    'a removed event field',
    drop(...field('EventEnvelope', 'sequence')),
    'the event payment.completed.sequence is gone',
  ],
])('reports %s', (_what, change, sentence) => {
  expect(breaksOf(change)).toContain(sentence);
});

test.each<[string, Change[]]>([
  ['a new path', [copy(['paths', '/v1/payments'], ['paths', '/v1/novelties'])]],
  ['a new optional parameter', [put(YEAR, ...GET, 'parameters', '-')]],
  ['a new optional request field', [put({ type: 'string' }, ...field('CreatePaymentRequest', 'note'))]],
  ['a request field that is no longer required', [drop(...schema('CreatePaymentRequest'), 'required', '1')]],
  [
    'any text where there was a pattern',
    [
      drop(...field('CreateWithdrawalRequest', 'destinationAddress'), 'pattern'),
      put('text', ...field('CreateWithdrawalRequest', 'destinationAddress'), 'format'),
    ],
  ],
  ['a wider bound', [put(200, ...parameter('Limit'), 'schema', 'maximum')]],
  [
    'a new response field',
    [put({ type: 'string' }, ...field('Payment', 'note')), put('note', ...schema('Payment'), 'required', '-')],
  ],
  ['a field that is no longer null', [put('string', ...field('Payment', 'txHash'), 'type')]],
  ['a new value in a response', [put('refunded', ...schema('PaymentStatus'), 'enum', '-')]],
  ['a new status', [copy([...POST, 'responses', '400'], [...POST, 'responses', '402'])]],
  [
    'null said by the type instead of beside the reference',
    [put({ type: ['string', 'null'], enum: ['cancelled', 'not_confirmed', null] }, ...field('Payment', 'reason'))],
  ],
  ['a new event', [copy(['webhooks', 'payment.completed'], ['webhooks', 'payment.refunded'])]],
  ['a new security scheme', [put({ apiKey: ['payments:read'] }, 'paths', '/v1/payment-links', 'get', 'security', '-')]],
  [
    'another description',
    [put('Something else.', ...schema('Payment'), 'description'), put({ version: '1.1.0' }, 'info')],
  ],
])('%s is no break', (_what, changes) => {
  expect(breaksOf(...changes)).toEqual([]);
});
