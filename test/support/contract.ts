import { readFileSync } from 'node:fs';
import type { ValidateFunction } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { operationMeta } from '../../generated/operations.ts';
import { isFiat } from '../../src/lib/money.ts';
import type { OperationId } from '../../src/ports/operation.ts';

export type Schema = Readonly<Record<string, unknown>>;
type Media = { readonly schema: Schema };
type Documented = { readonly $ref?: string; readonly content?: Readonly<Record<string, Media>> };
export type Parameter = {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly required?: boolean;
  readonly schema: Schema;
};
export type Operation = {
  readonly operationId: OperationId;
  readonly parameters?: readonly (Parameter | { readonly $ref: string })[];
  readonly requestBody?: { readonly required?: boolean; readonly content: { readonly 'application/json': Media } };
  readonly responses: Readonly<Record<string, Documented>>;
};
type Contract = {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly webhooks: Readonly<Record<string, { readonly post: Required<Pick<Operation, 'requestBody'>> }>>;
  readonly components: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
};

/** The bundle that the server serves, read anew: not the types generated from it. */
export const contract = JSON.parse(
  readFileSync(new URL('../../generated/openapi.json', import.meta.url), 'utf8'),
) as Contract;

export const operationIds = Object.keys(operationMeta) as OperationId[];

const operations = new Map(
  Object.values(contract.paths).flatMap((methods) =>
    Object.values(methods).map((operation) => [operation.operationId, operation]),
  ),
);

/** An operation as the contract defines it. */
export function operationOf(id: OperationId): Operation {
  const operation = operations.get(id);
  if (!operation) throw new Error(`the contract knows no operation ${id}`);
  return operation;
}

/** The parameters of an operation in this part of a request. */
export const parametersOf = (id: OperationId, where: Parameter['in']): Parameter[] =>
  (operationOf(id).parameters ?? []).map((each) => dereference<Parameter>(each)).filter((each) => each.in === where);

/** Follows `$ref` within the contract. */
export function dereference<T>(node: T | { readonly $ref: string }): T {
  const { $ref } = node as { $ref?: string };
  if ($ref === undefined) return node as T;
  const found = $ref
    .slice(2)
    .split('/')
    .reduce<unknown>((at, key) => (at as Record<string, unknown>)[key.replaceAll('~1', '/')], contract);
  return dereference(found as T);
}

/** Literal segments take precedence over ids: a literal path names no resource. */
const routes = operationIds
  .map((id) => {
    const { method, path } = operationMeta[id];
    const source = path.replaceAll('.', '\\.').replace(/\{\w+\}/g, '[^/]*'); // An empty segment counts as an id, too.
    return { id, method: method as string, path, pattern: new RegExp(`^${source}$`) };
  })
  .sort((a, b) => a.path.split('{').length - b.path.split('{').length);

/** The operation that a request belongs to, or undefined when the contract has none. HEAD counts as GET. */
export function findOperation(method: string, pathname: string): OperationId | undefined {
  // Malformed text, control characters and anything longer than an id never reach an operation.
  if (!pathname.split('/').every((segment) => isText(decode(segment)))) return undefined;
  const wanted = method === 'HEAD' ? 'GET' : method;
  return routes.find((route) => route.method === wanted && route.pattern.test(pathname))?.id;
}

const isText = (segment: string): boolean => /^[^\p{Cc}\p{Cs}]{0,100}$/u.test(segment);

function decode(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return '\0';
  }
}

/** The statuses that an operation documents by number. */
export const documentedStatuses = (id: OperationId): number[] =>
  Object.keys(operationOf(id).responses)
    .filter((status) => status !== 'default')
    .map(Number);

/** What the contract documents for a response: its media types and their schemas. `status` is a number or `default`. */
export function answerOf(id: OperationId, status: number | 'default'): Readonly<Record<string, Media>> {
  const answer = operationOf(id).responses[status];
  if (!answer) throw new Error(`${id} documents no ${status}`);
  return dereference<Documented>(answer).content ?? {};
}

const DATE_TIME_UTC = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/;

const ajv = new Ajv2020({ allErrors: true, strict: false, validateSchema: false });
ajv.addFormat('money', { type: 'number', validate: isFiat });
ajv.addFormat('text', true);
ajv.addFormat('name', true);
ajv.addFormat('email', /^[^\s@]+@[^\s@]+$/);
ajv.addFormat('uri', (value: string) => URL.canParse(value));
// We write times in UTC with milliseconds; those we receive may differ.
ajv.addFormat('date-time', (value: string) => DATE_TIME_UTC.test(value) && !Number.isNaN(Date.parse(value)));
ajv.addFormat('date-or-date-time', true);
ajv.addSchema(contract as object, 'contract');
ajv.addSchema(closed(contract) as object, 'closed');

const compiled = new Map<string, ValidateFunction>();

/** The problems of `value` under a schema of the contract; empty when it is valid. */
export const problemsOf = (schema: Schema, value: unknown): string[] => judge(schema, value, 'contract');

/** The problems of an event's body under the contract's webhook of that type; undocumented fields are problems too. */
export function problemsOfEvent(type: string, body: unknown): string[] {
  const webhook = contract.webhooks[type];
  if (!webhook) return ['the contract has no such webhook'];
  return judge(webhook.post.requestBody.content['application/json'].schema, body, 'closed');
}

function judge(schema: Schema, value: unknown, within: 'contract' | 'closed'): string[] {
  const key = `${within} ${JSON.stringify(schema)}`;
  const validate = compiled.get(key) ?? ajv.compile(absolute(schema, within) as object);
  compiled.set(key, validate);
  if (validate(value)) return [];
  return (validate.errors ?? []).map(
    ({ instancePath, message, params }) => `${instancePath || '/'} ${message} ${JSON.stringify(params)}`,
  );
}

/** The references in a part of the contract, made absolute. */
function absolute(node: unknown, within: string): unknown {
  if (Array.isArray(node)) return node.map((item) => absolute(item, within));
  if (typeof node !== 'object' || node === null) return node;
  return Object.fromEntries(
    Object.entries(node).map(([key, value]) => [
      key,
      key === '$ref' && typeof value === 'string' ? value.replace(/^#/, `${within}#`) : absolute(value, within),
    ]),
  );
}

/**
 * The contract with every object closed that would allow undocumented fields. The result of `allOf` is closed as a
 * whole.
 */
function closed(node: unknown, isPart = false): unknown {
  if (Array.isArray(node)) return node.map((item) => closed(item, isPart));
  if (typeof node !== 'object' || node === null) return node;
  const schema = node as Record<string, unknown>;
  const copy = Object.fromEntries(
    Object.entries(schema).map(([key, value]) => [key, closed(value, key === 'allOf' || key === 'EventEnvelope')]),
  );
  if (schema['allOf']) return { unevaluatedProperties: false, ...copy };
  return schema['type'] === 'object' && schema['properties'] && !isPart
    ? { additionalProperties: false, ...copy }
    : copy;
}
