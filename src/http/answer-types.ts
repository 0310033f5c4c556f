type Media = Record<string, unknown>;
type Operation = {
  operationId?: string;
  requestBody?: { required?: boolean };
  responses: Record<string, { content?: Media }>;
  'x-codeSamples'?: unknown;
  tags?: unknown;
  summary?: unknown;
  description?: unknown;
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
 * one that requests may have, and attach the code samples and words to each route. Refusals are dropped: Fastify would
 * compile a serialiser for each of them, and `sendError` uses none. See decision http/compile-on-first-use.
 */
export function onlyForRoutes(contract: Contract): object {
  const paths = mapValues(contract.paths, (path) =>
    mapValues(path, ({ 'x-codeSamples': _, tags: _1, summary: _2, description: _3, ...operation }) => ({
      ...operation,
      responses: mapValues(keep(operation.responses, isSuccess), (answer) =>
        answer.content ? { ...answer, content: keep(answer.content, (type) => type === JSON_TYPE) } : answer,
      ),
    })),
  );
  return { ...contract, paths };
}

const isSuccess = (status: string): boolean => /^[123]/.test(status);

/** The same keys with other values. */
export const mapValues = <T, R>(record: Readonly<Record<string, T>>, change: (value: T) => R): Record<string, R> =>
  Object.fromEntries(Object.entries(record).map(([key, value]) => [key, change(value)]));

const keep = <T>(record: Readonly<Record<string, T>>, isKept: (key: string) => boolean): Record<string, T> =>
  Object.fromEntries(Object.entries(record).filter(([key]) => isKept(key)));
