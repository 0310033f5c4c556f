import type { RouteOptions } from 'fastify';

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
