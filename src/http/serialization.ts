import serializerOf from 'fast-json-stringify';

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
