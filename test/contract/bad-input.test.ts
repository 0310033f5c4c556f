import { beforeAll, describe, expect, test } from 'vitest';
import { operationMeta } from '../../generated/operations.ts';
import type { OperationId } from '../../src/ports/operation.ts';
import { PASSWORD } from '../harness.ts';
import { contract, operationIds, operationOf, parametersOf } from '../support/contract.ts';
import { countRows } from '../support/row-counts.ts';
import { errorOf, useStage, withBody, withParameter } from './bad-input.ts';
import { BAD_QUERIES } from './bad-queries.ts';
import type { ProbeRequest } from './probe-world.ts';
import { probes } from './probes.ts';

const LIMIT_BYTES = 64 * 1024;
const OTHER_TYPES = [
  'text/plain',
  'application/x-www-form-urlencoded',
  'multipart/form-data; boundary=x',
  'application/xml',
  'application/jsonp',
  '',
];
const stage = useStage();
const { send } = stage;

describe.each(withBody)('%s', (id) => {
  let request: ProbeRequest;

  beforeAll(async () => {
    request = await probes[id].request(stage.world());
  });

  test('refuses bytes that are not UTF-8', async () => {
    const raw = new Uint8Array(
      Buffer.concat([Buffer.from('{"title":"'), Buffer.from([0xff, 0xfe]), Buffer.from('"}')]),
    );
    const answer = await send(id, request.path, { raw });
    expect([answer.status, errorOf(answer).message]).toEqual([400, expect.stringContaining('UTF-8')]);
  });

  test('answers every other content type with 415', async () => {
    const raw = new TextEncoder().encode(JSON.stringify(request.body));
    for (const type of OTHER_TYPES) {
      const answer = await send(id, request.path, { raw, headers: { 'content-type': type } });
      expect([type, answer.status, errorOf(answer).code]).toEqual([type, 415, 'UNSUPPORTED_MEDIA_TYPE']);
    }
  });

  test('answers a body of more than 64 KiB with 413, however it is sent', async () => {
    const padded = (bytes: number): string => JSON.stringify({ padding: 'x'.repeat(bytes - '{"padding":""}'.length) });
    const fits = await send(id, request.path, { raw: padded(LIMIT_BYTES) });
    expect(fits.status).toBe(400);
    expect(errorOf(fits).fields?.map(({ path }) => path)).toContain('padding');
    const over = await send(id, request.path, { raw: padded(LIMIT_BYTES + 1) });
    expect([over.status, errorOf(over).code]).toEqual([413, 'PAYLOAD_TOO_LARGE']);
  });

  test(`${operationOf(id).requestBody?.required ? 'refuses' : 'accepts'} a request without a body`, async () => {
    const answer = await send(id, request.path, {});
    if (operationOf(id).requestBody?.required) {
      expect([answer.status, errorOf(answer).code]).toEqual([400, 'VALIDATION_ERROR']);
    } else {
      expect(answer.status).not.toBe(400);
    }
  });
});

const withoutBody = operationIds.filter((id) => operationMeta[id].method !== 'GET' && !withBody.includes(id));

describe.each(withoutBody.filter((id) => !operationMeta[id].sandbox))('%s', (id) => {
  test('ignores a body that it does not ask for', async () => {
    for (const raw of ['', '{}', '{"surprise":1}', 'null', '{"broken', '[1']) {
      const { path } = await probes[id].request(stage.world());
      const answer = await send(id, path, { raw, ...(await ownSession(id)) });
      expect([raw, answer.status]).toEqual([raw, operationMeta[id].successStatus[0]]);
    }
  });
});

/** A session that the operation may end. */
async function ownSession(id: OperationId): Promise<{ token?: string }> {
  if (id === 'logoutAdmin') return { token: (await stage.world().service.admin()).token };
  if (id !== 'logoutMerchant') return {};
  const { token } = await stage
    .world()
    .service.client()
    .auth.login({ email: stage.world().owner.email, password: PASSWORD });
  return { token };
}

/** What the answer says of each parameter that the operation does not have. */
const unknownTo = (id: OperationId): string => {
  const names = parametersOf(id, 'query').map(({ name }) => name);
  return `is not a known parameter; ${names.length > 0 ? `known: ${names.join(', ')}` : 'there are none here'}`;
};

// No sandbox runs here; `test/api/get-sandbox.test.ts` asks one.
const present = operationIds.filter((id) => !operationMeta[id].sandbox);

test.each(present)(
  '%s refuses parameters that it does not have, names those it has, and stores nothing',
  async (id) => {
    const { path, body } = await probes[id].request(stage.world());
    const before = await countRows(stage.world().service.db);
    const answer = await send(id, withParameter(path, 'surprise', '1&__proto__=1'), { ...(body && { body }) });
    const { code, message, fields } = errorOf(answer) ?? {};
    const faults = ['surprise', '__proto__'].map((name) => ({ path: name, message: unknownTo(id) }));
    expect([answer.status, code, fields]).toEqual([400, 'VALIDATION_ERROR', faults]);
    expect(message).toBe(`surprise: ${unknownTo(id)} (and 1 more, see fields)`);
    expect(await countRows(stage.world().service.db)).toEqual(before);
  },
);

test('tests the bounds of every query parameter of the contract', () => {
  const names = operationIds.flatMap((id) => parametersOf(id, 'query').map(({ name }) => name));
  const tested = Object.keys(BAD_QUERIES).filter((name) => !name.includes(' '));
  expect([...new Set(names)].sort()).toEqual(tested.sort());
});

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'HEAD'];

test.each(Object.keys(contract.paths))('%s answers 405 to other methods and names those it has', async (template) => {
  const known = operationIds.filter((id) => operationMeta[id].path === template);
  const methods = known.map((id) => operationMeta[id].method as string);
  const path = template.replace('{id}', 'pay_01jggfnds9e9gt3f3v5s7k2m4n').replace(/\{slug\}|\{token\}/, 'workshop');
  for (const method of METHODS) {
    if (methods.includes(method) || (method === 'HEAD' && methods.includes('GET'))) continue;
    const { status, headers, body } = await stage.world().service.send(method, `${path}?page=1`);
    expect([method, status]).toEqual([method, 405]);
    expect((headers.get('allow') ?? '').split(', ').sort()).toEqual(methods.sort());
    if (method !== 'HEAD') expect(body).toMatchObject({ error: { code: 'METHOD_NOT_ALLOWED' } });
  }
});

test.each([
  '/',
  '/v1',
  '/v1/',
  '/v1/nothing',
  '/v1/Payments',
  '/v2/payments',
  '/v1//payments',
  '/%00',
  '/v1/payments%2f1',
  '/docs/%2e%2e/x',
])('answers 404 at %s, whatever the method', async (path) => {
  for (const method of METHODS.filter((each) => each !== 'HEAD')) {
    const { status, body, headers } = await stage.world().service.send(method, path);
    expect([method, status, body]).toMatchObject([method, 404, { error: { code: 'NOT_FOUND' } }]);
    expect(headers.get('x-request-id')).toBe((body as { error: { requestId: string } }).error.requestId);
  }
});
