import { type Json, type JsonMap, listOf, mapOf } from '../contract/outline.ts';
import { mapEntries, mapSchema, mapSchemas, referred, schemasOf, typesOf, withSchemas } from './schemas.ts';

/**
 * The contract as generators of clients take it: the same operations and names, said with fewer words of OpenAPI. See
 * "For generators" in openapi/README.md for each difference and its reason.
 */
export function clientDocument(contract: JsonMap): JsonMap {
  const { webhooks: _, ...rest } = contract;
  const plain = joinParts(mapSchemas(withoutExtensions(rest), simplify));
  return withUnions(openAnswers({ ...plain, ...aboutOf(contract) }));
}

const INT32_MAX = 2 ** 31 - 1;
/** The formats that stay. Generators know nothing of ours, and some refuse addresses that their language can't read. */
const FORMATS = new Set(['date-time']);

/** What it is, in one paragraph, and where the guides are: generators write the description into every file. */
function aboutOf(contract: JsonMap): JsonMap {
  const info = mapOf(contract['info']);
  const server = mapOf(listOf(contract['servers'])[0]);
  const [first = ''] = String(info['description']).split('\n\n');
  return {
    info: { ...info, description: first.trim() },
    externalDocs: { description: 'Guides and reference', url: `${server['url']}/docs` },
  };
}

/** Without what only we read. */
function withoutExtensions(value: JsonMap): JsonMap {
  const strip = (each: Json): Json => {
    if (Array.isArray(each)) return each.map(strip);
    if (typeof each !== 'object' || each === null) return each;
    const kept = Object.entries(each).filter(([key]) => !key.startsWith('x-'));
    return Object.fromEntries(kept.map(([key, inner]) => [key, strip(inner)]));
  };
  return strip(value) as JsonMap;
}

function simplify(schema: JsonMap): Json {
  return [dropNullOnly, divideTypes, nameNumbers].reduce((each, change) => change(each), schema);
}

/** A property that can only be null has nothing to say, and no language has a type for it. */
function dropNullOnly(schema: JsonMap): JsonMap {
  if (schema['properties'] === undefined) return schema;
  const kept = Object.entries(mapOf(schema['properties'])).filter(([, each]) => mapOf(each)['type'] !== 'null');
  return { ...schema, properties: Object.fromEntries(kept) };
}

/** One of several types becomes a choice of schemas, each with what is said about its type. */
function divideTypes(schema: JsonMap): JsonMap {
  const types = typesOf(schema);
  if (types.filter((type) => type !== 'null').length < 2) return schema;
  const { type: _, maxLength, minLength, pattern, format, ...rest } = schema;
  const text = defined({ minLength, maxLength, pattern, format });
  return { ...rest, oneOf: types.map((type) => nameNumbers(type === 'string' ? { type, ...text } : { type })) };
}

const defined = (map: { readonly [key: string]: Json | undefined }): JsonMap =>
  Object.fromEntries(Object.entries(map).filter((entry): entry is [string, Json] => entry[1] !== undefined));

/** Without a format, numbers become 32 bits wide in some languages, too few for amounts and positions. */
function nameNumbers({ format, ...schema }: JsonMap): JsonMap {
  const types = typesOf(schema);
  if (types.includes('number')) return { ...schema, format: 'double' };
  const { maximum } = schema;
  const isSmall = typeof maximum === 'number' && maximum <= INT32_MAX;
  if (types.includes('integer') && !isSmall) return { ...schema, format: 'int64' };
  return format !== undefined && FORMATS.has(String(format)) ? { ...schema, format } : schema;
}

/** What is all of several objects becomes one with the fields of all. Java refuses new fields in what has parts. */
function joinParts(contract: JsonMap): JsonMap {
  const schemas = schemasOf(contract);
  const whole = (schema: JsonMap): JsonMap => {
    const { allOf, ...own } = schema;
    if (allOf === undefined) return schema;
    const parts = listOf(allOf).map((part) => whole(mapOf(schemas[referred(part) ?? ''] ?? part)));
    return {
      type: 'object',
      ...own,
      required: [...new Set(parts.flatMap((part) => listOf(part['required'])))],
      properties: Object.assign({}, ...parts.map((part) => part['properties'])) as JsonMap,
    };
  };
  return mapSchemas(contract, whole);
}

/** What answers bring may grow: objects get fields, and enums values. */
function openAnswers(contract: JsonMap): JsonMap {
  const schemas = schemasOf(contract);
  const answered = reach(schemas, [...answersOf(contract), 'WebhookEvent']);
  const opened = mapEntries(schemas, (name, schema) => (answered.has(name) ? mapSchema(schema, open) : schema));
  return withSchemas(contract, opened);
}

/** The names of the components that answers refer to. */
function answersOf(contract: JsonMap): string[] {
  const operations = Object.values(mapOf(contract['paths'])).flatMap((item) => Object.values(mapOf(item)));
  const answers = operations.map((operation) => mapOf(operation)['responses'] ?? null);
  return [...answers, mapOf(contract['components'])['responses'] ?? null].flatMap(namesIn);
}

function namesIn(value: Json): string[] {
  const name = referred(value);
  if (name !== null) return [name];
  if (typeof value !== 'object' || value === null) return [];
  return Object.values(value).flatMap((each: Json) => namesIn(each));
}

/** These components, and all that they refer to. */
function reach(schemas: JsonMap, names: readonly string[]): ReadonlySet<string> {
  const found = new Set<string>();
  const waiting = [...names];
  for (let name = waiting.pop(); name !== undefined; name = waiting.pop()) {
    if (found.has(name)) continue;
    found.add(name);
    waiting.push(...namesIn(schemas[name] ?? null));
  }
  return found;
}

function open({ enum: values, ...schema }: JsonMap): Json {
  if (schema['properties'] !== undefined) return { additionalProperties: true, ...schema };
  if (values === undefined) return schema;
  return { ...schema, 'x-extensible-enum': listOf(values).filter((value) => value !== null) };
}

/** Tells by which field a union is to be told apart, where all its members have one constant there. */
function withUnions(contract: JsonMap): JsonMap {
  const schemas = schemasOf(contract);
  const unions = mapEntries(schemas, (_, schema) => {
    const members = listOf(mapOf(schema)['oneOf']);
    const mapping = members.map((each) => [constantOf(schemas, each), mapOf(each)['$ref']] as const);
    if (members.length === 0 || mapping.some(([type]) => type === null)) return schema;
    return {
      ...mapOf(schema),
      discriminator: { propertyName: 'type', mapping: Object.fromEntries(mapping) as JsonMap },
    };
  });
  return withSchemas(contract, unions);
}

function constantOf(schemas: JsonMap, member: Json): string | null {
  const { properties } = mapOf(schemas[referred(member) ?? ''] ?? member);
  const constant = mapOf(mapOf(properties)['type'])['const'];
  return typeof constant === 'string' ? constant : null;
}
