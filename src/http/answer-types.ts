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

/** The content type of each operation whose success is not JSON: images and event streams. */
export function answerTypes(contract: Contract): ReadonlyMap<string, string> {
  const types = new Map<string, string>();
  for (const { operationId, responses } of operationsOf(contract)) {
    const type = Object.keys(responses['200']?.content ?? {}).find((name) => name !== JSON_TYPE);
    if (operationId && type) types.set(operationId, type);
  }
  return types;
}

/** The operations that can't be called without a body. */
export function bodyRequired(contract: Contract): ReadonlySet<string> {
  const required = operationsOf(contract).filter(({ requestBody }) => requestBody?.required);
  return new Set(required.map(({ operationId = '' }) => operationId));
}

/**
 * The contract for glue, which takes every content type of an answer for one that requests could have, and keeps what begins with
 * `x-` with every route. The samples are for readers. A serialiser would be made for every refusal of every operation, and `sendError`
 * asks none of them.
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
