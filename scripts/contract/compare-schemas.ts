import { type Json, type JsonMap, listOf, mapOf, resolve } from './outline.ts';

/** Who writes the value: callers send it, or they read it. */
export type Direction = 'sent' | 'read';

export type Sides = { readonly before: Json; readonly after: Json };

/** Upper bounds that must not fall, and lower bounds that must not rise, in what callers send. */
const UPPER = ['maximum', 'exclusiveMaximum', 'maxLength', 'maxItems', 'maxProperties'];
const LOWER = ['minimum', 'exclusiveMinimum', 'minLength', 'minItems', 'minProperties'];
/** Keywords that can only be compared for equality. */
const EXACT = ['format', 'pattern', 'const', 'uniqueItems', 'propertyNames', 'multipleOf', 'not', 'dependentRequired'];

/**
 * What a program could rely on in `before` and not in `after`, as sentences that begin with the path. Both documents
 * are given to resolve references.
 */
export function compareSchemas(
  documents: Sides,
  schemas: { readonly before: Json | undefined; readonly after: Json | undefined },
  direction: Direction,
  at: string,
): string[] {
  return compare({ documents, direction, seen: new Set() }, schemas.before, schemas.after, at);
}

type Context = { readonly documents: Sides; readonly direction: Direction; readonly seen: Set<string> };

function compare(context: Context, before: Json | undefined, after: Json | undefined, at: string): string[] {
  const refs = `${mapOf(before)['$ref'] ?? ''} ${mapOf(after)['$ref'] ?? ''}`;
  // A recursive type was compared at its first occurrence.
  if (refs.trim() !== '' && context.seen.has(refs)) return [];
  if (refs.trim() !== '') context.seen.add(refs);
  const [old, now] = [whole(context.documents.before, before), whole(context.documents.after, after)];
  return [
    ...compareTypes(context, old, now, at),
    ...compareValues(context, old, now, at),
    ...(context.direction === 'sent' ? compareBounds(old, now, at) : []),
    ...compareProperties(context, old, now, at),
    ...compareOthers(context, old, now, at),
    ...(old['items'] === undefined ? [] : compare(context, old['items'], now['items'], `${at}[]`)),
    ...compareAlternatives(context, old, now, at),
  ];
}

/** The schema merged with its `allOf`, and "that, or null" with that. */
function whole(document: Json, schema: Json | undefined): JsonMap {
  const { allOf, ...own } = orNull(document, resolve(document, schema));
  const parts = [own, ...listOf(allOf).map((part) => whole(document, part))];
  if (parts.length === 1) return own;
  return {
    ...Object.assign({}, ...parts),
    properties: Object.assign({}, ...parts.map((part) => mapOf(part['properties']))),
    required: parts.flatMap((part) => listOf(part['required'])),
  };
}

/** `anyOf` of one schema and null says the same as that schema with null among its types. */
function orNull(document: Json, schema: JsonMap): JsonMap {
  const { anyOf, oneOf, ...beside } = schema;
  const choices = listOf(anyOf ?? oneOf);
  const [only, ...more] = choices.filter((each) => mapOf(each)['type'] !== 'null');
  if (only === undefined || more.length > 0 || choices.length !== 2) return schema;
  const { enum: values, ...rest } = whole(document, only);
  return {
    ...rest,
    ...beside,
    ...(rest['type'] === undefined ? {} : { type: [...typesOf(rest), 'null'] }),
    ...(values === undefined ? {} : { enum: [...listOf(values), null] }),
  };
}

function compareTypes({ direction }: Context, old: JsonMap, now: JsonMap, at: string): string[] {
  const [before, after] = [typesOf(old), typesOf(now)];
  if (before.length === 0) return direction === 'sent' && after.length > 0 ? [`${at} takes only ${after} now`] : [];
  if (after.length === 0) return direction === 'read' ? [`${at} may be of any type now`] : [];
  const allows = (types: readonly string[], type: string): boolean =>
    types.includes(type) || (type === 'integer' && types.includes('number'));
  if (direction === 'sent') {
    const refused = before.filter((type) => !allows(after, type));
    return refused.map((type) => `${at} takes no ${type} any more`);
  }
  return after.filter((type) => !allows(before, type)).map((type) => `${at} may be ${type} now`);
}

const typesOf = (schema: JsonMap): string[] => [schema['type']].flat().filter((type) => typeof type === 'string');

function compareValues({ direction }: Context, old: JsonMap, now: JsonMap, at: string): string[] {
  const [before, after] = [listOf(old['enum']), listOf(now['enum'])];
  const gone = now['enum'] === undefined ? [] : before.filter((value) => !after.includes(value));
  const closed = direction === 'sent' && old['enum'] === undefined && now['enum'] !== undefined;
  const exact = EXACT.filter((key) => old[key] !== undefined || (direction === 'sent' && now[key] !== undefined));
  const changed = exact.filter((key) => JSON.stringify(old[key]) !== JSON.stringify(now[key]));
  const lost = changed.filter((key) => direction === 'read' || (now[key] !== undefined && !isWider(key, old, now)));
  return [
    ...gone.map((value) => `${at} has no value ${JSON.stringify(value)} any more`),
    ...(closed ? [`${at} takes only certain values now`] : []),
    ...lost.map((key) => `${at} has another ${key}`),
    ...(JSON.stringify(old['default']) === JSON.stringify(now['default']) ? [] : [`${at} has another default`]),
  ];
}

/** `text` takes all but control characters, which no pattern of ours ever took: instead of a pattern it takes more. */
const isWider = (key: string, old: JsonMap, now: JsonMap): boolean =>
  key === 'format' && now['format'] === 'text' && old['pattern'] !== undefined && now['pattern'] === undefined;

function compareBounds(old: JsonMap, now: JsonMap, at: string): string[] {
  const tightened = (key: string, isTighter: (before: number, after: number) => boolean): boolean => {
    const [before, after] = [old[key], now[key]];
    return typeof after === 'number' && (typeof before !== 'number' || isTighter(before, after));
  };
  return [
    ...UPPER.filter((key) => tightened(key, (before, after) => after < before)),
    ...LOWER.filter((key) => tightened(key, (before, after) => after > before)),
  ].map((key) => `${at} has a tighter ${key}`);
}

function compareProperties(context: Context, old: JsonMap, now: JsonMap, at: string): string[] {
  const [before, after] = [mapOf(old['properties']), mapOf(now['properties'])];
  const [needed, needs] = [listOf(old['required']), listOf(now['required'])];
  const sent = context.direction === 'sent';
  return [
    ...Object.keys(before).flatMap((name) =>
      after[name] === undefined
        ? [`${at}.${name} is gone`]
        : compare(context, before[name], after[name], `${at}.${name}`),
    ),
    ...(sent ? needs.filter((name) => !needed.includes(name)).map((name) => `${at}.${name} is required now`) : []),
    ...(sent ? [] : needed.filter((name) => !needs.includes(name)).map((name) => `${at}.${name} may be missing now`)),
  ];
}

/** The properties that have no name in the contract: keys that callers choose, such as those of metadata. */
function compareOthers(context: Context, old: JsonMap, now: JsonMap, at: string): string[] {
  if (!typesOf(old).includes('object')) return [];
  const [before, after] = [old['additionalProperties'], now['additionalProperties']];
  const sent = context.direction === 'sent';
  if (sent && after === false && before !== false) return [`${at} refuses unknown properties now`];
  const [described, describes] = [isSchema(before), isSchema(after)];
  if (described && describes) return compare(context, before, after, `${at}.*`);
  if (sent && describes && before !== false) return [`${at} takes only certain unknown properties now`];
  return !sent && described ? [`${at} has not the same unknown properties any more`] : [];
}

const isSchema = (value: Json | undefined): boolean => Object.keys(mapOf(value)).length > 0;

/** Alternatives are matched by their types. */
function compareAlternatives(context: Context, old: JsonMap, now: JsonMap, at: string): string[] {
  return ['oneOf', 'anyOf'].flatMap((key) => {
    if (context.direction === 'sent' && old[key] === undefined && now[key] !== undefined) {
      return [`${at} takes only certain alternatives now`];
    }
    const after = new Map(listOf(now[key]).map((each) => [nameOf(each), each]));
    return listOf(old[key]).flatMap((each) => {
      const name = nameOf(each);
      const same = after.get(name);
      return same === undefined ? [`${at} has no ${name} any more`] : compare(context, each, same, at);
    });
  });
}

const nameOf = (schema: Json): string =>
  String(mapOf(schema)['$ref'] ?? JSON.stringify(mapOf(schema)['type'] ?? schema)).replace(/.*\//, '');
