import { type Json, type JsonMap, listOf, mapOf } from '../../contract/outline.ts';

/** An operation or an event that webhooks bring, as the documentation lists it. */
export type Operation = {
  readonly id: string;
  /** In capitals; EVENT for what webhooks bring. */
  readonly method: string;
  /** The path of the URL; of an event its type. */
  readonly path: string;
  readonly summary: string;
  readonly tag: string;
  readonly isAdmin: boolean;
  readonly value: JsonMap;
};

export type Tag = { readonly name: string; readonly title: string; readonly description: string };

/** Administrators' operations are told from merchants' by their tag. */
const isAdminTag = (tag: string): boolean => tag.startsWith('admin');

/** Every operation and event, in the order of the contract. */
export function operationsOf(contract: JsonMap): Operation[] {
  const listed = (section: Json | undefined, isEvent: boolean): Operation[] =>
    Object.entries(mapOf(section)).flatMap(([path, item]) =>
      Object.entries(mapOf(item)).map(([method, value]) => {
        const operation = mapOf(value);
        const tag = String(listOf(operation['tags'])[0]);
        return {
          id: String(operation['operationId']),
          method: isEvent ? 'EVENT' : method.toUpperCase(),
          path,
          summary: String(operation['summary']),
          tag,
          isAdmin: isAdminTag(tag),
          value: operation,
        };
      }),
    );
  return [...listed(contract['paths'], false), ...listed(contract['webhooks'], true)];
}

/** The tags in the order in which readers meet them. */
export const tagsOf = (contract: JsonMap): Tag[] =>
  listOf(contract['tags']).map((tag) => ({
    name: String(mapOf(tag)['name']),
    title: String(mapOf(tag)['x-displayName']),
    description: String(mapOf(tag)['description'] ?? ''),
  }));

/** Where the interactive reference shows an operation. */
export const addressOf = ({ id, isAdmin }: Operation): string =>
  `/docs/reference${isAdmin ? '/admin' : ''}#operation/${id}`;

/** The part of the contract for one book, with only the components that it refers to, however far. */
export function partOf(contract: JsonMap, isAdmin: boolean): JsonMap {
  const { webhooks, 'x-tagGroups': _, ...rest } = contract;
  const paths = Object.entries(mapOf(contract['paths'])).map(([path, item]) => {
    const kept = Object.entries(mapOf(item)).filter(([, each]) => isAdminTag(tagOf(each)) === isAdmin);
    return [path, Object.fromEntries(kept)] as const;
  });
  const part: JsonMap = {
    ...rest,
    tags: listOf(contract['tags']).filter((tag) => isAdminTag(String(mapOf(tag)['name'])) === isAdmin),
    paths: Object.fromEntries(paths.filter(([, item]) => Object.keys(item).length > 0)) as JsonMap,
    ...(isAdmin ? {} : { webhooks: webhooks ?? {} }),
  };
  return { ...part, components: componentsFor(part, mapOf(contract['components'])) };
}

const tagOf = (operation: Json): string => String(listOf(mapOf(operation)['tags'])[0]);

function componentsFor(part: JsonMap, components: JsonMap): JsonMap {
  const { components: _, ...outside } = part;
  const found = new Set<string>();
  const waiting: Json[] = [outside];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    for (const name of namedIn(next).filter((each) => !found.has(each))) {
      found.add(name);
      const [section = '', key = ''] = name.split('/');
      waiting.push(mapOf(components[section])[key] ?? null);
    }
  }
  const kept = Object.entries(components).map(([section, all]) => {
    const members = Object.entries(mapOf(all)).filter(([key]) => found.has(`${section}/${key}`));
    return [section, Object.fromEntries(members)] as const;
  });
  return Object.fromEntries(kept.filter(([, members]) => Object.keys(members).length > 0)) as JsonMap;
}

/** The components that a value names, as `section/Name`: by reference, or as what `security` asks for. */
function namedIn(value: Json): string[] {
  if (Array.isArray(value)) return value.flatMap((each: Json) => namedIn(each));
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(mapOf(value)).flatMap(([key, each]) => {
    if (key === '$ref') return [String(each).replace('#/components/', '')];
    if (key === 'security') return listOf(each).flatMap((way) => Object.keys(mapOf(way)).map(schemeOf));
    return namedIn(each);
  });
}

const schemeOf = (name: string): string => `securitySchemes/${name}`;

/** A document as text with one line for each operation and component: compact, and still to be compared by lines. */
export function inLines(document: JsonMap): string {
  const entries = (map: JsonMap): string =>
    Object.entries(map)
      .map(([key, value]) => `${JSON.stringify(key)}:${JSON.stringify(value)}`)
      .join(',\n');
  const parts = Object.entries(document).map(([key, value]) => {
    if (key === 'paths' || key === 'webhooks') return `${JSON.stringify(key)}:{\n${entries(mapOf(value))}}`;
    if (key !== 'components') return `${JSON.stringify(key)}:${JSON.stringify(value)}`;
    const sections = Object.entries(mapOf(value)).map(
      ([name, section]) => `${JSON.stringify(name)}:{\n${entries(mapOf(section))}}`,
    );
    return `"components":{\n${sections.join(',\n')}}`;
  });
  return `{${parts.join(',\n')}}\n`;
}
