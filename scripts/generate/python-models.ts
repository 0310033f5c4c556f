import {
  type Contract,
  flattened,
  isPaged,
  kindsOf,
  nameOfRef,
  type Operation,
  operationsOf,
  queryParametersOf,
  reachOf,
  type Schema,
} from './client-schema.ts';
import { comment, docstring, HEADER, isPlainName, pascalCase, quoted } from './python-text.ts';

/** Types in what is sent take more than types in what comes back: any number, any sequence. */
type Direction = 'sent' | 'back';

/** How a type of the contract is written in Python. */
export type Types = {
  /** The annotation of a schema. `refs` says how names are written. */
  readonly typeOf: (schema: Schema, direction: Direction, refs?: (name: string) => string) => string;
  /** The name of the query of an operation; null when its method takes none. */
  readonly queryOf: (operation: Operation) => { readonly name: string; readonly filter: string } | null;
};

const IMPORTS = `
from decimal import Decimal
from typing import Any, Dict, List, Literal, Mapping, Optional, Sequence, TypedDict, Union

Amount = Union[int, float, Decimal]
"""A number that you send. One that comes back is a \`Decimal\`."""

`;

/** The annotations of the contract's types. */
export function createTypes(contract: Contract): Types {
  const { schemas } = contract.components;
  const { sent, back } = reachOf(contract);
  const isTwofold = (name: string): boolean => sent.has(name) && back.has(name) && differs(contract, name);
  const nameOf = (name: string, direction: Direction): string =>
    direction === 'sent' && isTwofold(name) ? `${name}Input` : name;

  const typeOf: Types['typeOf'] = (schema, direction, refs = (name) => name) => {
    const inner = (part: Schema): string => typeOf(part, direction, refs);
    if (schema.$ref !== undefined) {
      const name = nameOfRef(schema.$ref);
      const target = schemas[name] ?? {};
      const written = refs(nameOf(name, direction));
      return isObject(target) && kindsOf(target).includes('null') ? `Optional[${written}]` : written;
    }
    if (schema.const !== undefined) return `Literal[${quoted(String(schema.const))}]`;
    const options = schema.oneOf ?? schema.anyOf;
    if (options !== undefined) return unionOf(options.map(inner));
    return unionOf(kindsOf(schema).map((kind) => plainType(kind, schema, direction, inner)));
  };
  const queryOf: Types['queryOf'] = (operation) => {
    if (queryParametersOf(contract, operation).length === 0) return null;
    const base = pascalCase(operation.operationId);
    const name = `${base}Query`;
    return { name, filter: isPaged(contract, operation) ? `${base}Filter` : name };
  };
  return { typeOf, queryOf };
}

/** Whether a type with numbers or lists is written in another way in what is sent. */
function differs(contract: Contract, name: string): boolean {
  const seen = new Set<string>();
  const visit = (schema: Schema | undefined): boolean => {
    if (schema === undefined) return false;
    if (schema.$ref !== undefined) {
      const target = nameOfRef(schema.$ref);
      if (seen.has(target)) return false;
      seen.add(target);
      return visit(contract.components.schemas[target]);
    }
    const { properties = {}, items, oneOf = [], anyOf = [], allOf = [] } = schema;
    const parts = [...Object.values(properties), items, ...oneOf, ...anyOf, ...allOf];
    return kindsOf(schema).some((kind) => kind === 'number' || kind === 'array') || parts.some(visit);
  };
  return visit(contract.components.schemas[name]);
}

const isObject = (schema: Schema): boolean => schema.allOf !== undefined || schema.properties !== undefined;

function plainType(kind: string, schema: Schema, direction: Direction, inner: (part: Schema) => string): string {
  const [list, record] = direction === 'sent' ? ['Sequence', 'Mapping'] : ['List', 'Dict'];
  const values = (schema.enum ?? []).filter((value) => value !== null);
  if (kind === 'null') return 'None';
  if (values.length > 0) return `Literal[${values.map((value) => JSON.stringify(value)).join(', ')}]`;
  if (kind === 'string') return 'str';
  if (kind === 'integer') return 'int';
  if (kind === 'number') return direction === 'sent' ? 'Amount' : 'Decimal';
  if (kind === 'boolean') return 'bool';
  if (kind === 'array') return `${list}[${inner(schema.items ?? {})}]`;
  if (kind !== 'object') throw new Error(`A schema has the type ${kind}, for which there is none in Python.`);
  if (schema.properties !== undefined) {
    throw new Error(`An object without a name: ${Object.keys(schema.properties).join(', ')}.`);
  }
  const { additionalProperties } = schema;
  return `${record}[str, ${typeof additionalProperties === 'object' ? inner(additionalProperties) : 'Any'}]`;
}

function unionOf(types: readonly string[]): string {
  const others = [...new Set(types)].filter((type) => type !== 'None');
  const union = others.length > 1 ? `Union[${others.join(', ')}]` : (others[0] ?? 'Any');
  return types.includes('None') ? `Optional[${union}]` : union;
}

/** The Python module with a type for every schema and every query of the contract. */
export function modelsModule(contract: Contract, types: Types): string {
  const { sent, back } = reachOf(contract);
  const names = Object.entries(contract.components.schemas).sort(([a], [b]) => (a < b ? -1 : 1));
  const models = names.flatMap(([name, schema]) => {
    const forward: Direction = back.has(name) || !sent.has(name) ? 'back' : 'sent';
    const twofold = sent.has(name) && back.has(name) && differs(contract, name);
    const input = twofold ? [model(`${name}Input`, schema, 'sent')] : [];
    return [model(name, schema, forward), ...input];
  });
  const queries = operationsOf(contract).flatMap((operation) => queryModels(contract, operation, types));
  const parts = [...models, ...queries];
  // Aliases are evaluated at once, so they come behind what they name.
  const classes = parts.filter(({ isAlias }) => !isAlias);
  const aliases = parts.filter(({ isAlias }) => isAlias);
  const text = [...classes, ...aliases].map((part) => part.text).join('\n\n');
  const shown = [...parts.map(({ name }) => name), 'Amount'].sort().map((name) => `    ${quoted(name)},\n`);
  return `${HEADER('The types of the contract.')}${IMPORTS}\n${text}\n__all__ = [\n${shown.join('')}]\n`;

  function model(name: string, schema: Schema, direction: Direction): Part {
    const whole = flattened(contract, schema);
    if (whole.properties !== undefined) {
      const fields = Object.entries(whole.properties).map(([field, inner]) => ({
        name: field,
        type: types.typeOf(inner, direction),
        required: whole.required?.includes(field) ?? false,
        description: inner.description ?? '',
      }));
      return { name, isAlias: false, text: typedDict(name, whole.description ?? '', fields) };
    }
    const alias = `${name} = ${types.typeOf(schema, direction, quoted)}\n${docstring(schema.description ?? '', '')}`;
    return { name, isAlias: true, text: alias };
  }
}

type Part = { readonly name: string; readonly isAlias: boolean; readonly text: string };
type Field = {
  readonly name: string;
  readonly type: string;
  readonly required: boolean;
  readonly description: string;
};

/**
 * A TypedDict. What may be missing, and what has a name that Python's grammar refuses, stands in a class of its own:
 * Python 3.9 has no other way to say it.
 */
function typedDict(name: string, description: string, fields: readonly Field[], parent = ''): string {
  const pick = (isPlain: boolean, required: boolean): Field[] =>
    fields.filter((field) => isPlainName(field.name) === isPlain && field.required === required);
  const odd = [
    { own: `_${name}Odd`, given: pick(false, true), total: '' },
    { own: `_${name}OddOptional`, given: pick(false, false), total: '    total=False,\n' },
  ].filter(({ given }) => given.length > 0);
  const [required, optional] = [pick(true, true), pick(true, false)];
  const bases = [parent, ...odd.map(({ own }) => own)].filter(Boolean).join(', ') || 'TypedDict';
  const texts = odd.map(({ own, given, total }) => functional(own, given, total));
  if (optional.length === 0) return [...texts, classOf(name, bases, description, required)].join('\n\n');
  const partial = (base: string): string => classOf(name, `${base}, total=False`, description, optional);
  if (required.length === 0) return [...texts, partial(bases)].join('\n\n');
  return [...texts, classOf(`_${name}`, bases, '', required), partial(`_${name}`)].join('\n\n');
}

const classOf = (name: string, bases: string, description: string, fields: readonly Field[]): string =>
  `class ${name}(${bases}):\n${description && `${docstring(description, '    ')}\n`}${fields
    .map((field) => `    ${field.name}: ${field.type}\n${field.description && docstring(field.description, '    ')}`)
    .join('')}`;

const functional = (name: string, fields: readonly Field[], total: string): string =>
  `${name} = TypedDict(\n    "${name}",\n    {\n${fields
    .map((field) => `${comment(field.description, '        ')}        ${quoted(field.name)}: ${quoted(field.type)},\n`)
    .join('')}    },\n${total})\n`;

function queryModels(contract: Contract, operation: Operation, types: Types): Part[] {
  const names = types.queryOf(operation);
  if (names === null) return [];
  const fields = queryParametersOf(contract, operation).map((parameter) => {
    const type = types.typeOf(parameter.schema, 'sent');
    const required = parameter.required === true;
    return {
      name: parameter.name,
      type: required || type.startsWith('Optional') ? type : `Optional[${type}]`,
      required,
      description: parameter.description ?? '',
    };
  });
  const about = `The query of \`${operation.operationId}\`.`;
  if (names.filter === names.name)
    return [{ name: names.name, isAlias: false, text: typedDict(names.name, about, fields) }];
  const isPlace = (name: string): boolean => name === 'page' || name === 'before';
  const filters = fields.filter(({ name }) => !isPlace(name));
  const places = fields.filter(({ name }) => isPlace(name));
  return [
    {
      name: names.filter,
      isAlias: false,
      text: typedDict(names.filter, `${about.slice(0, -1)} without a page.`, filters),
    },
    { name: names.name, isAlias: false, text: typedDict(names.name, about, places, names.filter) },
  ];
}

/** The Python module that says which fields are numbers, so that a whole one gets the type of all others. */
export function numbersModule(contract: Contract): string {
  const kinds = new Map<string, Set<string>>();
  const free = new Set<string>();
  const visit = (schema: Schema): void => {
    const { properties = {}, items, additionalProperties, oneOf = [], anyOf = [], allOf = [] } = schema;
    for (const [name, field] of Object.entries(properties)) {
      const inner = [field, ...(field.oneOf ?? []), ...(field.anyOf ?? [])];
      const known = kinds.get(name) ?? new Set();
      kinds.set(name, known);
      for (const kind of inner.flatMap(kindsOf)) known.add(kind);
      if (field.additionalProperties === true) free.add(name);
      visit(field);
    }
    const parts = [items, ...oneOf, ...anyOf, ...allOf].filter((part) => part !== undefined);
    for (const part of parts) visit(part);
    if (typeof additionalProperties === 'object') visit(additionalProperties);
  };
  const { sent, back } = reachOf(contract);
  for (const [name, schema] of Object.entries(contract.components.schemas)) {
    if (back.has(name) || !sent.has(name)) visit(schema);
  }
  const numbers = [...kinds].filter(([, known]) => known.has('number'));
  for (const [name, known] of numbers) {
    if (known.has('integer'))
      throw new Error(
        `${name} is a number in one answer and an integer in another. Name one of them otherwise: see Money in openapi/README.md.`,
      );
  }
  const setOf = (names: readonly string[]): string =>
    `frozenset(\n    {\n${[...names]
      .sort()
      .map((name) => `        "${name}",\n`)
      .join('')}    }\n)\n`;
  return [
    HEADER('What has to be known of the contract to read numbers.'),
    '# Fields that are numbers: `Decimal` in Python, whole or not.',
    `NUMBER_NAMES = ${setOf(numbers.map(([name]) => name))}`,
    "# Fields whose content is somebody else's, such as your metadata.",
    `FREE_NAMES = ${setOf([...free])}`,
  ].join('\n');
}
