import {
  type Contract,
  flattened,
  kindsOf,
  nameOfRef,
  operationsOf,
  queryParametersOf,
  reachOf,
  type Schema,
} from './client-schema.ts';
import { pascalCase } from './python-text.ts';

export const PHP_HEADER =
  '<?php\n\n// Written by `npm run generate` from openapi/; never edited.\n\ndeclare(strict_types=1);\n\n';

/** The PHPDoc type of a schema. */
export function phpType(contract: Contract, schema: Schema): string {
  const inner = (part: Schema): string => phpType(contract, part);
  if (schema.$ref !== undefined) {
    const name = nameOfRef(schema.$ref);
    const target = contract.components.schemas[name] ?? {};
    return target.properties !== undefined && kindsOf(target).includes('null') ? `${name}|null` : name;
  }
  if (schema.const !== undefined) return literal(schema.const);
  const options = schema.oneOf ?? schema.anyOf;
  return union(options === undefined ? kindsOf(schema).map((kind) => plain(kind, schema, inner)) : options.map(inner));
}

const union = (types: readonly string[]): string => [...new Set(types)].join('|') || 'mixed';

const literal = (value: unknown): string => (typeof value === 'string' ? `'${value}'` : String(value));

function plain(kind: string, schema: Schema, inner: (part: Schema) => string): string {
  const values = (schema.enum ?? []).filter((value) => value !== null);
  if (kind === 'null') return 'null';
  if (values.length > 0) return union(values.map(literal));
  if (kind === 'array') return `list<${inner(schema.items ?? {})}>`;
  if (kind === 'object') {
    const { additionalProperties } = schema;
    return `array<string, ${typeof additionalProperties === 'object' ? inner(additionalProperties) : 'mixed'}>`;
  }
  const name = { string: 'string', integer: 'int', number: 'int|float', boolean: 'bool' }[kind];
  if (name === undefined) throw new Error(`A schema has the type ${kind}, for which there is none in PHP.`);
  return name;
}

/** The name of the type of an operation's query. */
export const queryName = (operationId: string): string => `${pascalCase(operationId)}Query`;

/** The PHP file with the types of the contract, for tools that read PHPDoc. */
export function typesFile(contract: Contract): string {
  const models = Object.entries(contract.components.schemas).map(([name, schema]) => {
    const { properties, required = [] } = flattened(contract, schema);
    if (properties === undefined) return [name, phpType(contract, schema)] as const;
    const fields = Object.entries(properties).map(([field, part]) => shapeField(contract, field, part, required));
    return [name, `array{${fields.join(', ')}}`] as const;
  });
  const queries = operationsOf(contract).flatMap((operation) => {
    const parameters = queryParametersOf(contract, operation);
    if (parameters.length === 0) return [];
    const required = parameters.filter((each) => each.required === true).map(({ name }) => name);
    const fields = parameters.map(({ name, schema }) => shapeField(contract, name, schema, required));
    return [[queryName(operation.operationId), `array{${fields.join(', ')}}`] as const];
  });
  const lines = [...models, ...queries]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, type]) => ` * @phpstan-type ${name} ${type}\n`);
  const about = '/** Fields of what is sent that are objects, also when they are empty. */';
  const objects = objectNames(contract).map((name) => `        '${name}',\n`);
  const constant = `    ${about}\n    public const OBJECTS = [\n${objects.join('')}    ];\n`;
  return `${PHP_HEADER}namespace Kasi\\Generated;\n\n/**\n * The types of the contract.\n *\n${lines.join('')} */\nfinal class Types\n{\n${constant}}\n`;
}

/** The names of the fields that are objects in everything that is sent, and nowhere there a list. */
function objectNames(contract: Contract): string[] {
  const kinds = new Map<string, Set<string>>();
  const kindsAt = (schema: Schema): readonly string[] => {
    const { $ref, oneOf = [], anyOf = [] } = schema;
    const target = $ref === undefined ? undefined : contract.components.schemas[nameOfRef($ref)];
    return [...kindsOf(schema), ...[...(target ? [target] : []), ...oneOf, ...anyOf].flatMap(kindsAt)];
  };
  const visit = (schema: Schema): void => {
    const { properties = {}, items, oneOf = [], anyOf = [], allOf = [] } = schema;
    for (const [name, field] of Object.entries(properties)) {
      kinds.set(name, new Set([...(kinds.get(name) ?? []), ...kindsAt(field)]));
    }
    for (const part of [...Object.values(properties), items, ...oneOf, ...anyOf, ...allOf]) if (part) visit(part);
  };
  for (const name of reachOf(contract).sent) visit(contract.components.schemas[name] ?? {});
  const isObject = (known: ReadonlySet<string>): boolean => known.has('object') && !known.has('array');
  return [...kinds].flatMap(([name, known]) => (isObject(known) ? [name] : [])).sort();
}

function shapeField(contract: Contract, name: string, schema: Schema, required: readonly string[]): string {
  const key = /^\w+$/.test(name) ? name : `'${name}'`;
  return `${key}${required.includes(name) ? '' : '?'}: ${phpType(contract, schema)}`;
}
