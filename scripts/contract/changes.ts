import { type Json, type JsonMap, listOf, mapOf, resolve } from './outline.ts';

/** What a contract has and an older one had not, by kind. Each line is the thing and what is new about it. */
export type Changes = {
  readonly operations: readonly string[];
  readonly adminOperations: readonly string[];
  readonly events: readonly string[];
  readonly requests: readonly string[];
  readonly answers: readonly string[];
  readonly values: readonly string[];
  readonly access: readonly string[];
  readonly limits: readonly string[];
  readonly deprecated: readonly string[];
};

const METHODS = ['get', 'put', 'post', 'delete', 'patch'];
const ADMIN = /^\w+ \/v1\/(admin|audit-logs)\b/;

/** Compares two outlines. The summaries of new operations come from `after`, which may be the whole contract. */
export function findChanges(before: Json, after: Json): Changes {
  const [old, now] = [operationsOf(before), operationsOf(after)];
  const added = [...now].filter(([route]) => !old.has(route));
  const kept = [...now].flatMap(([route, operation]) => {
    const same = old.get(route);
    return same === undefined ? [] : [{ route, old: same, now: operation }];
  });
  const told = added.map(([route, operation]) => `\`${route}\`: ${operation['summary']}`);
  const fields = newFields(before, after);
  return {
    operations: told.filter((line) => !ADMIN.test(line.slice(1))),
    adminOperations: told.filter((line) => ADMIN.test(line.slice(1))),
    events: newKeys(mapOf(before)['webhooks'], mapOf(after)['webhooks']).map((name) => `\`${name}\``),
    requests: [
      ...kept.flatMap((each) => listed(each.route, newParameters(before, after, each.old, each.now))),
      ...fields.sent,
    ],
    answers: fields.back,
    values: newValues(before, after),
    access: kept.flatMap(({ route, old: had, now: has }) => newAccess(had, has).map((who) => `\`${route}\`: ${who}`)),
    limits: newLimits(before, after),
    deprecated: kept
      .filter((each) => each.now['deprecated'] === true && each.old['deprecated'] !== true)
      .map(({ route }) => `\`${route}\``),
  };
}

const operationsOf = (document: Json): Map<string, JsonMap> =>
  new Map(
    Object.entries(mapOf(mapOf(document)['paths'])).flatMap(([path, item]) =>
      METHODS.flatMap((method) => {
        const operation = mapOf(item)[method];
        return operation === undefined ? [] : [[`${method.toUpperCase()} ${path}`, mapOf(operation)] as const];
      }),
    ),
  );

const newKeys = (before: Json | undefined, after: Json | undefined): string[] =>
  Object.keys(mapOf(after)).filter((key) => mapOf(before)[key] === undefined);

const listed = (name: string, news: readonly string[]): string[] =>
  news.length === 0 ? [] : [`\`${name}\`: ${news.map((each) => `\`${each}\``).join(', ')}`];

function newParameters(before: Json, after: Json, old: JsonMap, now: JsonMap): string[] {
  const namesOf = (document: Json, operation: JsonMap): string[] =>
    listOf(operation['parameters']).map((each) => String(resolve(document, each)['name']));
  const known = namesOf(before, old);
  return namesOf(after, now).filter((name) => !known.includes(name));
}

const CALLERS: Readonly<Record<string, string>> = {
  apiKey: 'an API key',
  merchantBearer: 'a session of the merchant',
  adminBearer: 'an administrator',
};

/** Who may call it now, and could not. What else an API key needs, a signature and a time, is said elsewhere. */
function newAccess(old: JsonMap, now: JsonMap): string[] {
  const callers = (operation: JsonMap): string[] =>
    listOf(operation['security']).flatMap((alternative) =>
      Object.entries(mapOf(alternative)).flatMap(([scheme, scopes]) => {
        const caller = CALLERS[scheme];
        const right = listOf(scopes).map((scope) => ` with \`${scope}\``);
        return caller === undefined ? [] : [`${caller}${right.join('')}`];
      }),
    );
  const known = callers(old);
  return callers(now).filter((caller) => !known.includes(caller));
}

type Schemas = Readonly<Record<string, Json>>;
const schemasOf = (document: Json): Schemas => mapOf(mapOf(mapOf(document)['components'])['schemas']);

/** New fields of types that there were before, by whether callers send them. A new type comes with an operation. */
function newFields(before: Json, after: Json): { readonly sent: string[]; readonly back: string[] } {
  const sent = new Set(
    [...operationsOf(after).values()].flatMap(({ requestBody }) => [...reached(after, requestBody)]),
  );
  const told = Object.entries(schemasOf(before)).flatMap(([name, schema]) => {
    const added = newKeys(propertiesOf(schema), propertiesOf(schemasOf(after)[name]));
    return listed(name, added).map((line) => ({ name, line }));
  });
  return {
    sent: told.filter(({ name }) => sent.has(name)).map(({ line }) => line),
    back: told.filter(({ name }) => !sent.has(name)).map(({ line }) => line),
  };
}

/** The fields that a type itself adds, not those of the types that it extends. */
const propertiesOf = (schema: Json | undefined): JsonMap =>
  Object.assign(
    {},
    ...[schema, ...listOf(mapOf(schema)['allOf'])].map((part) => mapOf(mapOf(part)['properties'])),
  ) as JsonMap;

function reached(document: Json, from: Json | undefined, found = new Set<string>()): ReadonlySet<string> {
  if (typeof from !== 'object' || from === null) return found;
  const { $ref } = mapOf(from);
  const name = typeof $ref === 'string' ? ($ref.split('/').at(-1) ?? '') : '';
  if (name !== '' && !found.has(name)) {
    found.add(name);
    reached(document, resolve(document, from), found);
  }
  for (const part of Object.values(from)) reached(document, part, found);
  return found;
}

/** The type that lists the events, which are told apart. */
const EVENTS = 'EventType';

/** New values of lists of values: scopes, codes, states, whole types or those of one field. */
function newValues(before: Json, after: Json): string[] {
  const types = Object.entries(schemasOf(before)).filter(([name]) => name !== EVENTS);
  return types.flatMap(([name, schema]) => {
    const now = schemasOf(after)[name];
    const fields = Object.entries(propertiesOf(schema)).flatMap(([field, part]) =>
      listed(`${name}.${field}`, addedValues(part, propertiesOf(now)[field])),
    );
    return [...listed(name, addedValues(schema, now)), ...fields];
  });
}

function addedValues(before: Json | undefined, after: Json | undefined): string[] {
  const valuesOf = (schema: Json | undefined): readonly Json[] =>
    listOf(mapOf(schema)['enum'] ?? mapOf(mapOf(schema)['items'])['enum']).filter((value) => value !== null);
  const known = valuesOf(before);
  return known.length === 0
    ? []
    : valuesOf(after)
        .filter((value) => !known.includes(value))
        .map(String);
}

/** Outlines of before the limits were part of them tell nothing about limits. */
function newLimits(before: Json, after: Json): string[] {
  const old = mapOf(before)['x-limits'];
  if (old === undefined) return [];
  return Object.entries(mapOf(mapOf(after)['x-limits']))
    .filter(([name, limit]) => JSON.stringify(mapOf(old)[name]) !== JSON.stringify(limit))
    .map(([name, limit]) => {
      const { max, windowSeconds, of } = mapOf(limit);
      const was = mapOf(mapOf(old)[name]);
      const former = was['max'] === undefined ? '' : `; it was ${was['max']} in ${was['windowSeconds']}`;
      return `\`${name}\`: ${max} in ${windowSeconds} seconds of each ${of}${former}`;
    });
}
