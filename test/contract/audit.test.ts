import { afterAll, beforeAll, expect, test } from 'vitest';
import { type OperationMeta, operationMeta } from '../../generated/operations.ts';
import type { OperationId } from '../../src/ports/operation.ts';
import { PASSWORD, type Sent } from '../harness.ts';
import { contract, operationIds } from '../support/contract.ts';
import { signedWith, takesAdmin, takesKey, withCredentials } from '../support/signing.ts';
import { makeProbeWorld, type ProbeWorld } from './probe-world.ts';
import { ENDS_OTHERS, probes } from './probes.ts';

let world: ProbeWorld;
beforeAll(async () => {
  world = await makeProbeWorld();
});
afterAll(() => world.service.close());

const metaOf = (id: OperationId): OperationMeta => operationMeta[id];
/** No sandbox runs here, so its paths don't exist. */
const reachable = operationIds.filter((id) => !metaOf(id).sandbox);
const audited = reachable.filter((id) => metaOf(id).audit !== null);
const unaudited = reachable.filter((id) => metaOf(id).audit === null);

type Stated = { readonly 'x-audit'?: string; readonly 'x-unaudited'?: string };
const statedOf = (id: OperationId): Stated => {
  const paths = contract['paths'] as Readonly<Record<string, Readonly<Record<string, Stated>>>>;
  return paths[metaOf(id).path]?.[metaOf(id).method.toLowerCase()] ?? {};
};

const USER_AGENT = 'audit-test/1';

/** The kinds of actors. */
type Who = 'owner' | 'admin' | 'new merchant' | 'payer';

/** For operations without credentials. */
const ACTORS_OF_OPEN: Partial<Record<OperationId, Who>> = {
  registerMerchant: 'new merchant',
  loginMerchant: 'owner',
  refreshMerchantSession: 'owner',
  startPaymentLinkPayment: 'payer',
  selectPaymentOption: 'payer',
  submitMandate: 'payer',
  subscribeByWallet: 'payer',
  retryCustomerSubscription: 'payer',
  cancelByWallet: 'payer',
  submitAuthorization: 'payer',
  claimRefund: 'payer',
  takeRefundOffer: 'payer',
  loginAdmin: 'admin',
  refreshAdminSession: 'admin',
};
const whoCalls = (id: OperationId): Who | undefined =>
  takesAdmin(id) ? 'admin' : metaOf(id).security.length > 0 ? 'owner' : ACTORS_OF_OPEN[id];

/** Sends the probe of an operation, which must succeed, and returns the audit entries that it left. */
async function callAndRead(id: OperationId, sign: (path: string, sent: Sent) => Promise<Sent>) {
  const { path, body } = await probes[id].request(world);
  const sent = await sign(path, { ...(body && { body }) });
  const headers = { ...sent.headers, 'user-agent': USER_AGENT };
  const answer = await world.service.send(metaOf(id).method, path, { ...sent, headers });
  expect(answer.status, answer.text).toBe(metaOf(id).successStatus[0]);
  return world.service.db
    .selectFrom('audit_log')
    .select(['action', 'resource_type', 'resource_id', 'actor_type', 'actor_id', 'merchant_id'])
    .select(['ip_address', 'user_agent', 'metadata', 'created_at'])
    .where('request_id', '=', answer.headers.get('x-request-id') ?? '')
    .execute();
}

/** With a session of its own, which the call may end. */
const asCaller = (id: OperationId) => async (path: string, sent: Sent) => {
  const { owner, admin, ownersKey: key, service } = world;
  const caller = takesAdmin(id) ? admin : owner;
  if (ENDS_OTHERS.includes(id)) return { token: caller.token, ...sent };
  const body = { email: caller.email, password: PASSWORD };
  const answer = await service.send('POST', takesAdmin(id) ? '/v1/admin/auth/login' : '/v1/auth/login', { body });
  const { token } = answer.body as { token: string };
  return withCredentials(id, path, sent, { token, adminToken: token, key });
};

test('every operation but a GET names its audit entry, or explains in a sentence why it leaves none', () => {
  for (const id of operationIds) {
    const { 'x-audit': action, 'x-unaudited': why } = statedOf(id);
    if (metaOf(id).method === 'GET') expect([id, action, why]).toEqual([id, undefined, undefined]);
    else if (action !== undefined) expect([id, action]).toEqual([id, expect.stringMatching(/^[a-z_]+\.[a-z_]+$/)]);
    else expect([id, why]).toEqual([id, expect.stringMatching(/^[A-Z].{15,}\.$/)]);
  }
});

test.each(audited)('%s leaves exactly its entry: who did what to what, when and from where', async (id) => {
  const entries = await callAndRead(id, asCaller(id));
  const action = metaOf(id).audit;
  const who = whoCalls(id);
  expect(entries).toEqual([
    {
      action,
      resource_type: action?.split('.')[0],
      resource_id: expect.stringMatching(/^[a-z]+(_[0-9a-z]{26})?$/),
      ...expectedActor(who),
      ...expectedPlace(who),
      metadata: expect.any(Object),
      created_at: world.service.clock.now(),
    },
  ]);
});

/** The address of a payer is in no log that is kept for ever. */
const expectedPlace = (who: Who | undefined) =>
  who === 'payer' ? { ip_address: '', user_agent: '' } : { ip_address: '127.0.0.1', user_agent: USER_AGENT };

function expectedActor(who: Who | undefined) {
  const own = { actor_type: 'merchant', actor_id: world.owner.id, merchant_id: world.owner.id };
  const someMerchant = expect.stringMatching(/^mer_/);
  switch (who) {
    case 'admin':
      return { actor_type: 'admin', actor_id: world.admin.id, merchant_id: expect.toBeOneOf([null, someMerchant]) };
    case 'new merchant':
      return { ...own, actor_id: someMerchant, merchant_id: someMerchant };
    case 'payer':
      return { ...own, actor_type: 'system', actor_id: 'payer' };
    default:
      return own;
  }
}

test.each(audited.filter(takesKey))('%s names the key that was used', async (id) => {
  const { method } = metaOf(id);
  const [entry] = await callAndRead(id, async (path, sent) => signedWith(world.ownersKey, method, path, sent));
  expect(entry).toMatchObject({ actor_id: world.owner.id, metadata: { apiKeyId: world.ownersKey.id } });
});

test.each(unaudited)('%s leaves no entry', async (id) => {
  expect(await callAndRead(id, asCaller(id))).toEqual([]);
});
