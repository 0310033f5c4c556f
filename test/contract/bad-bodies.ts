import { dereference, type Schema } from '../support/contract.ts';

/** A body that must be refused, as text. */
export type BadBody = {
  readonly what: string;
  readonly text: string;
  /** The field that the answer must name. */
  readonly field?: string;
};

type Properties = Readonly<Record<string, Schema>>;

/** Every fault that a body of this schema can have, each in an otherwise valid body. */
export function badBodiesOf(schema: Schema, good: Readonly<Record<string, unknown>>): BadBody[] {
  const properties = (schema['properties'] ?? {}) as Properties;
  const required = (schema['required'] ?? []) as readonly string[];
  return [
    ...wholeBodies(good),
    ...required.map((field) => {
      const { [field]: _, ...rest } = good;
      return { what: `no ${field}`, text: JSON.stringify(rest), field };
    }),
    ...Object.entries(properties).flatMap(([field, property]) =>
      badValuesOf(dereference(property)).map(({ what, json }) => ({
        what: `${field} is ${what}`,
        text: withField(good, field, json),
        field,
      })),
    ),
  ];
}

/** Bodies that are wrong as a whole, whatever the schema. */
function wholeBodies(good: Readonly<Record<string, unknown>>): BadBody[] {
  const inside = JSON.stringify(good).slice(1, -1);
  const open = inside === '' ? '{' : `{${inside},`;
  return [
    ...['null', '[]', '[{}]', '"text"', '5', 'true'].map((text) => ({ what: text, text })),
    { what: 'nothing', text: '' },
    { what: 'an end that is missing', text: `{${inside}` },
    { what: 'a comma too many', text: `${open}"title":"tea",}` },
    { what: 'more after the end', text: `{${inside}} {}` },
    { what: 'single quotes', text: "{'title': 'tea'}" },
    { what: 'NaN', text: `${open}"amount":NaN}` },
    { what: 'Infinity', text: `${open}"amount":Infinity}` },
    { what: 'sixty thousand open brackets', text: '['.repeat(60_000) },
    { what: 'an unknown property', text: `${open}"surprise":1}`, field: 'surprise' },
    { what: 'a property with an empty name', text: `${open}"":1}` },
    { what: '__proto__', text: `${open}"__proto__":{"isAdmin":true}}` },
    { what: 'constructor.prototype', text: `${open}"constructor":{"prototype":{"isAdmin":true}}}` },
  ];
}

type BadValue = { readonly what: string; readonly json: string };

const SAMPLES: Readonly<Record<string, string>> = {
  null: 'null',
  boolean: 'true',
  integer: '7',
  number: '7.25',
  string: '"7"',
  array: '["7"]',
  object: '{"amount":7}',
};

function badValuesOf(schema: Schema): BadValue[] {
  const branches = ((schema['oneOf'] ?? schema['anyOf'] ?? [schema]) as Schema[]).map(dereference);
  const types = branches.flatMap((branch) => branch['type'] as string | string[]);
  const branchOf = (...names: string[]): Schema | undefined =>
    branches.find((branch) => [branch['type']].flat().some((type) => names.includes(type as string)));
  const [text, number] = [branchOf('string'), branchOf('number', 'integer')];
  const accepts = (type: string): boolean => types.includes(type) || (type === 'integer' && types.includes('number'));
  return [
    ...Object.entries(SAMPLES)
      .filter(([type]) => !accepts(type) || (type === 'string' && number !== undefined && text !== undefined))
      .map(([, json]) => ({ what: json, json })),
    ...(text ? badTexts(text) : []),
    ...(number ? badNumbers(number) : []),
    ...(types.includes('array') ? badLists(schema) : []),
    ...(types.includes('object') ? badMaps(schema) : []),
  ];
}

function badTexts(schema: Schema): BadValue[] {
  const { maxLength, minLength } = schema as { maxLength?: number; minLength?: number };
  const long = (length: number): string => JSON.stringify('a'.repeat(length));
  return [
    { what: 'a null character', json: '"tea\\u0000"' },
    { what: 'a bell', json: '"tea\\u0007"' },
    { what: 'an escape', json: '"tea\\u001b[31m"' },
    { what: 'half a surrogate pair', json: '"tea\\ud83c"' },
    { what: 'the other half', json: '"\\udf75tea"' },
    { what: 'a control character as it is', json: '"tea\u0001"' },
    ...(maxLength === undefined ? [] : [{ what: `${maxLength + 1} characters`, json: long(maxLength + 1) }]),
    ...(minLength === undefined || minLength === 0
      ? []
      : [{ what: `${minLength - 1} characters`, json: long(minLength - 1) }]),
    ...(schema['enum'] === undefined ? [] : [{ what: 'not one of the list', json: '"nonsense"' }]),
  ];
}

function badNumbers(schema: Schema): BadValue[] {
  const { minimum, exclusiveMinimum, maximum } = schema as Readonly<Record<string, number | undefined>>;
  const whole = [schema['type']].flat().includes('integer');
  const step = whole ? 1 : 0.01;
  return [
    ...['1e400', '-1e400', '1e21', '0x10', '1_000', '-0.001'].map((json) => ({ what: json, json })),
    ...(whole ? ['1.5'] : ['12.345', '0.001', '1e-7']).map((json) => ({ what: json, json })),
    ...(minimum === undefined ? [] : [{ what: 'below the least', json: String(minimum - step) }]),
    ...(exclusiveMinimum === undefined ? [] : [{ what: 'the bound itself', json: String(exclusiveMinimum) }]),
    ...(exclusiveMinimum === undefined ? [] : [{ what: 'negative', json: '-5' }]),
    ...(maximum === undefined ? [] : [{ what: 'above the most', json: String(maximum + step) }]),
  ];
}

function badLists(schema: Schema): BadValue[] {
  const items = dereference(schema['items'] as Schema);
  const allowed = (items['enum'] as readonly unknown[] | undefined) ?? ['a', 'b'];
  const list = (values: readonly unknown[]): string => JSON.stringify(values);
  return [
    ...(schema['minItems'] === undefined ? [] : [{ what: 'empty', json: '[]' }]),
    { what: 'the same twice', json: list([allowed[0], allowed[0]]) },
    { what: 'too long', json: list([...allowed, ...allowed]) },
    { what: 'with something unknown', json: list([allowed[0], 'DOGE']) },
    { what: 'with null', json: list([null]) },
    { what: 'a list in a list', json: list([[allowed[0]]]) },
  ];
}

/** Maps of the contract have short keys with scalars or text; each map states its limits. */
function badMaps(schema: Schema): BadValue[] {
  const keys = (count: number): string =>
    JSON.stringify(Object.fromEntries(Array.from({ length: count }, (_, index) => [`key${index}`, `${index}`])));
  const values = schema['additionalProperties'] as false | { readonly maxLength?: number };
  if (values === false) return [{ what: 'with something unknown', json: '{"surprise":1}' }];
  const names = schema['propertyNames'] as { readonly maxLength: number };
  const most = Number(schema['maxProperties']);
  const longest = values.maxLength;
  const isMetadata = longest === 500;
  return [
    { what: `${most + 1} keys`, json: keys(most + 1) },
    { what: 'a key that is too long', json: JSON.stringify({ ['k'.repeat(names.maxLength + 1)]: '1' }) },
    ...(longest === undefined
      ? []
      : [{ what: 'a value that is too long', json: JSON.stringify({ order: 'v'.repeat(longest + 1) }) }]),
    ...(isMetadata ? [{ what: 'more than 8 KiB', json: JSON.stringify(Object.fromEntries(big(20, 480))) }] : []),
    { what: 'a map in a map', json: '{"order":{"id":1}}' },
    { what: 'a list in a map', json: '{"order":[1]}' },
    { what: 'a null in a map', json: '{"order":null}' },
    { what: 'a null character in a map', json: '{"order":"a\\u0000"}' },
    { what: 'a null character in a key', json: '{"or\\u0000der":"a"}' },
    { what: 'half a surrogate pair in a map', json: '{"order":"\\ud800"}' },
    { what: '__proto__ in a map', json: '{"__proto__":{"isAdmin":true}}' },
    { what: 'an endless number in a map', json: '{"order":1e400}' },
  ];
}

const big = (count: number, length: number): [string, string][] =>
  Array.from({ length: count }, (_, index) => [`key${index}`, 'v'.repeat(length)]);

/** `good` with one field replaced by this JSON text. */
function withField(good: Readonly<Record<string, unknown>>, field: string, json: string): string {
  const { [field]: _, ...rest } = good;
  const others = JSON.stringify(rest).slice(1, -1);
  return `{${others === '' ? '' : `${others},`}${JSON.stringify(field)}:${json}}`;
}
