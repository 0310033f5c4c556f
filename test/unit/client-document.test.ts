import { expect, test } from 'vitest';
import { type Json, type JsonMap, mapOf } from '../../scripts/contract/outline.ts';
import { clientDocument } from '../../scripts/generate/client-document.ts';
import { withAnswerExamples } from '../../scripts/generate/examples.ts';
import { withPlainReferences } from '../../scripts/generate/references.ts';
import { withWebhookParts } from '../../scripts/generate/webhook-section.ts';
import { grow, NEW_VALUE } from '../../scripts/generators/grown.ts';

const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` });
const json = (schema: Json) => ({ content: { 'application/json': { schema } } });

/** A contract whose one operation sends `Sent` and answers `Answer`. */
const contractOf = (schemas: JsonMap): JsonMap => ({
  openapi: '3.1.0',
  info: { title: 'Kasi', version: '1.2.3', description: 'What it is.\n\nMore.\n\n# A guide\n\nLong.' },
  servers: [{ url: 'http://localhost:3000' }],
  paths: {
    '/v1/things': {
      post: { 'x-audit': 'thing.create', requestBody: json(ref('Sent')), responses: { 200: json(ref('Answer')) } },
    },
  },
  webhooks: { 'thing.made': { post: { requestBody: json(ref('Answer')) } } },
  'x-limits': {},
  components: { schemas: { Sent: { type: 'object', additionalProperties: false, properties: {} }, ...schemas } },
});

const schemasIn = (document: JsonMap): Record<string, JsonMap> =>
  (document['components'] as { schemas: Record<string, JsonMap> }).schemas;

/** What becomes of a property of an answer. */
function property(schema: JsonMap, more: JsonMap = {}): Json | undefined {
  const document = clientDocument(contractOf({ Answer: { type: 'object', properties: { it: schema } }, ...more }));
  return mapOf(schemasIn(document)['Answer']?.['properties'])['it'];
}

test('it is described in a paragraph, points to the guides, and has neither webhooks nor extensions', () => {
  const document = clientDocument(contractOf({ Answer: { type: 'object' } }));
  expect(document['info']).toMatchObject({ version: '1.2.3', description: 'What it is.' });
  expect(document['externalDocs']).toMatchObject({ url: 'http://localhost:3000/docs' });
  expect(document).not.toHaveProperty('webhooks');
  expect(JSON.stringify(document)).not.toMatch(/"x-(audit|limits)"/);
});

test.each<[string, JsonMap, Json]>([
  ['money is a double', { type: 'number', format: 'money' }, { type: 'number', format: 'double' }],
  ['a count is wide', { type: 'integer', minimum: 0 }, { type: 'integer', minimum: 0, format: 'int64' }],
  ['a small number stays small', { type: 'integer', maximum: 100 }, { type: 'integer', maximum: 100 }],
  ['a format of ours goes', { type: 'string', format: 'text' }, { type: 'string' }],
  ['a time stays one', { type: 'string', format: 'date-time' }, { type: 'string', format: 'date-time' }],
  [
    'one of several types is a choice, each with its own rules',
    { type: ['string', 'number', 'boolean'], maxLength: 500, format: 'text', description: 'A value.' },
    {
      description: 'A value.',
      oneOf: [{ type: 'string', maxLength: 500 }, { type: 'number', format: 'double' }, { type: 'boolean' }],
    },
  ],
  ['what may be null alone stays', { type: ['string', 'null'] }, { type: ['string', 'null'] }],
  [
    'the values of an answer may grow',
    { type: ['string', 'null'], enum: ['a', 'b', null] },
    { type: ['string', 'null'], 'x-extensible-enum': ['a', 'b'] },
  ],
])('%s', (_, schema, expected) => {
  expect(property(schema)).toEqual(expected);
});

test('a property that can only be null is left out', () => {
  expect(property({ type: 'null' })).toBeUndefined();
});

test('answers may have more fields, at any depth; what is sent stays closed', () => {
  const schemas = schemasIn(
    clientDocument(
      contractOf({
        Sent: { type: 'object', additionalProperties: false, properties: { kind: { type: 'string', enum: ['a'] } } },
        Answer: { type: 'object', properties: { part: ref('Part') } },
        Part: { type: 'object', properties: { id: { type: 'string' } } },
      }),
    ),
  );
  expect(schemas['Sent']).toMatchObject({ additionalProperties: false, properties: { kind: { enum: ['a'] } } });
  expect([schemas['Answer'], schemas['Part']]).toMatchObject([
    { additionalProperties: true },
    { additionalProperties: true },
  ]);
});

test('what is all of several objects is one object that may grow, too', () => {
  const Part = { type: 'object', required: ['a'], properties: { a: { type: 'boolean' } } };
  const more = { type: 'object', required: ['b'], properties: { b: { type: 'boolean' } } };
  const { Answer } = schemasIn(
    clientDocument(contractOf({ Answer: { description: 'Both.', allOf: [ref('Part'), more] }, Part })),
  );
  expect(Answer).toEqual({
    type: 'object',
    description: 'Both.',
    required: ['a', 'b'],
    properties: { a: { type: 'boolean' }, b: { type: 'boolean' } },
    additionalProperties: true,
  });
});

test('a union of constants says by which field it is told apart', () => {
  const event = (type: string) => ({
    allOf: [{ type: 'object' }, { type: 'object', properties: { type: { type: 'string', const: type } } }],
  });
  const schemas = schemasIn(
    clientDocument(
      contractOf({
        Answer: { type: 'object' },
        WebhookEvent: { oneOf: [ref('Made'), ref('Gone')] },
        Made: event('thing.made'),
        Gone: event('thing.gone'),
        Other: { oneOf: [{ type: 'string' }, ref('Made')] },
      }),
    ),
  );
  expect(schemas['WebhookEvent']?.['discriminator']).toEqual({
    propertyName: 'type',
    mapping: { 'thing.made': ref('Made').$ref, 'thing.gone': ref('Gone').$ref },
  });
  expect(schemas['Other']).not.toHaveProperty('discriminator');
});

test('where null may be is said by what refers, and a default beside a reference brings the schema with it', () => {
  const contract = contractOf({
    Answer: {
      type: 'object',
      properties: {
        reason: { ...ref('Reason'), description: 'Why.' },
        amount: { ...ref('Amount'), default: '10' },
        plain: ref('Amount'),
      },
    },
    Reason: { type: ['string', 'null'], enum: ['a', null], examples: [null, 'a'] },
    Amount: { type: 'string', pattern: '^1' },
  });
  const { Answer, Reason } = schemasIn(withPlainReferences(contract));
  expect(Reason).toEqual({ type: 'string', enum: ['a'], examples: ['a'] });
  expect(Answer?.['properties']).toEqual({
    reason: { description: 'Why.', anyOf: [ref('Reason'), { type: 'null' }] },
    amount: { type: 'string', pattern: '^1', default: '10' },
    plain: ref('Amount'),
  });
});

test('what webhooks bring gets its headers, a tag of its own and an id', () => {
  const { webhooks } = withWebhookParts(contractOf({ Answer: { type: 'object' } })) as unknown as {
    webhooks: Record<string, { post: { operationId: string; tags: string[]; parameters: { $ref: string }[] } }>;
  };
  const { operationId, tags, parameters } = webhooks['thing.made']?.post ?? {};
  expect([operationId, tags]).toEqual(['onThingMade', ['webhook-events']]);
  expect(parameters?.map(({ $ref }) => $ref.split('/').at(-1))).toEqual([
    'WebhookId',
    'WebhookTimestamp',
    'WebhookSignature',
  ]);
});

test('an answer without an example gets one of the examples of its properties', () => {
  const example = (schema: JsonMap, more: JsonMap = {}): Json | undefined => {
    const contract = withAnswerExamples(
      contractOf({ Answer: { type: 'object', properties: { it: schema } }, ...more }),
    );
    const { paths } = contract as unknown as { paths: Record<string, Record<string, { responses: JsonMap }>> };
    const media = JSON.parse(JSON.stringify(paths['/v1/things']?.['post']?.responses['200']));
    return media.content['application/json'].examples.answer.value.it;
  };
  expect(example({ type: 'string', examples: ['tea'] })).toBe('tea');
  expect(example(ref('Status'), { Status: { type: 'string', enum: ['paid', 'open'] } })).toBe('paid');
  expect(example({ anyOf: [ref('Why'), { type: 'null' }] }, { Why: { type: 'string', enum: ['late'] } })).toBeNull();
  expect(example({ type: 'array', items: { type: 'integer', examples: [3] } })).toEqual([3]);
  expect(example({ type: 'array', items: { type: 'string' } })).toEqual([]);
  expect(example({ allOf: [{ type: 'object', properties: { a: { const: 1 } } }, { type: 'object' }] })).toEqual({
    a: 1,
  });
  expect(() => example({ type: 'string' })).toThrow('"it" has no example');
});

test('a grown answer has new fields and values everywhere, except in what the merchant sent', () => {
  expect(grow({ status: 'paid', metadata: { status: 'mine' }, list: [{ token: 'USDT' }] })).toMatchObject({
    status: NEW_VALUE,
    metadata: { status: 'mine' },
    list: [{ token: NEW_VALUE, addedLater: {} }],
    addedLater: {},
  });
});
