import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { findBreaks } from '../../scripts/contract/compare.ts';
import { type Json, outlineOf } from '../../scripts/contract/outline.ts';

// biome-ignore lint/suspicious/noExplicitAny: a document that the tests change wherever they like
type Document = any;

const CONTRACT = readFileSync('generated/openapi.json', 'utf8');
const before = outlineOf(JSON.parse(CONTRACT) as Json);

/** What breaks when the contract of now becomes one that is changed like this. */
function breaksOf(change: (document: Document) => void): string[] {
  const document = JSON.parse(CONTRACT);
  change(document);
  return findBreaks(before, outlineOf(document));
}

const schema = (document: Document, name: string) => document.components.schemas[name];
const PAYMENTS = '/v1/payments';

test('the contract breaks nobody who relies on it as it is', () => {
  expect(breaksOf(() => {})).toEqual([]);
});

test.each<[string, (document: Document) => void, string]>([
  [
    'a path that is gone',
    (d) => delete d.paths['/v1/payments/{id}/timeline'],
    'GET /v1/payments/{id}/timeline is gone',
  ],
  ['a method that is gone', (d) => delete d.paths[PAYMENTS].post, 'POST /v1/payments is gone'],
  [
    'another operationId',
    (d) => {
      d.paths[PAYMENTS].get.operationId = 'findPayments';
    },
    'GET /v1/payments has another operationId',
  ],
  [
    'a public path that is closed',
    (d) => {
      d.paths['/v1/public/payments/{id}'].get.security = [{ merchantBearer: [] }];
    },
    'GET /v1/public/payments/{id} is not public any more',
  ],
  [
    'a way in that is closed',
    (d) => {
      d.paths[PAYMENTS].get.security.splice(0, 1);
    },
    "GET /v1/payments can't be called with merchantBearer as before",
  ],
  [
    'another scope',
    (d) => {
      d.paths[PAYMENTS].get.security[1].apiKey = ['payments:write'];
    },
    "GET /v1/payments can't be called with apiKey + signature + timestamp as before",
  ],
  [
    'a timestamp that is needed now',
    (d) => {
      d.paths['/v1/payments/{id}'].get.security.splice(2, 1);
    },
    "GET /v1/payments/{id} can't be called with apiKey + signature as before",
  ],
  [
    'a parameter that is gone',
    (d) => {
      d.paths[PAYMENTS].get.parameters.splice(0, 1);
    },
    'GET /v1/payments has no parameter page (query) any more',
  ],
  [
    'a parameter that is needed now',
    (d) => {
      d.paths[PAYMENTS].get.parameters.push({ name: 'year', in: 'query', required: true, schema: { type: 'integer' } });
    },
    'GET /v1/payments needs the parameter year (query) now',
  ],
  [
    'a parameter that became required',
    (d) => {
      d.components.parameters.IdempotencyKey.required = true;
    },
    'POST /v1/payments needs the parameter idempotency-key (header) now',
  ],
  [
    'a bound that is tighter',
    (d) => {
      d.components.parameters.Limit.schema.maximum = 50;
    },
    'GET /v1/payments limit (query) has a tighter maximum',
  ],
  [
    'another default',
    (d) => {
      d.components.parameters.Limit.schema.default = 10;
    },
    'GET /v1/payments limit (query) has another default',
  ],
  [
    'a value of an enum that is gone',
    (d) => {
      schema(d, 'PaymentStatus').enum.pop();
    },
    'GET /v1/payments 200.payments[].status has no value "expired" any more',
  ],
  [
    'a body that is needed now',
    (d) => {
      d.paths['/v1/api-keys/{id}/rotate'].post.requestBody.required = true;
    },
    'POST /v1/api-keys/{id}/rotate needs a body now',
  ],
  [
    'a field of a request that is required now',
    (d) => {
      schema(d, 'CreatePaymentRequest').required.push('description');
    },
    'POST /v1/payments body.description is required now',
  ],
  [
    'a field of a request that is gone',
    (d) => delete schema(d, 'CreatePaymentRequest').properties.metadata,
    'POST /v1/payments body.metadata is gone',
  ],
  [
    'a shorter text',
    (d) => {
      schema(d, 'CreateApiKeyRequest').properties.name.maxLength = 60;
    },
    'POST /v1/api-keys body.name has a tighter maxLength',
  ],
  [
    'a pattern that was not there',
    (d) => {
      schema(d, 'CreateApiKeyRequest').properties.name.pattern = '^a';
    },
    'POST /v1/api-keys body.name has another pattern',
  ],
  [
    'a null that is not taken any more',
    (d) => {
      schema(d, 'CreateApiKeyRequest').properties.expiresAt.type = 'string';
    },
    'POST /v1/api-keys body.expiresAt takes no null any more',
  ],
  [
    'another type of a field',
    (d) => {
      schema(d, 'Payment').properties.amount.type = 'string';
    },
    'POST /v1/payments 201.amount may be string now',
  ],
  [
    'a field that can be null now',
    (d) => {
      schema(d, 'Payment').properties.cryptoAmount.type = ['string', 'null'];
    },
    'POST /v1/payments 201.cryptoAmount may be null now',
  ],
  [
    'a field of an answer that is gone',
    (d) => delete schema(d, 'Payment').properties.txHash,
    'POST /v1/payments 201.txHash is gone',
  ],
  [
    'a field of an answer that may be missing',
    (d) => {
      schema(d, 'Pagination').required.pop();
    },
    'GET /v1/payments 200.pagination.totalPages may be missing now',
  ],
  [
    'another format',
    (d) => {
      schema(d, 'Payment').properties.amount.format = 'double';
    },
    'POST /v1/payments 201.amount has another format',
  ],
  [
    'a status that is gone',
    (d) => delete d.paths[PAYMENTS].post.responses['201'],
    'POST /v1/payments does not answer 201 any more',
  ],
  [
    'a media type that is gone',
    (d) => delete d.paths['/v1/public/payments/{id}/qr.png'].get.responses['200'].content['image/png'],
    'GET /v1/public/payments/{id}/qr.png 200 is no image/png any more',
  ],
  [
    'an error code that is gone',
    (d) => {
      schema(d, 'ErrorCode').enum.shift();
    },
    'POST /v1/payments 400.error.code has no value "VALIDATION_ERROR" any more',
  ],
  ['an event that is gone', (d) => delete d.webhooks['payment.completed'], 'the event payment.completed is gone'],
  [
    'an event without a field',
    (d) => {
      delete schema(d, 'EventEnvelope').properties.sequence;
    },
    'the event payment.completed.sequence is gone',
  ],
])('%s is found and named', (_what, change, sentence) => {
  expect(breaksOf(change)).toContain(sentence);
});

test.each<[string, (document: Document) => void]>([
  [
    'a new path',
    (d) => {
      d.paths['/v1/refunds'] = d.paths[PAYMENTS];
    },
  ],
  [
    'a new optional parameter',
    (d) => {
      d.paths[PAYMENTS].get.parameters.push({ name: 'year', in: 'query', schema: { type: 'integer' } });
    },
  ],
  [
    'a new optional field of a request',
    (d) => {
      schema(d, 'CreatePaymentRequest').properties.note = { type: 'string' };
    },
  ],
  [
    'a field of a request that is not required any more',
    (d) => {
      schema(d, 'CreatePaymentRequest').required.pop();
    },
  ],
  [
    'a wider bound',
    (d) => {
      d.components.parameters.Limit.schema.maximum = 200;
    },
  ],
  [
    'a new field of an answer',
    (d) => {
      schema(d, 'Payment').properties.note = { type: 'string' };
      schema(d, 'Payment').required.push('note');
    },
  ],
  [
    'a field that is never null any more',
    (d) => {
      schema(d, 'Payment').properties.txHash.type = 'string';
    },
  ],
  [
    'a new value in an answer',
    (d) => {
      schema(d, 'PaymentStatus').enum.push('refunded');
    },
  ],
  [
    'a new status',
    (d) => {
      d.paths[PAYMENTS].post.responses['402'] = d.paths[PAYMENTS].post.responses['400'];
    },
  ],
  [
    'a new event',
    (d) => {
      d.webhooks['payment.refunded'] = d.webhooks['payment.completed'];
    },
  ],
  [
    'a new way in',
    (d) => {
      d.paths['/v1/payment-links'].get.security.push({ apiKey: ['payments:read'], signature: [] });
    },
  ],
  [
    'other words',
    (d) => {
      schema(d, 'Payment').description = 'Something else.';
      d.info.version = '1.1.0';
    },
  ],
])('%s breaks nobody', (_what, change) => {
  expect(breaksOf(change)).toEqual([]);
});

test('a field that is called like a keyword of the format is compared like any other', () => {
  const broken = breaksOf((document) => delete schema(document, 'PaymentLink').properties.description);
  expect(broken).toContain('POST /v1/payment-links 201.description is gone');
});
