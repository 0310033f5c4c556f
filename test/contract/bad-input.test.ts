import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { operationMeta } from '../../generated/operations.ts';
import type { OperationId } from '../../src/ports/operation.ts';
import { type Answer, PASSWORD, type Sent } from '../harness.ts';
import { contract, dereference, operationIds, operationOf, parametersOf } from '../support/contract.ts';
import { countRows } from '../support/row-counts.ts';
import { withCredentials } from '../support/signing.ts';
import { type BadBody, badBodiesOf } from './bad-bodies.ts';
import { makeProbeWorld, type ProbeRequest, type ProbeWorld } from './probe-world.ts';
import { probes } from './probes.ts';

const LIMIT_BYTES = 64 * 1024;

let world: ProbeWorld;

beforeAll(async () => {
  world = await makeProbeWorld();
});

afterAll(() => world.service.close());

type ErrorBody = { readonly error: { code: string; message: string; fields?: { path: string; message: string }[] } };

const errorOf = (answer: Answer): ErrorBody['error'] => (answer.body as ErrorBody).error;

/** Sends a valid request as the owner or the administrator, but for what the test changes. */
function send(id: OperationId, path: string, sent: Sent, method: string = operationMeta[id].method): Promise<Answer> {
  const credentials = { token: world.owner.token, adminToken: world.admin.token, key: world.ownersKey, method };
  return world.service.send(method, path, withCredentials(id, path, sent, credentials));
}

const withBody = operationIds.filter((id) => operationOf(id).requestBody !== undefined);
const withoutBody = operationIds.filter((id) => operationMeta[id].method !== 'GET' && !withBody.includes(id));

describe.each(withBody)('%s', (id) => {
  const schema = dereference(operationOf(id).requestBody?.content['application/json'].schema ?? {});
  let request: ProbeRequest;

  beforeAll(async () => {
    request = await probes[id].request(world);
  });

  test('answers 400 to every wrong body, says what is wrong, and stores nothing', async () => {
    const before = await countRows(world.service.db);
    const good = (request.body ?? {}) as Record<string, unknown>;
    for (const bad of badBodiesOf(schema, good)) expectRefusal(bad, await send(id, request.path, { raw: bad.text }));
    expect(await countRows(world.service.db)).toEqual(before);
  });

  test('refuses bytes that are not UTF-8', async () => {
    const raw = new Uint8Array(
      Buffer.concat([Buffer.from('{"title":"'), Buffer.from([0xff, 0xfe]), Buffer.from('"}')]),
    );
    const answer = await send(id, request.path, { raw });
    expect([answer.status, errorOf(answer).message]).toEqual([400, expect.stringContaining('UTF-8')]);
  });

  test.each([
    'text/plain',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'application/xml',
    'application/jsonp',
    '',
  ])('answers the content type "%s" with 415', async (type) => {
    const raw = new TextEncoder().encode(JSON.stringify(request.body));
    const answer = await send(id, request.path, { raw, headers: { 'content-type': type } });
    expect([answer.status, errorOf(answer).code]).toEqual([415, 'UNSUPPORTED_MEDIA_TYPE']);
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

function expectRefusal({ what, text, field }: BadBody, answer: Answer): void {
  const { code, message, fields } = errorOf(answer) ?? {};
  expect({ what, status: answer.status, code }).toEqual({ what, status: 400, code: 'VALIDATION_ERROR' });
  expect(message).toMatch(/\w{3}/);
  if (field !== undefined && isJson(text)) {
    const paths = (fields ?? []).map(({ path }) => path.split('.')[0]);
    expect({ what, paths }).toEqual({ what, paths: expect.arrayContaining([field]) });
  }
}

/** Whether the text gets past the parser, which can't name a field. */
function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return !/"__proto__"|"prototype"/.test(text);
  } catch {
    return false;
  }
}

describe.each(withoutBody.filter((id) => !operationMeta[id].sandbox))('%s', (id) => {
  test('ignores a body that it does not ask for', async () => {
    for (const raw of ['', '{}', '{"surprise":1}', 'null', '{"broken', '[1']) {
      const { path } = await probes[id].request(world);
      const answer = await send(id, path, { raw, ...(await ownSession(id)) });
      expect([raw, answer.status]).toEqual([raw, operationMeta[id].successStatus[0]]);
    }
  });
});

/** A session that the operation may end. */
async function ownSession(id: OperationId): Promise<{ token?: string }> {
  if (id === 'logoutAdmin') return { token: (await world.service.admin()).token };
  if (id !== 'logoutMerchant') return {};
  const { token } = await world.service.client().auth.login({ email: world.owner.email, password: PASSWORD });
  return { token };
}

const BAD_QUERIES: Readonly<Record<string, readonly string[]>> = {
  page: ['0', '-1', '1.5', '1000001', '1e99', 'NaN', 'two', '%00', '', '1&page=2'],
  limit: ['0', '-1', '101', '20.5', 'Infinity', 'all', ''],
  'listEvents after': ['-1', '0.5', '9007199254740992', '1e99', 'NaN', 'evt_1', '%00', '', '1&after=2'],
  // What is a cursor, and of which list: `test/http/cursors.test.ts`.
  after: ['0', 'pay_1', 'WyJub3doZXJlIiwiMSJd', '%00', '', 'WyJwIl0&after=WyJwIl0'],
  before: ['0', 'pay_1', 'WyJub3doZXJlIiwiMSJd', '%00', '', 'WyJwIl0&before=WyJwIl0'],
  status: ['nonsense', '', '%00', 'paid&status=expired'],
  account: ['nonsense', '', 'available%00'],
  action: ['', '%00', 'x'.repeat(101), 'payment.create&action=payment.cancel'],
  resourceType: ['', '%00', 'x'.repeat(101), 'payment&resourceType=merchant'],
  search: ['', '%00', 's'.repeat(201), 'tea&search=house'],
  roleId: ['', '%00', 'r'.repeat(101), 'role_1&roleId=role_2'],
  actorId: ['', '%00', 'x'.repeat(101)],
  actorType: ['nonsense', '', 'admin%00', 'admin&actorType=system'],
  merchantId: ['', '%00', 'x'.repeat(101)],
  fromDate: ['yesterday', '2026-02-30', '2026-13-01', '2026-01-01T25:00:00Z', '2026-01-01T10:00:00', '%00', ''],
  toDate: ['yesterday', '2026-02-29', '2026-01-01T10:61:00Z', '1e400', ''],
  amount: ['0', '-1', '12.345', '1000000.01', '1e400', 'NaN', 'ten', '%00', ''],
  method: ['nonsense', '', 'bank&method=crypto'],
  network: ['nowhere', '', '%00', 'n'.repeat(101), 'devnet&network=devnet'],
  currency: ['ETH', '', 'USDT%00'],
  kind: ['payment.praked', '', '%00', 'k'.repeat(101)],
  resource: ['', '%00', 'x'.repeat(201), 'pay_1&resource=pay_2'],
  since: ['yesterday', '2026-02-30', '2026-01-01T10:00:00', '%00', ''],
  active: ['maybe', '', '2', 'true&active=false'],
  planId: ['', '%00', 'x'.repeat(101), 'plan_1&planId=plan_2'],
  token: ['BTC1', '', 'USDC%00', 'USDC&token=USDC'],
  payer: ['', '%00', '0x1', 'x'.repeat(42), `0x${'g'.repeat(40)}`],
  // Of a network that is no longer listed something may wait.
  'listPayouts network': ['', '%00', 'n'.repeat(65)],
  paymentId: ['', '%00', 'x'.repeat(101), 'pay_1&paymentId=pay_2'],
  of: ['', '%00', 'x'.repeat(101), '1&of=2'],
  exception: ['nonsense', '', 'null', 'late%00', 'late&exception=underpaid'],
  source: ['nonsense', '', 'link%00', 'link&source=direct'],
  waiting: ['maybe', '', '1', 'true&waiting=false'],
  minAmount: ['-1', '1.234', '300000000.01', '1e400', 'NaN', 'ten', '%00', '', '1&minAmount=2'],
  maxAmount: ['-1', '1.234', '300000000.01', '1e400', 'NaN', 'ten', '%00', '', '1&maxAmount=2'],
  // Objects are named with their keys in brackets: `test/api/list-payments.test.ts`.
  metadata: ['A-1', '', '%00', '{}', 'A-1&metadata=A-2'],
  'listPayments search': ['', 's', '%00', 's'.repeat(201), '%20%20%20', '%20s%20', 'tea&search=house'],
  linkId: ['', '%00', 'x'.repeat(101), 'plink_1&linkId=plink_2'],
  merchantOf: ['', '%00', 'x'.repeat(101), 'plan_1&merchantOf=plan_2'],
  customerEmail: ['nimal', '', '%00', 'nimal%40example.org%00', `${'n'.repeat(250)}%40example.org`],
};
const GOOD_QUERIES: Readonly<Record<string, readonly string[]>> = {
  page: ['1', '1000000'],
  limit: ['1', '100'],
  'listEvents after': ['0', '9007199254740991'],
  action: ['payment.create', 'nothing', 'x'.repeat(100)],
  resourceType: ['payment', 'x'.repeat(100)],
  actorId: ['adm_nobody', 'x'.repeat(100)],
  actorType: ['admin', 'merchant', 'system'],
  merchantId: ['mer_nobody', 'x'.repeat(100)],
  fromDate: [
    '2026-01-01',
    '2024-02-29',
    '2026-01-01T10:00:00Z',
    '2026-01-01T10:00:00.123%2B05:30',
    '0001-01-01',
    '9999-12-31',
  ],
  toDate: ['2026-01-01', '2024-02-29T00:00:00Z', '0001-01-01', '9999-12-31'],
  amount: ['250', '10.01', '1000000'],
  method: ['bank', 'crypto'],
  'getSignedTransfer method': ['erc3009'],
  network: ['devnet'],
  currency: ['USDT', 'USDC'],
  kind: ['payment.parked'],
  'listPayouts kind': ['withdrawal', 'refund'],
  'listPayouts network': ['devnet', 'nowhere'],
  'listChanges kind': ['settings', 'role', 'admin'],
  resource: ['pay_nothing', 'x'.repeat(200)],
  since: ['2026-01-01', '2026-01-01T10:00:00.123%2B05:30', '9999-12-31'],
  active: ['true', 'false'],
  planId: ['plan_nothing', 'x'.repeat(100)],
  paymentId: ['pay_nothing', 'x'.repeat(100)],
  exception: ['underpaid', 'overpaid', 'late', 'wrong_token'],
  source: ['direct', 'link', 'session', 'subscription'],
  waiting: ['true', 'false'],
  minAmount: ['0', '10.01', '300000000'],
  maxAmount: ['0', '10.01', '300000000'],
  'listPayments currency': ['USD', 'LKR'],
  'listPayments search': ['te', '%25_', "o'%5C", 's'.repeat(200)],
  linkId: ['plink_nothing', 'x'.repeat(100)],
  merchantOf: ['plan_nothing', 'x'.repeat(100)],
  customerEmail: ['nimal%40example.org', 'NIMAL%40Example.org'],
  of: ['0', 'ethereum:0x1@1?value=1', 'x'.repeat(100)],
};
/** The path with this one parameter replaced. */
function withParameter(path: string, name: string, value: string): string {
  const [bare, query = ''] = path.split('?');
  const others = query.split('&').filter((each) => each !== '' && !each.startsWith(`${name}=`));
  return `${bare}?${[...others, `${name}=${value}`].join('&')}`;
}
const withQuery = operationIds.filter((id) => parametersOf(id, 'query').length > 0);

describe.each(withQuery)('%s', (id) => {
  test.each(parametersOf(id, 'query').map(({ name }) => name))(
    'checks %s on both sides of every bound',
    async (name) => {
      const { path } = await probes[id].request(world);
      for (const value of BAD_QUERIES[`${id} ${name}`] ?? BAD_QUERIES[name] ?? []) {
        const answer = await send(id, withParameter(path, name, value), {});
        const { code, fields = [] } = errorOf(answer) ?? {};
        expect([name, value, answer.status, code]).toEqual([name, value, 400, 'VALIDATION_ERROR']);
        expect([value, fields.map((field) => field.path)]).toEqual([value, [name]]);
      }
      for (const value of GOOD_QUERIES[`${id} ${name}`] ?? GOOD_QUERIES[name] ?? []) {
        expect([name, value, (await send(id, withParameter(path, name, value), {})).status]).toEqual([
          name,
          value,
          200,
        ]);
      }
    },
  );
});

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
    const { path, body } = await probes[id].request(world);
    const before = await countRows(world.service.db);
    const answer = await send(id, withParameter(path, 'surprise', '1&__proto__=1'), { ...(body && { body }) });
    const { code, message, fields } = errorOf(answer) ?? {};
    const faults = ['surprise', '__proto__'].map((name) => ({ path: name, message: unknownTo(id) }));
    expect([answer.status, code, fields]).toEqual([400, 'VALIDATION_ERROR', faults]);
    expect(message).toBe(`surprise: ${unknownTo(id)} (and 1 more, see fields)`);
    expect(await countRows(world.service.db)).toEqual(before);
  },
);

test('tests the bounds of every query parameter of the contract', () => {
  const names = operationIds.flatMap((id) => parametersOf(id, 'query').map(({ name }) => name));
  const tested = Object.keys(BAD_QUERIES).filter((name) => !name.includes(' '));
  expect([...new Set(names)].sort()).toEqual(tested.sort());
});

const BAD_IDS = [
  '',
  'nonsense',
  '%00',
  'pay_%00',
  'pay_01jggfnds9e9gt3f3v5s7k2m4n%00',
  '%F0%9F%8D%B5',
  '%ff%fe',
  '%ED%A0%80',
  '%zz',
  '%',
  '..%2f..%2fetc',
  '%2e%2e',
  "1'%20or%20'1'='1",
  '__proto__',
  'a'.repeat(100),
  'a'.repeat(101),
  'a'.repeat(4000),
];
const withId = operationIds.filter((id) => parametersOf(id, 'path').length > 0);

test.each(withId)('%s answers 404 to every impossible id and to ids of other resources', async (id) => {
  const { path, body } = await probes[id].request(world);
  // Administrators see every merchant.
  const foreign = operationMeta[id].path.startsWith('/v1/admin/merchants/') ? world.admin.id : world.owner.id;
  const ids = [...BAD_IDS, foreign, 'pay_00000000000000000000000000'];
  for (const bad of ids.filter((each) => !path.includes(each))) {
    const wrong = path.replace(
      /\b[a-z]+_[0-9a-z]{26}|(?<=by-slug\/|wallets\/|public\/refunds\/|customer-sessions\/|statements\/)[^/]+/,
      () => bad,
    );
    expect(wrong).not.toBe(path);
    // With `..` in it, an address may be that of another operation.
    if (new URL(wrong, world.service.url).pathname in contract.paths) continue;
    const answer = await send(id, wrong, { ...(body && { body }) });
    // Only one's own profile: whether others exist is not revealed.
    const isProfile = operationMeta[id].path === '/v1/merchants/{id}' && answer.status === 403;
    expect([bad, answer.status, errorOf(answer).code]).toEqual(
      isProfile ? [bad, 403, 'FORBIDDEN'] : [bad, 404, 'NOT_FOUND'],
    );
  }
});

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'HEAD'];

test.each(Object.keys(contract.paths))('%s answers 405 to other methods and names those it has', async (template) => {
  const known = operationIds.filter((id) => operationMeta[id].path === template);
  const methods = known.map((id) => operationMeta[id].method as string);
  const path = template.replace('{id}', 'pay_01jggfnds9e9gt3f3v5s7k2m4n').replace(/\{slug\}|\{token\}/, 'workshop');
  for (const method of METHODS) {
    if (methods.includes(method) || (method === 'HEAD' && methods.includes('GET'))) continue;
    const { status, headers, body } = await world.service.send(method, `${path}?page=1`);
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
    const { status, body, headers } = await world.service.send(method, path);
    expect([method, status, body]).toMatchObject([method, 404, { error: { code: 'NOT_FOUND' } }]);
    expect(headers.get('x-request-id')).toBe((body as { error: { requestId: string } }).error.requestId);
  }
});
