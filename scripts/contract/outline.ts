/** The part of a contract that programs rely on: without words, examples and samples. */

export type Json = string | number | boolean | null | readonly Json[] | { readonly [key: string]: Json };
export type JsonMap = { readonly [key: string]: Json };

const WORDS = new Set(['description', 'summary', 'title', 'examples', 'tags', 'info', 'servers', 'externalDocs']);

/**
 * The contract without what only people read. Names of properties are kept, also those that are called like a keyword.
 */
export function outlineOf(contract: Json): Json {
  return strip(contract, false);
}

function strip(value: Json, isNames: boolean): Json {
  if (Array.isArray(value)) return value.map((each) => strip(each, false));
  if (typeof value !== 'object' || value === null) return value;
  const kept = Object.entries(value).filter(([key]) => isNames || !(WORDS.has(key) || key.startsWith('x-')));
  return Object.fromEntries(kept.map(([key, each]) => [key, strip(each, !isNames && NAMED.has(key))]));
}

/** Whose keys are names that the contract gives, not keywords. */
const NAMED = new Set([
  'properties',
  'schemas',
  'parameters',
  'responses',
  'headers',
  'paths',
  'webhooks',
  'securitySchemes',
]);

/** A map where there is one, and an empty one anywhere else. */
export const mapOf = (value: Json | undefined): JsonMap =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as JsonMap) : {};

/** A list where there is one, and an empty one anywhere else. */
export const listOf = (value: Json | undefined): readonly Json[] => (Array.isArray(value) ? value : []);

/** What a `$ref` within the document points to, or the value itself. */
export function resolve(document: Json, value: Json | undefined): JsonMap {
  const { $ref } = mapOf(value);
  if (typeof $ref !== 'string') return mapOf(value);
  const parts = $ref
    .slice(2)
    .split('/')
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'));
  const target = parts.reduce<Json | undefined>((at, part) => mapOf(at)[part], document);
  return { ...resolve(document, target), ...withoutRef(mapOf(value)) };
}

function withoutRef(map: JsonMap): JsonMap {
  const { $ref: _, ...rest } = map;
  return rest;
}
