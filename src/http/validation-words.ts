import type { ErrorObject } from 'ajv';

/** How numbers are written in paths, queries and headers. */
export const DIGITS = { integer: /^-?(0|[1-9]\d*)$/, number: /^-?(0|[1-9]\d*)(\.\d+)?$/ };

const FORMATS: Readonly<Record<string, string>> = {
  money: 'must be an amount with at most 2 decimals',
  text: 'must not contain control characters',
  name: 'must be one line with something to see, and nothing that hides or turns text around',
  email: 'must be an e-mail address',
  uri: 'must be a full URL',
  'date-time': 'must be an ISO 8601 date-time with a time zone, like 2026-01-31T12:00:00Z',
  'date-or-date-time': 'must be an ISO 8601 date or date-time, like 2026-01-31 or 2026-01-31T12:00:00Z',
};

const TYPES: Readonly<Record<string, string>> = {
  integer: 'a whole number',
  number: 'a number',
  string: 'a string',
  boolean: 'true or false',
  object: 'an object',
  array: 'an array',
  null: 'null (none)',
};

const count = (many: unknown, one: string): string => `${many} ${one}${many === 1 ? '' : 's'}`;
const oneOf = (values: readonly unknown[]): string => `one of: ${values.filter((value) => value !== null).join(', ')}`;
const limitOf = ({ params }: ErrorObject): unknown => (params as { readonly limit: unknown }).limit;

/** What each keyword of the contract's requests asks for, in words for whoever reads the answer. */
const KEYWORDS: Readonly<Record<string, (error: ErrorObject) => string>> = {
  required: () => 'is required',
  additionalProperties: explainField,
  type: explainType,
  enum: ({ params }) => `must be ${oneOf(params['allowedValues'] as unknown[])}`,
  format: ({ params }) => FORMATS[params['format'] as string] ?? `must be a valid ${params['format']}`,
  pattern: describePattern,
  minLength: (error) => `must have at least ${count(limitOf(error), 'character')}`,
  maxLength: (error) => `must have at most ${count(limitOf(error), 'character')}`,
  minItems: (error) => `must have at least ${count(limitOf(error), 'item')}`,
  maxItems: (error) => `must have at most ${count(limitOf(error), 'item')}`,
  uniqueItems: explainTwice,
  minProperties: (error) => `must have at least ${count(limitOf(error), 'field')}`,
  maxProperties: (error) => `must have at most ${count(limitOf(error), 'field')}`,
  minimum: (error) => `must be at least ${limitOf(error)}`,
  maximum: (error) => `must be at most ${limitOf(error)}`,
  exclusiveMinimum: (error) => `must be more than ${limitOf(error)}`,
  exclusiveMaximum: (error) => `must be less than ${limitOf(error)}`,
  anyOf: explainChoice,
  oneOf: explainChoice,
};

/** What is wrong with a field, and what is right, in plain English. */
export function explain(error: ErrorObject): string {
  const what = KEYWORDS[error.keyword]?.(error) ?? 'is not valid';
  return error.propertyName === undefined
    ? what
    : `has the key ${JSON.stringify(cut(error.propertyName))}, which ${what}`;
}

const SHOWN_MAX = 40;

/** A key can be as long as the whole body. */
const cut = (text: string): string => (text.length > SHOWN_MAX ? `${text.slice(0, SHOWN_MAX).toWellFormed()}…` : text);

/** An operation has few parameters, so that naming all of them shows the one that was meant. */
export function explainUnknown({ parentSchema }: ErrorObject): string {
  const known = Object.keys((parentSchema as { readonly properties: object }).properties);
  return `is not a known parameter; ${known.length > 0 ? `known: ${known.join(', ')}` : 'there are none here'}`;
}

/** Other languages spell names in other ways: `success_url`, `SuccessUrl`. */
function explainField({ parentSchema, params }: ErrorObject): string {
  const meant = fold(String(params['additionalProperty']));
  const known = Object.keys((parentSchema as { readonly properties?: object }).properties ?? {});
  const similar = known.find((name) => fold(name) === meant);
  return similar === undefined ? 'is not a known field; remove it' : `is not a known field; it is called ${similar}`;
}

const fold = (name: string): string => name.replaceAll(/[_-]/g, '').toLowerCase();

/** The types that a schema allows, such as `a number or null (none)`. */
const typesOf = (type: unknown): string =>
  [type]
    .flat()
    .map((each) => TYPES[String(each)] ?? String(each))
    .join(' or ');

function explainType({ data, params }: ErrorObject): string {
  const [type] = [params['type']].flat();
  const isQuoted = (type === 'number' || type === 'integer') && typeof data === 'string' && DIGITS.number.test(data);
  return `must be ${typesOf(params['type'])}${isQuoted ? ', without quotation marks' : ''}`;
}

type Alternative = { readonly type?: unknown; readonly enum?: readonly unknown[] };

function explainChoice({ schema }: ErrorObject): string {
  const alternatives = (schema as readonly Alternative[]).map((each) =>
    each.enum ? oneOf(each.enum) : typesOf(each.type),
  );
  return `must be ${alternatives.join(', or ')}`;
}

function explainTwice({ data, params }: ErrorObject): string {
  const item = (data as readonly unknown[])[params['i'] as number];
  return typeof item === 'string' ? `must not have ${JSON.stringify(cut(item))} twice` : 'must not have an item twice';
}

/** The contract's description of a field helps more than its pattern, and so does an example. */
function describePattern({ parentSchema, params }: ErrorObject): string {
  const { description, examples } = (parentSchema ?? {}) as { description?: string; examples?: readonly unknown[] };
  if (description) return `does not have the right form: ${description.trim().split('\n')[0]}`;
  return examples?.length ? `must have the form of ${examples[0]}` : `must match ${params['pattern']}`;
}
