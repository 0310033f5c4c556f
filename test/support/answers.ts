import { inject } from 'vitest';
import { operationMeta } from '../../generated/operations.ts';
import type { OperationId } from '../../src/ports/operation.ts';
import { answerOf, documentedStatuses, findOperation, parametersOf, problemsOf, type Schema } from './contract.ts';
import { noteObserved } from './observed.ts';

export type Fetch = (request: Request) => Promise<Response>;

/** Responses that any operation may give without listing them; `default` in the contract. */
const SHARED_STATUSES = [405, 413, 415, 429, 503];
/** Served beside the operations. */
const DOCUMENTS = ['/v1/openapi.json', '/v1/openapi.client.json'];
const ERROR: Schema = { $ref: '#/components/schemas/ErrorResponse' };

/** A response that the contract does not allow. */
export class ContractMismatch extends Error {
  override readonly name = 'ContractMismatch';
}

/**
 * A fetch that checks every response of the API against the contract (status, content type, body, request id) and
 * records which documented responses were observed. It throws at once on a mismatch and also calls `onMismatch`,
 * because the exception may be caught on the way.
 */
export function checkedFetch(onMismatch: (mismatch: ContractMismatch) => void = () => {}): Fetch {
  return async (request) => {
    const { method } = request;
    const { pathname, searchParams } = new URL(request.url);
    const response = await fetch(request);
    const problems = pathname.startsWith('/v1/')
      ? await check({ method, pathname, searchParams }, response.clone())
      : [];
    if (problems.length === 0) return response;
    const mismatch = new ContractMismatch(`${method} ${pathname} answered ${response.status}: ${problems.join('; ')}`);
    onMismatch(mismatch);
    throw mismatch;
  };
}

type Asked = { readonly method: string; readonly pathname: string; readonly searchParams: URLSearchParams };

async function check({ method, pathname, searchParams }: Asked, response: Response): Promise<string[]> {
  const { status, headers } = response;
  if (DOCUMENTS.includes(pathname)) return [];
  const requestId = headers.get('x-request-id');
  const id = findOperation(method, pathname);
  const expected = id === undefined ? undocumentedRoute(status) : documentedAnswer(id, status, searchParams);
  if (typeof expected === 'string') return [expected, await response.text()];
  const problems = requestId ? [] : ['there is no X-Request-Id'];
  problems.push(...(method === 'HEAD' ? [] : await checkBody(expected, response)));
  if (problems.length === 0) {
    const documented = id !== undefined && documentedStatuses(id).includes(status);
    noteObserved(inject('runFolder'), { operationId: id ?? null, status: documented ? status : 'default' });
  }
  return problems;
}

type Expected = Readonly<Record<string, { readonly schema: Schema }>>;

const undocumentedRoute = (status: number): Expected | string =>
  status === 404 || status === 405
    ? { 'application/json': { schema: ERROR } }
    : 'the contract has no such operation, so this must be a 404 or a 405';

function documentedAnswer(id: OperationId, status: number, query: URLSearchParams): Expected | string {
  if (documentedStatuses(id).includes(status)) return answerOf(id, status);
  // The sandbox operations exist only in the sandbox.
  const absent = operationMeta[id].sandbox && status === 404;
  const unknown = status === 400 && hasUnknown(id, query);
  if (SHARED_STATUSES.includes(status) || absent || unknown) return answerOf(id, 'default');
  return `${id} does not document ${status}`;
}

/** Every operation answers 400 to a parameter that it does not have, and only then without listing the status. */
function hasUnknown(id: OperationId, query: URLSearchParams): boolean {
  const known = parametersOf(id, 'query').map(({ name }) => name);
  return [...query.keys()].some((name) => !known.includes(name));
}

async function checkBody(expected: Expected, response: Response): Promise<string[]> {
  const type = response.headers.get('content-type')?.split(';', 1)[0] ?? '';
  const media = expected[type];
  if (!media) return [`the content type is "${type}", documented are ${Object.keys(expected).join(', ')}`];
  if (type === 'text/event-stream') {
    void response.body?.cancel(); // Only this copy; it ends when the caller's own does, so nothing waits for it here.
    return [];
  }
  if (type !== 'application/json') return (await response.arrayBuffer()).byteLength > 0 ? [] : ['the body is empty'];
  const body = (await response.json()) as { error?: { requestId?: string } };
  const problems = problemsOf(media.schema, body);
  const mentioned = body.error?.requestId;
  // A stored refusal is repeated unchanged, and names the request that was refused.
  const ours = response.headers.get('idempotent-replayed') !== 'true';
  if (ours && mentioned !== undefined && mentioned !== response.headers.get('x-request-id')) {
    problems.push('the error names another request than X-Request-Id');
  }
  return problems;
}
