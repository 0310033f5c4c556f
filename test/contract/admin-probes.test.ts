import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { operationMeta } from '../../generated/operations.ts';
import { ALL_PERMISSIONS } from '../../src/admins/permissions.ts';
import type { OperationId } from '../../src/ports/operation.ts';
import type { Permission } from '../../src/ports/security.ts';
import { PASSWORD } from '../harness.ts';
import { createTestAdmin } from '../support/admins.ts';
import { operationIds, operationOf } from '../support/contract.ts';
import { takesAdmin } from '../support/signing.ts';
import { forgeToken, longAgo, readClaims, tokenSecret } from '../support/tokens.ts';
import { makeProbeWorld, type ProbeRequest, type ProbeWorld } from './probe-world.ts';
import { ENDS_OTHERS, probes } from './probes.ts';

let world: ProbeWorld;
let refused: readonly { readonly what: string; readonly authorization: string | undefined; readonly reason: string }[];

beforeAll(async () => {
  world = await makeProbeWorld();
  refused = await makeRefused();
});

afterAll(() => world.service.close());

const forAdmins = operationIds.filter(takesAdmin);
const needOf = (id: OperationId): Permission | 'self' => {
  const security: readonly Readonly<Record<string, readonly string[]>>[] = operationMeta[id].security;
  return security[0]?.['adminBearer']?.[0] as Permission | 'self';
};
const limited = forAdmins.filter((id) => needOf(id) !== 'self');

/** Every kind of credentials that must be refused, each valid but for one fault. */
async function makeRefused() {
  const { service, owner, admin } = world;
  const { sub, sid } = readClaims(admin.token);
  const secret = tokenSecret(service.service, 'admin');
  const other = await service.admin();
  const forged = (
    what: string,
    reason: string,
    change: Partial<Parameters<typeof forgeToken>[2]>,
    as = { sub, sid },
  ) => {
    const claims = { aud: 'admin-api', ...change.claims };
    return {
      what,
      reason,
      authorization: `Bearer ${forgeToken(as.sub, as.sid, { secret, ...change, claims })}`,
    };
  };
  const ended = await service.admin();
  await ended.client.auth.logout();
  return [
    { what: 'no credentials', authorization: undefined, reason: 'token_missing' },
    { what: 'garbage', authorization: 'Bearer garbage', reason: 'token_invalid' },
    { what: "a merchant's token", authorization: `Bearer ${owner.token}`, reason: 'token_invalid' },
    { what: 'a refresh token', authorization: `Bearer ${admin.refreshToken}`, reason: 'token_invalid' },
    forged('an expired token', 'token_expired', { claims: { iat: longAgo(), exp: longAgo() + 600 } }),
    forged('a token without an end', 'token_invalid', { claims: { exp: undefined } }),
    forged('a token for merchants', 'token_invalid', { claims: { aud: 'merchant-api' } }),
    forged("a token under the merchants' secret", 'token_invalid', {
      secret: tokenSecret(service.service, 'merchant'),
    }),
    forged('alg: none', 'token_invalid', { header: { alg: 'none' } }),
    forged('a session that never was', 'session_revoked', {}, { sub, sid: 'ses_00000000000000000000000000' }),
    forged("another administrator's session", 'session_revoked', {}, { sub: other.id, sid }),
    forged("a merchant's session", 'session_revoked', {}, readClaims(owner.token)),
    { what: 'a session that has ended', authorization: `Bearer ${ended.token}`, reason: 'session_revoked' },
  ];
}

function send(
  id: OperationId,
  { path, body }: ProbeRequest,
  sent: { token?: string; headers?: Record<string, string> },
) {
  return world.service.send(operationMeta[id].method, path, { ...(body && { body }), ...sent });
}

/** A session that the call may end; for calls that end all others, the session to go on with. */
async function tokenFor(id: OperationId): Promise<string> {
  if (ENDS_OTHERS.includes(id)) return world.admin.token;
  const body = { email: world.admin.email, password: PASSWORD };
  const { body: answer } = await world.service.send('POST', '/v1/admin/auth/login', { body });
  return (answer as { token: string }).token;
}

test("every administrator's operation names a permission of the catalogue or self", () => {
  expect(forAdmins.filter((id) => ![...ALL_PERMISSIONS, 'self'].includes(needOf(id)))).toEqual([]);
  const paths = forAdmins.filter((id) => !/^\/v1\/(admin|audit-logs)(\/|$)/.test(operationMeta[id].path));
  expect(paths).toEqual([]);
});

describe.each(forAdmins)('%s', (id) => {
  test('answers 401 to every kind of invalid credentials, and then works', async () => {
    const request = await probes[id].request(world);
    for (const { what, authorization, reason } of refused) {
      const { status, body } = await send(
        id,
        request,
        authorization === undefined ? {} : { headers: { authorization } },
      );
      expect({ what, status, error: (body as { error: object }).error }).toMatchObject({
        status: 401,
        error: { code: 'UNAUTHORIZED', reason },
      });
    }
    const { status } = await send(id, request, { token: await tokenFor(id) });
    expect(status).toBe(operationMeta[id].successStatus[0]);
  });

  test('checks credentials before input', async () => {
    const { path } = await probes[id].request(world);
    const wrong = { raw: '{"nonsense": true, ', headers: { 'content-type': 'application/json' } };
    const sent = operationOf(id).requestBody ? wrong : {};
    const { method } = operationMeta[id];
    expect(await world.service.send(method, `${path}?page=0&limit=101`, sent)).toMatchObject({ status: 401 });
    const token = (await world.service.admin([])).token;
    const answer = await world.service.send(method, `${path}?page=0&limit=101`, { ...sent, token });
    if (needOf(id) !== 'self') expect(answer).toMatchObject({ status: 403 });
  });

  test('is refused as soon as the administrator is deactivated, in the middle of a session', async () => {
    const admin = await createTestAdmin(world.service);
    const request = await probes[id].request(world);
    const { db } = world.service;
    await db.updateTable('admins').set({ status: 'deactivated' }).where('id', '=', admin.id).execute();
    expect(await send(id, request, { token: admin.token })).toMatchObject({
      status: 401,
      body: { error: { reason: 'session_revoked' } },
    });
  });
});

describe.each(limited)('%s', (id) => {
  const needs = needOf(id) as Permission;

  test('is refused and audited without its permission, whatever else the role allows', async () => {
    const admin = await world.service.admin(ALL_PERMISSIONS.filter((permission) => permission !== needs));
    const request = await probes[id].request(world);
    const answer = await send(id, request, { token: admin.token });
    expect(answer).toMatchObject({ status: 403, body: { error: { code: 'FORBIDDEN', reason: 'permission_missing' } } });
    expect((answer.body as { error: { message: string } }).error.message).toContain(needs);
    const entry = await world.service.db
      .selectFrom('audit_log')
      .select(['actor_type', 'action'])
      .where('actor_id', '=', admin.id)
      .where('action', '=', 'permission.refuse')
      .executeTakeFirst();
    expect(entry).toEqual({ actor_type: 'admin', action: 'permission.refuse' });
  });

  test('uses the role as it is now, not as it was at the login', async () => {
    const admin = await world.service.admin([]);
    const request = await probes[id].request(world);
    const allow = (permissions: string[]) =>
      world.service.db.updateTable('roles').set({ permissions }).where('id', '=', admin.roleId).execute();
    await allow([needs]);
    expect((await send(id, request, { token: admin.token })).status).not.toBe(401);
    await allow([]);
    expect(await send(id, request, { token: admin.token })).toMatchObject({ status: 403 });
  });
});

/** Operations that change another administrator, or what others may do. */
const onOthers = limited.filter(
  (id) => operationMeta[id].method !== 'GET' && /^\/v1\/admin\/(users|roles)\/\{id\}/.test(operationMeta[id].path),
);

test('finds operations on other administrators and on roles', () => {
  expect(onOthers.length).toBeGreaterThanOrEqual(5);
});

describe.each(onOthers)('%s', (id) => {
  const needs = needOf(id) as Permission;
  /** Sent besides the probe's body: what would take the account over. */
  const bodies = (body: object | undefined): (object | undefined)[] =>
    id === 'updateAdminUser'
      ? [body, { email: 'mallory@kasi.example' }, { password: 'Taken-0ver' }, { name: 'Mallory' }]
      : [body];

  test('is refused to a caller with fewer permissions than the administrator or role that it would change', async () => {
    const weaker = await world.service.admin([needs]);
    const stronger = await world.service.admin([needs, 'audit_logs.view']);
    const { path, body } = await probes[id].request(world);
    for (const target of [stronger, world.admin]) {
      const others = path.replace(/adm_\w{26}/, target.id).replace(/role_\w{26}/, target.roleId);
      const before = await world.service.db.selectFrom('admins').selectAll().where('id', '=', target.id).execute();
      for (const sent of bodies(body)) {
        const answer = await send(id, { path: others, ...(sent && { body: sent }) }, { token: weaker.token });
        expect(answer).toMatchObject({ status: 403, body: { error: { reason: 'permission_not_held' } } });
      }
      const after = await world.service.db.selectFrom('admins').selectAll().where('id', '=', target.id).execute();
      expect(after).toEqual(before);
    }
  });
});
