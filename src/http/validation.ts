import { Ajv, type ErrorObject, type ValidateFunction } from 'ajv';
import addFormats from 'ajv-formats';
import { AppError, type FieldError } from '../lib/errors.ts';
import { isFiat } from '../lib/money.ts';
import { isName } from '../lib/shown-text.ts';
import { DIGITS, explain, explainUnknown } from './validation-words.ts';

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

/** Ajv takes for a number all that JavaScript does: `0x1`, `1e2`, `+1`, ` 1`. A number is written in digits. */
function faultOfNumber({ name, type }: NumberField, values: Readonly<Record<string, unknown>>): ErrorObject[] {
  const text = values[name];
  if (typeof text !== 'string' || DIGITS[type].test(text)) return [];
  const where = { keyword: 'type', instancePath: `/${name}`, schemaPath: `#/properties/${name}/type` };
  return [{ ...where, params: { type } }];
}

/** The most faults that an answer names; otherwise the answer to a faulty body could be many times its size. */
const FIELDS_MAX = 50;

/** Turns Ajv's errors into one VALIDATION_ERROR that names each faulty field, at most fifty, and what is expected. */
export function toValidationError(errors: readonly ErrorObject[], part: string): AppError {
  const fields = dedupe(withoutNoise(errors).map((error) => toField(error, part)));
  const [first, ...more] = fields;
  const message = first ? `${first.path || part}: ${first.message}` : 'The request is not valid.';
  return new AppError(
    'VALIDATION_ERROR',
    more.length > 0 ? `${message} (and ${more.length} more, see fields)` : message,
    { fields: fields.slice(0, FIELDS_MAX) },
  );
}

/** Without faults that only say that there are others, and those of alternatives that were not meant. */
function withoutNoise(errors: readonly ErrorObject[]): readonly ErrorObject[] {
  const choices = errors.filter(({ keyword }) => keyword === 'anyOf' || keyword === 'oneOf');
  const noise = new Set(choices.flatMap((choice) => noiseOf(choice, errors)));
  return errors.filter((error) => error.keyword !== 'propertyNames' && !noise.has(error));
}

/**
 * Where something has to fit one of several alternatives, the faults of the first that has its type tell more than
 * those of the others, and than a list of all. Where none has its type, the list is all that there is to say.
 */
function noiseOf(choice: ErrorObject, errors: readonly ErrorObject[]): ErrorObject[] {
  const under = errors.flatMap((error) => {
    const branch = branchOf(error, choice);
    return branch === undefined ? [] : [{ error, branch }];
  });
  const isOfOtherType = ({ keyword, instancePath }: ErrorObject): boolean =>
    keyword === 'type' && instancePath === choice.instancePath;
  const strange = new Set(under.flatMap(({ error, branch }) => (isOfOtherType(error) ? [branch] : [])));
  const meant = under.find(({ branch }) => !strange.has(branch))?.branch;
  const noise = under.flatMap(({ error, branch }) => (branch === meant ? [] : [error]));
  return meant === undefined ? noise : [...noise, choice];
}

/** Of which alternative of a choice a fault is; undefined if of none, or of another value. */
function branchOf({ schemaPath, instancePath }: ErrorObject, choice: ErrorObject): string | undefined {
  const under = `${choice.schemaPath}/`;
  if (!schemaPath.startsWith(under) || !`${instancePath}/`.startsWith(`${choice.instancePath}/`)) return undefined;
  return schemaPath.slice(under.length).split('/', 1)[0];
}

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
