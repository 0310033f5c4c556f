import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { makeValidatorCompiler, toValidationError } from '../../src/http/validation.ts';

const compile = makeValidatorCompiler();

/** What an answer says of a value, by the field. */
function faultsOf(schema: object, value: unknown, httpPart = 'body'): Record<string, string> {
  const whole = { type: 'object', properties: { it: schema }, additionalProperties: false };
  const checked = compile({ schema: whole, httpPart })({ it: value });
  if (checked === true) return {};
  const error = toValidationError(checked.error, httpPart);
  return Object.fromEntries((error.fields ?? []).map(({ path, message }) => [path, message]));
}

test.each([
  [{ type: 'string', minLength: 1 }, '', 'must have at least 1 character'],
  [{ type: 'string', minLength: 8 }, 'short', 'must have at least 8 characters'],
  [{ type: 'string', maxLength: 120 }, 'x'.repeat(121), 'must have at most 120 characters'],
  [{ type: 'array', minItems: 1 }, [], 'must have at least 1 item'],
  [{ type: 'array', maxItems: 2 }, [1, 2, 3], 'must have at most 2 items'],
  [{ type: 'array', uniqueItems: true }, ['USDC', 'USDT', 'USDC'], 'must not have "USDC" twice'],
  [{ type: 'array', uniqueItems: true }, [{ a: 1 }, { a: 1 }], 'must not have an item twice'],
  [{ type: 'object', minProperties: 1 }, {}, 'must have at least 1 field'],
  [{ type: 'object', maxProperties: 1 }, { a: 1, b: 2 }, 'must have at most 1 field'],
  [{ type: 'number', minimum: 1 }, 0, 'must be at least 1'],
  [{ type: 'integer', maximum: 100 }, 101, 'must be at most 100'],
  [{ type: 'number', exclusiveMinimum: 0 }, 0, 'must be more than 0'],
  [{ type: 'integer' }, 1.5, 'must be a whole number'],
  [{ type: 'integer' }, '15', 'must be a whole number, without quotation marks'],
  [{ type: ['number', 'null'] }, '15', 'must be a number or null (none), without quotation marks'],
  [{ type: ['string', 'null'] }, 5, 'must be a string or null (none)'],
  [{ type: 'boolean' }, 'yes', 'must be true or false'],
  [{ type: 'object' }, [], 'must be an object'],
  [{ type: 'array' }, {}, 'must be an array'],
  [{ type: ['string', 'null'], enum: ['a', 'b', null] }, 'c', 'must be one of: a, b'],
  [{ type: 'string', pattern: '^0x[0-9a-f]{4}$', examples: ['0xbeef'] }, 'x', 'must have the form of 0xbeef'],
] as const)('%j refuses %j: %s', (schema, value, message) => {
  expect(faultsOf(schema, value)).toEqual({ it: message });
});

test('a number of a query is said to be a whole one, too', () => {
  expect(faultsOf({ type: 'integer', maximum: 100 }, 'x', 'querystring')).toEqual({ it: 'must be a whole number' });
  expect(faultsOf({ type: 'integer', maximum: 100 }, '101', 'querystring')).toEqual({ it: 'must be at most 100' });
});

const AMOUNT = {
  oneOf: [
    { type: 'number', exclusiveMinimum: 0 },
    { type: 'string', enum: ['surplus', 'all'] },
  ],
};

test.each([
  [AMOUNT, 0, 'must be more than 0'],
  [AMOUNT, 'some', 'must be one of: surplus, all'],
  [AMOUNT, true, 'must be a number, or one of: surplus, all'],
  [{ anyOf: [{ type: 'string', enum: ['en', 'si'] }, { type: 'null' }] }, 'xx', 'must be one of: en, si'],
  [{ anyOf: [{ type: 'string', enum: ['en', 'si'] }, { type: 'null' }] }, 5, 'must be one of: en, si, or null (none)'],
])('of the alternatives of %j, %j is told about the one that was meant: %s', (schema, value, message) => {
  expect(faultsOf(schema, value)).toEqual({ it: message });
});

test('each of several values is told about its own alternative', () => {
  const whole = { type: 'object', additionalProperties: AMOUNT };
  const checked = compile({ schema: whole, httpPart: 'body' })({ a: 0, b: 'some', c: true });
  const { fields } = toValidationError(checked === true ? [] : checked.error, 'body');
  expect(fields).toEqual([
    { path: 'a', message: 'must be more than 0' },
    { path: 'b', message: 'must be one of: surplus, all' },
    { path: 'c', message: 'must be a number, or one of: surplus, all' },
  ]);
});

test('a key that is wrong is named, and cut where it is long', () => {
  const keys = { type: 'object', propertyNames: { type: 'string', minLength: 1, maxLength: 64 } };
  expect(faultsOf(keys, { '': 1 })).toEqual({ it: 'has the key "", which must have at least 1 character' });
  const cut = `${'k'.repeat(40)}…`;
  expect(faultsOf(keys, { ['k'.repeat(70)]: 1 })).toEqual({
    it: `has the key "${cut}", which must have at most 64 characters`,
  });
});

/** All that says something of a value, and is not about how the contract is read. */
const SILENT = ['description', 'examples', 'default', 'properties', 'items', 'propertyNames'];
type Node = Readonly<Record<string, unknown>>;
const contract = JSON.parse(readFileSync('generated/openapi.json', 'utf8')) as Node;

/** The keywords and formats of all requests of the contract. */
function usedBy(root: Node): { readonly keywords: Set<string>; readonly formats: Set<string> } {
  const used = { keywords: new Set<string>(), formats: new Set<string>() };
  const seen = new Set<unknown>();
  const read = (given: unknown): void => {
    const schema = deref(root, given as Node);
    if (typeof schema !== 'object' || schema === null || seen.has(schema)) return;
    seen.add(schema);
    for (const keyword of Object.keys(schema)) used.keywords.add(keyword);
    if (typeof schema['format'] === 'string') used.formats.add(schema['format']);
    for (const each of Object.values((schema['properties'] ?? {}) as Node)) read(each);
    for (const each of ['items', 'propertyNames', 'additionalProperties']) read(schema[each]);
    for (const each of ['anyOf', 'oneOf']) for (const branch of (schema[each] ?? []) as Node[]) read(branch);
  };
  for (const path of Object.values(root['paths'] as Node)) {
    for (const operation of Object.values(path as Readonly<Record<string, Node>>)) {
      for (const parameter of (operation['parameters'] ?? []) as Node[]) read(deref(root, parameter)['schema']);
      const content = ((operation['requestBody'] as Node | undefined)?.['content'] ?? {}) as Readonly<
        Record<string, Node>
      >;
      for (const type of Object.values(content)) read(type['schema']);
    }
  }
  return used;
}

function deref(root: Node, node: Node): Node {
  if (typeof node?.['$ref'] !== 'string') return node;
  const found = node['$ref']
    .slice(2)
    .split('/')
    .reduce<unknown>((at, name) => (at as Node)[name], root);
  return deref(root, found as Node);
}

test('every keyword and format of the contract has words of ours', () => {
  const { keywords, formats } = usedBy(contract);
  expect(keywords.size).toBeGreaterThan(15);
  const say = (keyword: string, params: object): string => {
    const error = toValidationError(
      [
        {
          keyword,
          instancePath: '/it',
          schemaPath: `#/${keyword}`,
          params,
          message: 'raw',
          schema: [],
          parentSchema: {},
          data: [],
        },
      ],
      'body',
    );
    return error.fields?.[0]?.message ?? '';
  };
  const params = { limit: 2, type: 'string', allowedValues: [], pattern: 'x', additionalProperty: 'x', i: 0 };
  for (const keyword of keywords) {
    if (SILENT.includes(keyword)) continue;
    expect([keyword, say(keyword, params)]).not.toEqual([keyword, expect.stringMatching(/^(?:raw|is not valid)$/)]);
  }
  for (const format of formats)
    expect([format, say('format', { format })]).not.toEqual([format, expect.stringContaining('must be a valid')]);
});
