import serializerOf from 'fast-json-stringify';

type Part = { readonly schema: unknown };

/**
 * A serialiser compiler for Fastify. Each schema is compiled for its first answer. See decision
 * http/compile-on-first-use.
 */
export function makeSerializerCompiler() {
  return ({ schema }: Part) => {
    let serialize: ((value: unknown) => string) | undefined;
    return (value: unknown): string => {
      serialize ??= serializerOf(schema as Parameters<typeof serializerOf>[0]);
      return serialize(value);
    };
  };
}
