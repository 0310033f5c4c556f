import type { Json, JsonMap } from '../contract/outline.ts';
import { mapSchemas, NULL, referred, refTo, schemasOf, typesOf, withoutNull, withSchemas } from './schemas.ts';

/**
 * The contract with references that every program understands. Both mean what they meant:
 * - a component that may be null becomes one that may not, and what refers to it says "that, or null";
 * - a reference with a default beside it becomes the component itself, with the default.
 */
export function withPlainReferences<Contract>(contract: Contract): Contract {
  return sayWhereNullMayBe(inlineDefaults(contract as JsonMap)) as Contract;
}

function sayWhereNullMayBe(contract: JsonMap): JsonMap {
  const schemas = schemasOf(contract);
  const nullable = new Set(Object.keys(schemas).filter((name) => typesOf(schemas[name]).includes('null')));
  if (nullable.size === 0) return contract;
  const told = mapSchemas(contract, (schema): Json => {
    const name = referred(schema);
    if (name === null || !nullable.has(name)) return schema;
    const { $ref: _, ...words } = schema;
    return { ...words, anyOf: [refTo(name), NULL] };
  });
  const plain = Object.entries(schemasOf(told)).map(([name, schema]) => [
    name,
    nullable.has(name) ? withoutNull(schema as JsonMap) : schema,
  ]);
  return withSchemas(told, Object.fromEntries(plain) as JsonMap);
}

function inlineDefaults(contract: JsonMap): JsonMap {
  const schemas = schemasOf(contract);
  return mapSchemas(contract, (schema): Json => {
    const name = referred(schema);
    if (name === null || schema['default'] === undefined) return schema;
    const { $ref: _, ...beside } = schema;
    return { ...(schemas[name] as JsonMap), ...beside };
  });
}
