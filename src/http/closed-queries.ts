import type { FastifyRequest, RouteOptions } from 'fastify';

/** One object for all operations without parameters, so that it is compiled once. */
const NO_PARAMETERS = { type: 'object', properties: {}, additionalProperties: false };

/**
 * Closes the query of an operation: a parameter that the contract does not list is refused, as a field of a body is.
 * Neither OpenAPI nor fastify-openapi-glue can say so. See decision http/queries-are-closed.
 */
export function closeQuery(route: RouteOptions): void {
  const query = route.schema?.querystring as object | undefined;
  const closed = query ? { ...query, additionalProperties: false } : NO_PARAMETERS;
  route.schema = { ...route.schema, querystring: closed };
}

type Values = Record<string, unknown>;

/**
 * Gathers the parameters that the contract describes as objects, `metadata[orderId]=A-1`, from the names that Fastify
 * reads them under, so that a schema bounds their keys, too. See decision http/objects-in-queries.
 */
export function gatherObjects(route: RouteOptions): void {
  const { properties = {} } = (route.schema?.querystring ?? {}) as { properties?: Record<string, { type?: unknown }> };
  const names = Object.keys(properties).filter((name) => properties[name]?.type === 'object');
  if (names.length === 0) return;
  const gather = async (request: FastifyRequest): Promise<void> => {
    request.query = gathered(request.query as Values, names);
  };
  route.preValidation = [gather, ...[route.preValidation ?? []].flat()];
}

/** What a caller also names without brackets stays apart, and is refused for that. */
function gathered(query: Values, names: readonly string[]): Values {
  const result = Object.create(null) as Values;
  for (const [said, value] of Object.entries(query)) {
    const name = names.find((each) => said.startsWith(`${each}[`) && said.endsWith(']') && !Object.hasOwn(query, each));
    if (name === undefined) {
      result[said] = value;
      continue;
    }
    const object = (result[name] ?? Object.create(null)) as Values;
    object[said.slice(name.length + 1, -1)] = value;
    result[name] = object;
  }
  return result;
}
