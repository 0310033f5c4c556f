import { type Json, type JsonMap, listOf, mapOf } from '../contract/outline.ts';

type Change = (schema: JsonMap) => Json;

/** Keywords of a schema whose value is a schema, a list of schemas, or a map of them. */
const ONE = new Set(['items', 'additionalProperties', 'propertyNames', 'not']);
const LIST = new Set(['allOf', 'anyOf', 'oneOf', 'prefixItems']);
const MAP = new Set(['properties', 'patternProperties']);

/** The document with every schema in it replaced by what `change` makes of it, inner ones first. */
export function mapSchemas(document: JsonMap, change: Change): JsonMap {
  return mapEntries(document, (key, value) => outside(key, value, change));
}

/** A schema with those inside it, and then itself, replaced. */
export function mapSchema(schema: Json, change: Change): Json {
  if (typeof schema !== 'object' || schema === null || Array.isArray(schema)) return schema;
  const inner = mapEntries(mapOf(schema), (key, value) => {
    if (ONE.has(key)) return mapSchema(value, change);
    if (LIST.has(key)) return listOf(value).map((each) => mapSchema(each, change));
    return MAP.has(key) ? mapEntries(mapOf(value), (_, each) => mapSchema(each, change)) : value;
  });
  return change(inner);
}

function outside(key: string, value: Json, change: Change): Json {
  if (key === 'examples' || key.startsWith('x-')) return value;
  if (key === 'schema') return mapSchema(value, change);
  if (key === 'schemas') return mapEntries(mapOf(value), (_, each) => mapSchema(each, change));
  if (Array.isArray(value)) return value.map((each: Json) => outside('', each, change));
  if (typeof value !== 'object' || value === null) return value;
  return mapEntries(mapOf(value), (name, each) => outside(name, each, change));
}

export function mapEntries(map: JsonMap, change: (key: string, value: Json) => Json): JsonMap {
  return Object.fromEntries(Object.entries(map).map(([key, value]) => [key, change(key, value)]));
}

export const schemasOf = (document: JsonMap): JsonMap => mapOf(mapOf(document['components'])['schemas']);

/** The document with other schemas under `components`. */
export const withSchemas = (document: JsonMap, schemas: JsonMap): JsonMap => ({
  ...document,
  components: { ...mapOf(document['components']), schemas },
});

const SCHEMA = '#/components/schemas/';

export const refTo = (name: string): JsonMap => ({ $ref: `${SCHEMA}${name}` });

/** The name of the component that a schema refers to; null when it refers to none. */
export function referred(schema: Json): string | null {
  const { $ref } = mapOf(schema);
  return typeof $ref === 'string' && $ref.startsWith(SCHEMA) ? $ref.slice(SCHEMA.length) : null;
}

export const NULL = { type: 'null' } as const;

/** The types that a schema names, null among them. */
export const typesOf = (schema: Json | undefined): string[] =>
  [mapOf(schema)['type'] ?? []].flat().filter((type): type is string => typeof type === 'string');

/** A schema that takes all that it took but null. */
export function withoutNull(schema: JsonMap): JsonMap {
  const types = typesOf(schema).filter((type) => type !== 'null');
  const isValue = (value: Json): boolean => value !== null;
  return {
    ...schema,
    type: types.length === 1 ? (types[0] ?? '') : types,
    ...(schema['enum'] === undefined ? {} : { enum: listOf(schema['enum']).filter(isValue) }),
    ...(schema['examples'] === undefined ? {} : { examples: listOf(schema['examples']).filter(isValue) }),
  };
}
