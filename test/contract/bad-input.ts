import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { operationMeta } from '../../generated/operations.ts';
import type { OperationId } from '../../src/ports/operation.ts';
import type { Answer, Sent } from '../harness.ts';
import { contract, dereference, operationIds, operationOf, parametersOf } from '../support/contract.ts';
import { countRows } from '../support/row-counts.ts';
import { withCredentials } from '../support/signing.ts';
import { type BadBody, badBodiesOf } from './bad-bodies.ts';
import { BAD_QUERIES, GOOD_QUERIES } from './bad-queries.ts';
import { makeProbeWorld, type ProbeWorld } from './probe-world.ts';
import { probes } from './probes.ts';

export type Stage = {
  readonly world: () => ProbeWorld;
  /** Sends a valid request as the owner or the administrator, but for what the test changes. */
  readonly send: (id: OperationId, path: string, sent: Sent, method?: string) => Promise<Answer>;
};

/** Starts the service of a file before its tests. */
export function useStage(): Stage {
  let world: ProbeWorld;
  beforeAll(async () => {
    world = await makeProbeWorld();
  });
  afterAll(() => world.service.close());
  return {
    world: () => world,
    send: (id, path, sent, method = operationMeta[id].method) => {
      const credentials = { token: world.owner.token, adminToken: world.admin.token, key: world.ownersKey, method };
      return world.service.send(method, path, withCredentials(id, path, sent, credentials));
    },
  };
}

type ErrorBody = { readonly error: { code: string; message: string; fields?: { path: string; message: string }[] } };

export const errorOf = (answer: Answer): ErrorBody['error'] => (answer.body as ErrorBody).error;

/**
 * One in `every` of these cases, at least one. Operations begin at different cases, so that together they see each kind
 * of fault.
 */
export function some<T>(cases: readonly T[], every: number, id: OperationId): T[] {
  const first = operationIds.indexOf(id) % Math.max(1, Math.min(every, cases.length));
  return cases.filter((_, index) => index % every === first);
}

export const withBody = operationIds.filter((id) => operationOf(id).requestBody !== undefined);

/** Sends each operation one in `every` of the wrong bodies. */
export function testBodies({ world, send }: Stage, every: number): void {
  test.each(withBody)('%s answers 400 to wrong bodies, says what is wrong, and stores nothing', async (id) => {
    const schema = dereference(operationOf(id).requestBody?.content['application/json'].schema ?? {});
    const request = await probes[id].request(world());
    const before = await countRows(world().service.db);
    const good = (request.body ?? {}) as Record<string, unknown>;
    for (const bad of some(badBodiesOf(schema, good), every, id)) {
      expectRefusal(bad, await send(id, request.path, { raw: bad.text }));
    }
    expect(await countRows(world().service.db)).toEqual(before);
  });
}

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

/** The path with this one parameter replaced. */
export function withParameter(path: string, name: string, value: string): string {
  const [bare, query = ''] = path.split('?');
  const others = query.split('&').filter((each) => each !== '' && !each.startsWith(`${name}=`));
  return `${bare}?${[...others, `${name}=${value}`].join('&')}`;
}

const withQuery = operationIds.filter((id) => parametersOf(id, 'query').length > 0);

/** Sends each operation one in `every` of the wrong and of the right values of its query parameters. */
export function testQueries({ world, send }: Stage, every: number): void {
  describe.each(withQuery)('%s', (id) => {
    const names = parametersOf(id, 'query').map(({ name }) => name);
    test.each(names)('checks %s on both sides of every bound', async (name) => {
      const { path } = await probes[id].request(world());
      for (const value of some(BAD_QUERIES[`${id} ${name}`] ?? BAD_QUERIES[name] ?? [], every, id)) {
        const answer = await send(id, withParameter(path, name, value), {});
        const { code, fields = [] } = errorOf(answer) ?? {};
        expect([name, value, answer.status, code]).toEqual([name, value, 400, 'VALIDATION_ERROR']);
        expect([value, fields.map((field) => field.path)]).toEqual([value, [name]]);
      }
      for (const value of some(GOOD_QUERIES[`${id} ${name}`] ?? GOOD_QUERIES[name] ?? [], every, id)) {
        const { status } = await send(id, withParameter(path, name, value), {});
        expect([name, value, status]).toEqual([name, value, 200]);
      }
    });
  });
}

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

/** Sends each operation one in `every` of the impossible ids and those of other resources. */
export function testIds({ world, send }: Stage, every: number): void {
  test.each(withId)('%s answers 404 to impossible ids and to ids of other resources', async (id) => {
    const { admin, owner, service } = world();
    const { path, body } = await probes[id].request(world());
    // Administrators see every merchant.
    const foreign = operationMeta[id].path.startsWith('/v1/admin/merchants/') ? admin.id : owner.id;
    const ids = [...BAD_IDS, foreign, 'pay_00000000000000000000000000'].filter((each) => !path.includes(each));
    for (const bad of some(ids, every, id)) {
      const wrong = path.replace(
        /\b[a-z]+_[0-9a-z]{26}|(?<=by-slug\/|wallets\/|public\/refunds\/|customer-sessions\/|statements\/)[^/]+/,
        () => bad,
      );
      expect(wrong).not.toBe(path);
      // With `..` in it, an address may be that of another operation.
      if (new URL(wrong, service.url).pathname in contract.paths) continue;
      const answer = await send(id, wrong, { ...(body && { body }) });
      // Only one's own profile: whether others exist is not revealed.
      const isProfile = operationMeta[id].path === '/v1/merchants/{id}' && answer.status === 403;
      expect([bad, answer.status, errorOf(answer).code]).toEqual(
        isProfile ? [bad, 403, 'FORBIDDEN'] : [bad, 404, 'NOT_FOUND'],
      );
    }
  });
}
