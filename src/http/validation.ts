import { Ajv, type ErrorObject, type ValidateFunction } from 'ajv';
import addFormats from 'ajv-formats';
import { AppError, type FieldError } from '../lib/errors.ts';
import { isFiat } from '../lib/money.ts';
import { isName } from '../lib/shown-text.ts';

// Refused in every text: control characters except tab and line ends, and lone surrogates.
// biome-ignore lint/suspicious/noControlCharactersInRegex: this pattern finds them on purpose
const FORBIDDEN_CHARACTERS = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]/;
const DATE = /^\d{4}-\d{2}-\d{2}$/;
const DATE_TIME = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d{1,9})?)?(Z|[+-]\d{2}:\d{2})$/;

/** Text that can be stored and shown: no control characters, no lone surrogates. */
export const isText = (value: string): boolean => !FORBIDDEN_CHARACTERS.test(value) && value.isWellFormed();

const isDateTime = (value: string): boolean =>
  DATE_TIME.test(value) && isRealDay(value.slice(0, 10)) && !Number.isNaN(Date.parse(value));
const isRealDay = (value: string): boolean =>
  DATE.test(value) && new Date(`${value}T00:00:00Z`).toJSON()?.slice(0, 10) === value;

function makeAjv(coerceTypes: boolean): Ajv {
  const ajv = new Ajv({
    allErrors: true,
    coerceTypes,
    // Off with coercion: it would make Ajv skip all bounds for a text "Infinity", once that is coerced to a number.
    strictNumbers: !coerceTypes,
    useDefaults: true,
    strict: true,
    strictTypes: false,
    allowUnionTypes: true,
    verbose: true,
    // `npm run lint:contract` has done so; here it would compile the schema of schemas at each start.
    validateSchema: false,
  });
  addFormats.default(ajv, ['email', 'uri']);
  ajv.addFormat('money', { type: 'number', validate: isFiat });
  ajv.addFormat('text', isText);
  ajv.addFormat('name', (value: string) => isText(value) && isName(value));
  ajv.addFormat('date-time', isDateTime);
  ajv.addFormat('date-or-date-time', (value: string) => isRealDay(value) || isDateTime(value));
  return ajv;
}

type Part = { readonly schema: unknown; readonly httpPart?: string | undefined };
type ValidationResult = true | { readonly error: readonly ErrorObject[] };

/**
 * Bodies are validated as sent: no coercion, and unknown properties are refused where the contract says so. Paths,
 * queries and headers are text, so numbers and booleans are parsed from it.
 */
const VALIDATORS = { body: makeAjv(false), text: makeAjv(true) };

/**
 * A validator compiler for Fastify, with the right validator for each part of a request. Each schema is compiled on its
 * first request. See decision http/compile-on-first-use.
 */
export function makeValidatorCompiler() {
  return ({ schema, httpPart }: Part) => {
    let validate: ValidateFunction | undefined;
    const isBody = httpPart === 'body';
    const numbers = isBody ? [] : numbersOf(schema as object);
    return (value: unknown): ValidationResult => {
      validate ??= VALIDATORS[isBody ? 'body' : 'text'].compile(schema as object);
      const odd = numbers.flatMap((number) => faultOfNumber(number, value as Readonly<Record<string, unknown>>));
      if (odd.length > 0) return { error: odd };
      return validate(value) === true || { error: validate.errors ?? [] };
    };
  };
}

type NumberField = { readonly name: string; readonly type: 'integer' | 'number' };

/** The fields of a path, query or header that are numbers. */
function numbersOf({ properties = {} }: { readonly properties?: Readonly<Record<string, { type?: unknown }>> }) {
  return Object.entries(properties).flatMap(([name, { type }]): NumberField[] =>
    type === 'integer' || type === 'number' ? [{ name, type }] : [],
  );
}

const DIGITS = { integer: /^-?(0|[1-9]\d*)$/, number: /^-?(0|[1-9]\d*)(\.\d+)?$/ };

/** Ajv takes for a number all that JavaScript does: `0x1`, `1e2`, `+1`, ` 1`. A number is written in digits. */
function faultOfNumber({ name, type }: NumberField, values: Readonly<Record<string, unknown>>): ErrorObject[] {
  const text = values[name];
  if (typeof text !== 'string' || DIGITS[type].test(text)) return [];
  const where = { keyword: 'type', instancePath: `/${name}`, schemaPath: `#/properties/${name}/type` };
  return [{ ...where, params: { type }, message: `must be ${type}` }];
}

/** The most faults that an answer names; otherwise the answer to a faulty body could be many times its size. */
const FIELDS_MAX = 50;

/** Turns Ajv's errors into one VALIDATION_ERROR that names each faulty field, at most fifty, and what is expected. */
export function toValidationError(errors: readonly ErrorObject[], part: string): AppError {
  const fields = dedupe(errors.filter((error) => !isNoise(error)).map((error) => toField(error, part)));
  const [first, ...more] = fields;
  const message = first ? `${first.path || part}: ${first.message}` : 'The request is not valid.';
  return new AppError(
    'VALIDATION_ERROR',
    more.length > 0 ? `${message} (and ${more.length} more, see fields)` : message,
    { fields: fields.slice(0, FIELDS_MAX) },
  );
}

const isNoise = (error: ErrorObject): boolean => error.keyword === 'if';

const dedupe = (fields: readonly FieldError[]): FieldError[] => [
  ...new Map(fields.map((field) => [field.path, field])).values(),
];

function toField(error: ErrorObject, part: string): FieldError {
  const at = error.instancePath.split('/').slice(1).map(unescapePointer);
  const { missingProperty, additionalProperty } = error.params as Record<string, string | undefined>;
  const path = [...at, ...(missingProperty ? [missingProperty] : additionalProperty ? [additionalProperty] : [])].join(
    '.',
  );
  const isParameter = part === 'querystring' && error.keyword === 'additionalProperties';
  return { path: path || part, message: isParameter ? explainUnknown(error) : explain(error) };
}

const unescapePointer = (segment: string): string => segment.replaceAll('~1', '/').replaceAll('~0', '~');

const FORMATS: Readonly<Record<string, string>> = {
  money: 'must be an amount with at most 2 decimals',
  text: 'must not contain control characters',
  name: 'must be one line with something to see, and nothing that hides or turns text around',
  email: 'must be an e-mail address',
  uri: 'must be a full URL',
  'date-time': 'must be an ISO 8601 date-time with a time zone, like 2026-01-31T12:00:00Z',
  'date-or-date-time': 'must be an ISO 8601 date or date-time, like 2026-01-31 or 2026-01-31T12:00:00Z',
};

function explain(error: ErrorObject): string {
  const params = error.params as Record<string, unknown>;
  switch (error.keyword) {
    case 'required':
      return 'is required';
    case 'additionalProperties':
      return explainField(error);
    case 'enum':
      return `must be one of: ${(params['allowedValues'] as unknown[]).filter((value) => value !== null).join(', ')}`;
    case 'format':
      return FORMATS[params['format'] as string] ?? `must be a valid ${params['format']}`;
    case 'pattern':
      return describePattern(error);
    case 'type':
      return explainType(error);
    default:
      return error.message ?? 'is not valid';
  }
}

/** An operation has few parameters, so that naming all of them shows the one that was meant. */
function explainUnknown({ parentSchema }: ErrorObject): string {
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

function explainType({ data, params }: ErrorObject): string {
  const types = [params['type']].flat().join(' or ').replace('null', 'null (none)');
  const isQuoted = /^(number|integer)\b/.test(types) && typeof data === 'string' && DIGITS.number.test(data);
  return isQuoted ? `must be ${types}, without quotation marks` : `must be ${types}`;
}

/** The contract's description of a field helps more than its pattern. */
function describePattern(error: ErrorObject): string {
  const { description } = (error.parentSchema ?? {}) as { description?: string };
  return description
    ? `does not have the right form: ${description.trim().split('\n')[0]}`
    : `must match ${error.params['pattern']}`;
}
