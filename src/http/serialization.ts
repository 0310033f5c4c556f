import serializerOf from 'fast-json-stringify';
import type { RouteOptions } from 'fastify';
import { mapValues } from './answer-types.ts';

type Part = { readonly schema: unknown };

type Serialize = (value: unknown) => string;
type Schema = Exclude<Parameters<typeof serializerOf>[0], boolean>;

/** Formats of our own, which it would name on stderr where it tells alternatives apart. Answers are not validated. */
const KNOWN_FORMATS = { ajv: { formats: { money: true, text: true, 'date-or-date-time': true } } } as const;

const known = new WeakMap<Schema, Serialize>();

/**
 * A serialiser compiler for Fastify. Each schema is compiled for its first answer, once in a process. See decision
 * http/compile-on-first-use.
 */
export const makeSerializerCompiler =
  () =>
  ({ schema }: Part): Serialize =>
  (value) => {
    const found = known.get(schema as Schema);
    if (found) return found(value);
    // Compiling adds to a schema, parts of which others share.
    const serialize = serializerOf(structuredClone(schema) as Schema, KNOWN_FORMATS) as Serialize;
    known.set(schema as Schema, serialize);
    return serialize(value);
  };

/** What a schema says only to people. */
const WORDS = new Set(['title', 'description', 'examples', 'example']);
/** The keywords whose value has schemas by names. */
const NAMED = new Set(['properties', 'patternProperties', '$defs', 'definitions']);
/** The keywords whose value is data. */
const DATA = new Set(['enum', 'const', 'default', 'required']);

const lean = new WeakMap<object, unknown>();

/**
 * Leaves out of a route's answers what they say to people: glue has copied it for each route, and half of what the
 * routes hold was that. A HEAD and its GET share theirs.
 */
export function leaveWordsOut(route: RouteOptions): void {
  const response = route.schema?.response as Readonly<Record<string, Answer>> | undefined;
  if (!response) return;
  const known = lean.get(response) ?? mapValues(response, withoutWordsOf);
  lean.set(response, known);
  lean.set(known as object, known);
  route.schema = { ...route.schema, response: known };
}

type Values = Readonly<Record<string, unknown>>;
type Answer = { readonly content?: Readonly<Record<string, { readonly schema?: unknown }>> };

const withoutWordsOf = ({ content, ...rest }: Answer): Answer => ({
  ...rest,
  ...(content && { content: mapValues(content, (media) => ({ ...media, schema: withoutWords(media.schema) })) }),
});

function withoutWords(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(withoutWords);
  if (typeof schema !== 'object' || schema === null) return schema;
  const kept = Object.entries(schema).filter(([keyword]) => !WORDS.has(keyword));
  return Object.fromEntries(
    kept.map(([keyword, value]) => {
      if (DATA.has(keyword)) return [keyword, value];
      return [keyword, NAMED.has(keyword) ? mapValues(value as Values, withoutWords) : withoutWords(value)];
    }),
  );
}
