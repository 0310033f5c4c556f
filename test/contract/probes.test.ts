import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { operationMeta } from '../../generated/operations.ts';
import type { OperationId } from '../../src/ports/operation.ts';
import { PASSWORD } from '../harness.ts';
import { operationIds, operationOf } from '../support/contract.ts';
import {
  createKey,
  signedWith,
  type TestKey,
  takesAdmin,
  takesKey,
  takesToken,
  withCredentials,
} from '../support/signing.ts';
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

const needsSomebody = (id: OperationId): boolean => operationMeta[id].security.length > 0;
const closed = operationIds.filter((id) => needsSomebody(id) && !takesAdmin(id));
const open = operationIds.filter((id) => !needsSomebody(id));
const owned = closed.filter((id) => probes[id].foreign !== null);

/** Every kind of credentials that must be refused, each valid but for one fault. */
async function makeRefused() {
  const { service, owner, other } = world;
  const { sub, sid } = readClaims(owner.token);
  const secret = tokenSecret(service.service, 'merchant');
  const forged = (
    what: string,
    reason: string,
    change: Partial<Parameters<typeof forgeToken>[2]>,
    as = { sub, sid },
  ) => ({
    what,
    reason,
    authorization: `Bearer ${forgeToken(as.sub, as.sid, { secret, ...change })}`,
  });
  const ended = service.client();
  await ended.auth.login({ email: owner.email, password: PASSWORD });
  const endedToken = ended.tokens()?.token;
  await ended.auth.logout();
  return [
    { what: 'no credentials', authorization: undefined, reason: 'token_missing' },
    { what: 'a scheme that the contract does not know', authorization: 'Basic b3duZXI6cHc=', reason: 'token_missing' },
    { what: 'Bearer without a token', authorization: 'Bearer ', reason: 'token_invalid' },
    { what: 'garbage', authorization: 'Bearer garbage', reason: 'token_invalid' },
    { what: 'two tokens', authorization: `Bearer ${owner.token} ${other.token}`, reason: 'token_invalid' },
    { what: 'a refresh token', authorization: `Bearer ${owner.refreshToken}`, reason: 'token_invalid' },
    forged('an expired token', 'token_expired', { claims: { iat: longAgo(), exp: longAgo() + 900 } }),
    forged('a token without an end', 'token_invalid', { claims: { exp: undefined } }),
    forged('a token for administrators', 'token_invalid', { claims: { aud: 'admin-api' } }),
    forged("a token under the administrators' secret", 'token_invalid', {
      secret: tokenSecret(service.service, 'admin'),
    }),
    forged('a token of another issuer', 'token_invalid', { claims: { iss: 'somebody' } }),
    forged('a token of another type', 'token_invalid', { header: { typ: 'JWT' } }),
    forged('alg: none', 'token_invalid', { header: { alg: 'none' } }),
    forged('another algorithm', 'token_invalid', { header: { alg: 'HS512' } }),
    forged('a session that never was', 'session_revoked', {}, { sub, sid: 'ses_00000000000000000000000000' }),
    forged("another merchant's session", 'session_revoked', {}, { sub: other.id, sid }),
    { what: "an administrator's token", authorization: `Bearer ${world.admin.token}`, reason: 'token_invalid' },
    { what: 'a session that has ended', authorization: `Bearer ${endedToken}`, reason: 'session_revoked' },
  ];
}

const bearer = (authorization: string | undefined) =>
  authorization === undefined ? {} : { headers: { authorization } };

function send(id: OperationId, request: ProbeRequest, sent: { token?: string; headers?: Record<string, string> }) {
  const { path, body } = request;
  return world.service.send(operationMeta[id].method, path, { ...(body && { body }), ...sent });
}

/** As the merchant with this token, or with this key where only keys are accepted. */
function sendAs(id: OperationId, { path, body }: ProbeRequest, token: string, key = world.ownersKey) {
  return world.service.send(
    operationMeta[id].method,
    path,
    withCredentials(id, path, { ...(body && { body }) }, { token, key, adminToken: world.admin.token }),
  );
}

test('accepts the valid token that the forged ones derive from', async () => {
  const { sub, sid } = readClaims(world.owner.token);
  const token = forgeToken(sub, sid, { secret: tokenSecret(world.service.service, 'merchant') });
  expect((await world.service.send('GET', '/v1/payments', { token })).status).toBe(200);
});

describe.each(closed)('%s', (id) => {
  test('answers 401 to every kind of invalid credentials, and then works for its owner', async () => {
    const request = await probes[id].request(world);
    for (const { what, authorization, reason } of refused) {
      const { status, body, headers } = await send(id, request, bearer(authorization));
      expect({ what, status, error: (body as { error: object }).error }).toMatchObject({
        status: 401,
        error: { code: 'UNAUTHORIZED', reason: takesToken(id) ? reason : 'api_key_invalid' },
      });
      expect(headers.get('www-authenticate')).toBe('Bearer');
    }
    const { status } = await sendAs(id, request, await ownersToken(id));
    expect(status).toBe(operationMeta[id].sandbox ? 404 : operationMeta[id].successStatus[0]);
  });

  test('checks credentials before input', async () => {
    const { path } = await probes[id].request(world);
    const wrong = { raw: '{"nonsense": true, ', headers: { 'content-type': 'application/json' } };
    const { method } = operationMeta[id];
    const sent = operationOf(id).requestBody ? wrong : {};
    const answer = await world.service.send(method, `${path}?page=0&limit=101&status=nonsense`, sent);
    expect(answer.status).toBe(401);
  });
});

describe.each(owned)('%s of another merchant', (id) => {
  test(`is answered with ${probes[id].foreign} and stays as it is`, async () => {
    const request = await probes[id].request(world);
    const refusal = await send(id, request, { token: world.other.token });
    expect(refusal.status).toBe(probes[id].foreign);
    const { status } = await send(id, request, { token: await ownersToken(id) });
    expect(status).toBe(operationMeta[id].sandbox ? 404 : operationMeta[id].successStatus[0]);
  });
});

describe.each(closed.filter(takesKey))('%s with a key', (id) => {
  const sendSigned = ({ path, body }: ProbeRequest, key: TestKey) => {
    const { method } = operationMeta[id];
    return world.service.send(method, path, signedWith(key, method, path, { ...(body && { body }) }));
  };

  test("works for its owner, and not for another merchant's key", async () => {
    const request = await probes[id].request(world);
    const { foreign } = probes[id];
    if (foreign !== null) expect((await sendSigned(request, world.othersKey)).status).toBe(foreign);
    expect((await sendSigned(request, world.ownersKey)).status).toBe(operationMeta[id].successStatus[0]);
  });
});

test.each(open)('%s is open to everyone, whatever the Authorization header says', async (id) => {
  const absent = operationMeta[id].sandbox; // No sandbox runs here, so its paths don't exist.
  for (const authorization of [undefined, 'Bearer garbage']) {
    const { status } = await send(id, await probes[id].request(world), bearer(authorization));
    expect(status).toBe(absent ? 404 : operationMeta[id].successStatus[0]);
  }
});

test.each(closed.filter((id) => !operationMeta[id].sandbox))(
  '%s is refused once the merchant is terminated, in the middle of a session',
  async (id) => {
    const { service } = world;
    const owner = await service.activeMerchant();
    const key = await createKey(service, owner);
    const request = await probes[id].request({ ...world, owner });
    await service.decide(owner.id, { kind: 'terminate', reason: null });
    const refuse = async (): Promise<void> => {
      const { body } = await sendAs(id, request, owner.token, key);
      const error = takesToken(id) ? { reason: 'session_revoked' } : { code: 'UNAUTHORIZED' };
      expect(body).toMatchObject({ error });
    };
    // Changes are refused at once. Reads may use the cached status until the notification arrives, within a second.
    await (operationMeta[id].method === 'GET' ? vi.waitFor(refuse, 60_000) : refuse());
  },
);

/** A session that the call may end; for calls that end all others, the session to go on with. */
async function ownersToken(id: OperationId): Promise<string> {
  if (ENDS_OTHERS.includes(id)) return world.owner.token;
  const client = world.service.client();
  return (await client.auth.login({ email: world.owner.email, password: PASSWORD })).token;
}
