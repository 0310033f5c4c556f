import { type Json, type JsonMap, listOf, mapOf, resolve } from '../../contract/outline.ts';
import { typesOf } from '../schemas.ts';

/** Fields further inside than this are named in the contract alone. */
const DEPTH_MAX = 4;
/** What a schema may say about its values, and how a reader says it. */
const BOUNDS: readonly (readonly [key: string, words: (value: Json) => string])[] = [
  ['exclusiveMinimum', (value) => `more than ${value}`],
  ['minimum', (value) => `at least ${value}`],
  ['maximum', (value) => `at most ${value}`],
  ['minLength', (value) => `at least ${value} characters`],
  ['maxLength', (value) => `at most ${value} characters`],
  ['minItems', (value) => `at least ${value}`],
  ['maxItems', (value) => `at most ${value}`],
  ['default', (value) => `default \`${JSON.stringify(value)}\``],
];

/** The fields of an object as a list in Markdown, with what is inside them. `isSent` marks those that must be sent. */
export function fieldList(whole: JsonMap, schema: Json | undefined, isSent: boolean, depth = 0): string[] {
  const object = plain(whole, schema);
  const inside = object['items'] === undefined ? object : plain(whole, object['items']);
  const required = listOf(inside['required']);
  return Object.entries(mapOf(inside['properties'])).flatMap(([name, property]) => {
    const field = plain(whole, property);
    const notes = [typeOf(whole, property), ...(isSent ? [required.includes(name) ? 'required' : 'optional'] : [])];
    const bounds = isSent ? boundsOf(field) : [];
    const line = `${'  '.repeat(depth)}- \`${name}\` (${[...notes, ...bounds].join(', ')})${told(field)}`;
    const deeper = depth < DEPTH_MAX ? fieldList(whole, field, isSent, depth + 1) : [];
    return [line, ...deeper];
  });
}

const boundsOf = (schema: JsonMap): string[] =>
  BOUNDS.flatMap(([key, words]) => (schema[key] === undefined ? [] : [words(schema[key])]));

const told = (schema: JsonMap): string => {
  const text = oneLine(schema['description']);
  return text === '' ? '' : `: ${text}`;
};

/** A description in one line, without drawings. */
export const oneLine = (text: Json | undefined): string =>
  typeof text === 'string'
    ? text
        .replaceAll(/```[\s\S]*?```/g, '')
        .replaceAll(/\s+/g, ' ')
        .trim()
    : '';

/** A schema without references: parts joined, and of a value that may be null the schema of the value. */
function plain(whole: JsonMap, schema: Json | undefined): JsonMap {
  const own = resolve(whole, schema);
  const choices = listOf(own['anyOf']).filter((each) => mapOf(each)['type'] !== 'null');
  const merged = choices.length === 1 ? { ...plain(whole, choices[0]), ...withoutKey(own, 'anyOf') } : own;
  if (merged['allOf'] === undefined) return merged;
  const parts = listOf(merged['allOf']).map((part) => plain(whole, part));
  return {
    ...(Object.assign({}, ...parts) as JsonMap),
    ...withoutKey(merged, 'allOf'),
    required: parts.flatMap((part) => listOf(part['required'])),
    properties: Object.assign({}, ...parts.map((part) => mapOf(part['properties']))) as JsonMap,
  };
}

const withoutKey = (map: JsonMap, key: string): JsonMap =>
  Object.fromEntries(Object.entries(map).filter(([name]) => name !== key));

/** The type in words: `string or null`, `list of integer`, or the values that there are. */
export function typeOf(whole: JsonMap, schema: Json | undefined): string {
  const own = plain(whole, schema);
  const mayBeNull = isNullable(whole, schema) ? ' or null' : '';
  const values = listOf(own['enum']).filter((value) => value !== null);
  if (values.length > 0) return `one of ${values.map((value) => `\`${value}\``).join(', ')}${mayBeNull}`;
  if (own['const'] !== undefined) return `always \`${JSON.stringify(own['const'])}\``;
  if (own['items'] !== undefined) return `list of ${typeOf(whole, own['items'])}${mayBeNull}`;
  const choices = [...listOf(own['anyOf']), ...listOf(own['oneOf'])].filter((each) => mapOf(each)['type'] !== 'null');
  if (choices.length > 0) return choices.map((each) => typeOf(whole, each)).join(' or ');
  const types = typesOf(own).filter((type) => type !== 'null');
  const format = typeof own['format'] === 'string' ? ` ${own['format']}` : '';
  return `${types.join(' or ') || 'any value'}${format}${mayBeNull}`;
}

function isNullable(whole: JsonMap, schema: Json | undefined): boolean {
  const own = resolve(whole, schema);
  return typesOf(own).includes('null') || listOf(own['anyOf']).some((each) => mapOf(each)['type'] === 'null');
}
