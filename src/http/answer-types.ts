type Media = Record<string, unknown>;
type Operation = {
  operationId?: string;
  requestBody?: { required?: boolean };
  responses: Record<string, { content?: Media }>;
  'x-codeSamples'?: unknown;
};
export type Contract = { paths: Record<string, Record<string, Operation>> };

const JSON_TYPE = 'application/json';

const operationsOf = (contract: Contract): Operation[] =>
  Object.values(contract.paths).flatMap((path) => Object.values(path));

/** The content type of each operation whose 200 isn't JSON: images and event streams. */
export function answerTypes(contract: Contract): ReadonlyMap<string, string> {
  const types = new Map<string, string>();
  for (const { operationId, responses } of operationsOf(contract)) {
    const type = Object.keys(responses['200']?.content ?? {}).find((name) => name !== JSON_TYPE);
    if (operationId && type) types.set(operationId, type);
  }
  return types;
}

/** The operations whose body is required. */
export function bodyRequired(contract: Contract): ReadonlySet<string> {
  const required = operationsOf(contract).filter(({ requestBody }) => requestBody?.required);
  return new Set(required.map(({ operationId = '' }) => operationId));
}

/**
 * The contract without the parts that fastify-openapi-glue can't use. It would treat every content type of an answer as
 * one that requests may have, and attach the code samples to each route. Refusals are dropped, because Fastify would
 * compile a serialiser for each of them and `sendError` uses none. See decision http/compile-on-first-use.
 */
export function onlyForRoutes(contract: Contract): object {
  const copy = structuredClone(contract);
  for (const operation of operationsOf(copy)) {
    delete operation['x-codeSamples'];
    for (const [status, answer] of Object.entries(operation.responses)) {
      const isSuccess = /^[123]/.test(status);
      if (!isSuccess) delete operation.responses[status];
      for (const type of Object.keys(answer.content ?? {})) if (type !== JSON_TYPE) delete answer.content?.[type];
    }
  }
  return copy;
}
