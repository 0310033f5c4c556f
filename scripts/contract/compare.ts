import { compareSchemas, type Direction, type Sides } from './compare-schemas.ts';
import { type Json, type JsonMap, listOf, mapOf, resolve } from './outline.ts';

const METHODS = ['get', 'put', 'post', 'delete', 'patch'];

/**
 * Everything that would break a client of `before` if the service became `after`, by the rules of openapi/README.md
 * ("What breaks a client"). Additions are no break.
 */
export function findBreaks(before: Json, after: Json): string[] {
  const documents = { before, after };
  return [...compareSchemes(documents), ...compareOperations(documents), ...compareWebhooks(documents)];
}

/** How credentials are sent: by which header. */
function compareSchemes({ before, after }: Sides): string[] {
  const schemesOf = (document: Json): JsonMap => mapOf(mapOf(mapOf(document)['components'])['securitySchemes']);
  const now = schemesOf(after);
  return Object.entries(schemesOf(before))
    .filter(([name, scheme]) => JSON.stringify(scheme) !== JSON.stringify(now[name]))
    .map(([name]) => `the credentials ${name} are sent in another way now`);
}

function compareOperations(documents: Sides): string[] {
  return Object.entries(mapOf(mapOf(documents.before)['paths'])).flatMap(([path, item]) =>
    METHODS.flatMap((method) => {
      const old = mapOf(item)[method];
      if (old === undefined) return [];
      const at = `${method.toUpperCase()} ${path}`;
      const now = mapOf(mapOf(mapOf(documents.after)['paths'])[path])[method];
      return now === undefined ? [`${at} is gone`] : compareOperation(documents, mapOf(old), mapOf(now), at);
    }),
  );
}

function compareOperation(documents: Sides, old: JsonMap, now: JsonMap, at: string): string[] {
  return [
    ...(old['operationId'] === now['operationId'] ? [] : [`${at} has another operationId`]),
    ...compareSecurity(old, now, at),
    ...compareParameters(documents, old, now, at),
    ...compareBodies(documents, old, now, at),
    ...compareAnswers(documents, old, now, at),
  ];
}

/** Each security alternative must remain, for a caller with exactly its scopes. */
function compareSecurity(old: JsonMap, now: JsonMap, at: string): string[] {
  const after = listOf(now['security']).map(mapOf);
  if (listOf(old['security']).length === 0) return after.length === 0 ? [] : [`${at} is not public any more`];
  return listOf(old['security'])
    .map(mapOf)
    .filter((alternative) => after.length > 0 && !after.some((each) => isOpenTo(alternative, each)))
    .map((alternative) => `${at} can't be called with ${Object.keys(alternative).join(' + ')} as before`);
}

const isOpenTo = (held: JsonMap, asked: JsonMap): boolean =>
  Object.entries(asked).every(
    ([scheme, scopes]) =>
      held[scheme] !== undefined && listOf(scopes).every((each) => listOf(held[scheme]).includes(each)),
  );

function compareParameters(documents: Sides, old: JsonMap, now: JsonMap, at: string): string[] {
  const before = parametersOf(documents.before, old);
  const after = parametersOf(documents.after, now);
  const kept = [...before].flatMap(([name, parameter]) => {
    const same = after.get(name);
    if (!same) return [`${at} has no parameter ${name} any more`];
    const required = same['required'] === true && parameter['required'] !== true;
    const isOther = ['style', 'explode'].some((key) => same[key] !== parameter[key]);
    const schemas = { before: parameter['schema'], after: same['schema'] };
    return [
      ...(required ? [`${at} needs the parameter ${name} now`] : []),
      ...(isOther ? [`${at} reads the parameter ${name} in another way now`] : []),
      ...compareSchemas(documents, schemas, 'sent', `${at} ${name}`),
    ];
  });
  const needed = [...after].filter(([name, parameter]) => !before.has(name) && parameter['required'] === true);
  return [...kept, ...needed.map(([name]) => `${at} needs the parameter ${name} now`)];
}

const parametersOf = (document: Json, operation: JsonMap): Map<string, JsonMap> =>
  new Map(
    listOf(operation['parameters'])
      .map((each) => resolve(document, each))
      .map((parameter) => [`${parameter['name']} (${parameter['in']})`, parameter]),
  );

function compareBodies(documents: Sides, old: JsonMap, now: JsonMap, at: string): string[] {
  const before = resolve(documents.before, old['requestBody']);
  const after = resolve(documents.after, now['requestBody']);
  const needed = after['required'] === true && before['required'] !== true;
  return [
    ...(needed ? [`${at} needs a body now`] : []),
    ...compareContents(documents, before, after, 'sent', `${at} body`),
  ];
}

function compareAnswers(documents: Sides, old: JsonMap, now: JsonMap, at: string): string[] {
  const after = mapOf(now['responses']);
  return Object.entries(mapOf(old['responses'])).flatMap(([status, answer]) => {
    if (after[status] === undefined) return [`${at} does not answer ${status} any more`];
    const [before, same] = [resolve(documents.before, answer), resolve(documents.after, after[status])];
    const headers = Object.keys(mapOf(before['headers'])).filter((name) => !mapOf(same['headers'])[name]);
    return [
      ...headers.map((name) => `${at} ${status} has no header ${name} any more`),
      ...compareContents(documents, before, same, 'read', `${at} ${status}`),
    ];
  });
}

function compareContents(documents: Sides, old: JsonMap, now: JsonMap, direction: Direction, at: string): string[] {
  const after = mapOf(now['content']);
  return Object.entries(mapOf(old['content'])).flatMap(([type, media]) => {
    if (after[type] === undefined) return [`${at} is no ${type} any more`];
    const schemas = { before: mapOf(media)['schema'], after: mapOf(after[type])['schema'] };
    return compareSchemas(documents, schemas, direction, at);
  });
}

/** Webhook bodies are read by merchants. */
function compareWebhooks(documents: Sides): string[] {
  const after = mapOf(mapOf(documents.after)['webhooks']);
  return Object.entries(mapOf(mapOf(documents.before)['webhooks'])).flatMap(([type, item]) => {
    if (after[type] === undefined) return [`the event ${type} is gone`];
    const bodyOf = (document: Json, each: Json | undefined): JsonMap =>
      resolve(document, mapOf(mapOf(each)['post'])['requestBody']);
    const bodies = [bodyOf(documents.before, item), bodyOf(documents.after, after[type])] as const;
    return compareContents(documents, ...bodies, 'read', `the event ${type}`);
  });
}
