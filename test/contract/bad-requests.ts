import { beforeAll, describe, expect, test } from 'vitest';
import { operationMeta } from '../../generated/operations.ts';
import type { OperationId } from '../../src/ports/operation.ts';
import { PASSWORD } from '../harness.ts';
import { contract, operationIds, operationOf, parametersOf } from '../support/contract.ts';
import { countRows } from '../support/row-counts.ts';
import { errorOf, type Stage, some, withBody, withParameter } from './bad-input.ts';
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

type Send = (raw?: string | Uint8Array<ArrayBuffer>, type?: string) => ReturnType<Stage['send']>;

/** What is wrong with how a body is sent, whatever the operation asks for. */
const BODY_TESTS: readonly (readonly [
  title: string,
  check: (id: OperationId, send: Send, request: ProbeRequest) => Promise<void>,
])[] = [
  [
    'refuses bytes that are not UTF-8',
    async (_, send) => {
      const raw = new Uint8Array(
        Buffer.concat([Buffer.from('{"title":"'), Buffer.from([0xff, 0xfe]), Buffer.from('"}')]),
      );
      const answer = await send(raw);
      expect([answer.status, errorOf(answer).message]).toEqual([400, expect.stringContaining('UTF-8')]);
    },
  ],
  [
    'answers every other content type with 415',
    async (_, send, request) => {
      const raw = new TextEncoder().encode(JSON.stringify(request.body));
      for (const type of OTHER_TYPES) {
        const answer = await send(raw, type);
        expect([type, answer.status, errorOf(answer).code]).toEqual([type, 415, 'UNSUPPORTED_MEDIA_TYPE']);
      }
    },
  ],
  [
    'answers a body of more than 64 KiB with 413, however it is sent',
    async (_, send) => {
      const padded = (bytes: number): string =>
        JSON.stringify({ padding: 'x'.repeat(bytes - '{"padding":""}'.length) });
      const fits = await send(padded(LIMIT_BYTES));
      expect(fits.status).toBe(400);
      expect(errorOf(fits).fields?.map(({ path }) => path)).toContain('padding');
      const over = await send(padded(LIMIT_BYTES + 1));
      expect([over.status, errorOf(over).code]).toEqual([413, 'PAYLOAD_TOO_LARGE']);
    },
  ],
  [
    'refuses a request without a body where it asks for one',
    async (id, send) => {
      const answer = await send();
      if (operationOf(id).requestBody?.required) {
        expect([answer.status, errorOf(answer).code]).toEqual([400, 'VALIDATION_ERROR']);
      } else {
        expect(answer.status).not.toBe(400);
      }
    },
  ],
];

/** Sends each operation with a body one in `every` of what is wrong with how bodies are sent. */
export function testForms(stage: Stage, every: number): void {
  describe.each(withBody)('%s', (id) => {
    let request: ProbeRequest;
    const send: Send = (raw, type) =>
      stage.send(id, request.path, {
        ...(raw !== undefined && { raw }),
        ...(type !== undefined && { headers: { 'content-type': type } }),
      });
    beforeAll(async () => {
      request = await probes[id].request(stage.world());
    });
    for (const [title, check] of some(BODY_TESTS, every, id)) test(title, () => check(id, send, request));
  });
}

const withoutBody = operationIds.filter((id) => operationMeta[id].method !== 'GET' && !withBody.includes(id));
const SURPRISES = ['', '{}', '{"surprise":1}', 'null', '{"broken', '[1'];

/** Sends each operation without a body one in `every` of bodies that it does not ask for. */
export function testSurprises(stage: Stage, every: number): void {
  describe.each(withoutBody.filter((id) => !operationMeta[id].sandbox))('%s', (id) => {
    test('ignores a body that it does not ask for', async () => {
      for (const raw of some(SURPRISES, every, id)) {
        const { path } = await probes[id].request(stage.world());
        const answer = await stage.send(id, path, { raw, ...(await ownSession(stage, id)) });
        expect([raw, answer.status]).toEqual([raw, operationMeta[id].successStatus[0]]);
      }
    });
  });
}

/** A session that the operation may end. */
async function ownSession({ world }: Stage, id: OperationId): Promise<{ token?: string }> {
  const { owner, service } = world();
  if (id === 'logoutAdmin') return { token: (await service.admin()).token };
  if (id !== 'logoutMerchant') return {};
  const { token } = await service.client().auth.login({ email: owner.email, password: PASSWORD });
  return { token };
}

/** What the answer says of each parameter that the operation does not have. */
const unknownTo = (id: OperationId): string => {
  const names = parametersOf(id, 'query').map(({ name }) => name);
  return `is not a known parameter; ${names.length > 0 ? `known: ${names.join(', ')}` : 'there are none here'}`;
};

// No sandbox runs here; `test/api/get-sandbox.test.ts` asks one.
const present = operationIds.filter((id) => !operationMeta[id].sandbox);

/** Sends each operation parameters that it does not have; of some that is the only bad request. */
export function testUnknown(stage: Stage): void {
  test.each(present)(
    '%s refuses parameters that it does not have, names those it has, and stores nothing',
    async (id) => {
      const { path, body } = await probes[id].request(stage.world());
      const before = await countRows(stage.world().service.db);
      const answer = await stage.send(id, withParameter(path, 'surprise', '1&__proto__=1'), { ...(body && { body }) });
      const { code, message, fields } = errorOf(answer) ?? {};
      const faults = ['surprise', '__proto__'].map((name) => ({ path: name, message: unknownTo(id) }));
      expect([answer.status, code, fields]).toEqual([400, 'VALIDATION_ERROR', faults]);
      expect(message).toBe(`surprise: ${unknownTo(id)} (and 1 more, see fields)`);
      expect(await countRows(stage.world().service.db)).toEqual(before);
    },
  );
}

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'HEAD'];

/** Sends one in `every` of the paths each method that it does not have. */
export function testMethods({ world }: Stage, every: number): void {
  test.each(Object.keys(contract.paths).filter((_, index) => index % every === 0))(
    '%s answers 405 to other methods and names those it has',
    async (template) => {
      const known = operationIds.filter((id) => operationMeta[id].path === template);
      const methods = known.map((id) => operationMeta[id].method as string);
      const path = template.replace('{id}', 'pay_01jggfnds9e9gt3f3v5s7k2m4n').replace(/\{slug\}|\{token\}/, 'workshop');
      for (const method of METHODS) {
        if (methods.includes(method) || (method === 'HEAD' && methods.includes('GET'))) continue;
        const { status, headers, body } = await world().service.send(method, `${path}?page=1`);
        expect([method, status]).toEqual([method, 405]);
        expect((headers.get('allow') ?? '').split(', ').sort()).toEqual(methods.sort());
        if (method !== 'HEAD') expect(body).toMatchObject({ error: { code: 'METHOD_NOT_ALLOWED' } });
      }
    },
  );
}

/** What no operation is concerned with alone. */
export function testRest({ world }: Stage): void {
  test('tests the bounds of every query parameter of the contract', () => {
    const names = operationIds.flatMap((id) => parametersOf(id, 'query').map(({ name }) => name));
    const tested = Object.keys(BAD_QUERIES).filter((name) => !name.includes(' '));
    expect([...new Set(names)].sort()).toEqual(tested.sort());
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
      const { status, body, headers } = await world().service.send(method, path);
      expect([method, status, body]).toMatchObject([method, 404, { error: { code: 'NOT_FOUND' } }]);
      expect(headers.get('x-request-id')).toBe((body as { error: { requestId: string } }).error.requestId);
    }
  });
}
