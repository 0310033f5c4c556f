/** The part of a contract that programs rely on: no descriptions, examples or samples. */

export type Json = string | number | boolean | null | readonly Json[] | { readonly [key: string]: Json };
export type JsonMap = { readonly [key: string]: Json };

const WORDS = new Set(['description', 'summary', 'title', 'examples', 'tags', 'info', 'servers', 'externalDocs']);

/** The contract without the parts for human readers. Keeps property names, even those that equal a keyword. */
export function outlineOf(contract: Json): Json {
  return strip(contract, false);
}

function strip(value: Json, isNames: boolean): Json {
  if (Array.isArray(value)) return value.map((each) => strip(each, false));
  if (typeof value !== 'object' || value === null) return value;
  const kept = Object.entries(value).filter(([key]) => isNames || key === LIMITS || !isForReaders(key));
  return Object.fromEntries(kept.map(([key, each]) => [key, strip(each, !isNames && NAMED.has(key))]));
}

const isForReaders = (key: string): boolean => WORDS.has(key) || key.startsWith('x-');

/** How often callers may call is told when it changes, although no program is written against it. */
const LIMITS = 'x-limits';

/** Keywords whose keys are names of the contract. */
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

/** The map at this place, or an empty one. */
export const mapOf = (value: Json | undefined): JsonMap =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as JsonMap) : {};

/** The list at this place, or an empty one. */
export const listOf = (value: Json | undefined): readonly Json[] => (Array.isArray(value) ? value : []);

/** The target of a `$ref` within the document, or the value itself. */
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
