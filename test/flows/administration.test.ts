import { expect, vi } from 'vitest';
import { lockAdministration } from '../../src/admins/administration.ts';
import { inTransaction } from '../../src/db/transaction.ts';
import type { Trx } from '../../src/lib/db-types.ts';
import { test } from '../fixture.ts';
import { type Answer, PASSWORD, type TestService } from '../harness.ts';
import { isWaiting } from '../support/waiting.ts';

const statusOf = ({ status }: Answer): number => status;
const deactivate = (service: TestService, by: { token: string }, id: string) =>
  service.send('POST', `/v1/admin/users/${id}/deactivate`, { token: by.token });

async function activeSupers(service: TestService): Promise<string[]> {
  const rows = await service.db
    .selectFrom('admins as a')
    .innerJoin('roles as r', 'r.id', 'a.role_id')
    .select('a.id')
    .where('r.is_super', '=', true)
    .where('a.status', '=', 'active')
    .execute();
  return rows.map(({ id }) => id);
}

/** Runs `change` under the administration's lock while `request` waits for it, and returns the request's answer. */
async function overtake(
  service: TestService,
  change: (trx: Trx) => Promise<unknown>,
  request: () => Promise<Answer>,
): Promise<Answer> {
  const waiting = await inTransaction(service.db, async (trx) => {
    await lockAdministration(trx);
    const answer = request();
    await vi.waitFor(async () => expect(await isWaiting(service.db)).toBe(true), 60_000);
    await change(trx);
    return { answer };
  });
  return waiting.answer;
}

test('one of two super_admins who deactivate each other concurrently stays', async ({ service }) => {
  for (let round = 0; round < 10; round += 1) {
    const [one, other] = [await service.admin(), await service.admin()];
    for (const id of await activeSupers(service))
      if (id !== one.id && id !== other.id) await deactivate(service, one, id);
    const answers = await Promise.all([deactivate(service, one, other.id), deactivate(service, other, one.id)]);
    expect(answers.map(statusOf).sort()).toEqual([200, 401]);
    expect(await activeSupers(service)).toHaveLength(1);
  }
});

test('at least one of five super_admins in a ring, each deactivating the next, stays', async ({ service }) => {
  const ring = await Promise.all(Array.from({ length: 5 }, () => service.admin()));
  const answers = await Promise.all(
    ring.map((admin, index) => deactivate(service, admin, ring[(index + 1) % 5]?.id ?? '')),
  );
  expect(answers.map(statusOf).filter((status) => status !== 200 && status !== 401)).toEqual([]);
  expect((await activeSupers(service)).length).toBeGreaterThan(0);
});

test('a permission that a role loses while its holder grants it is not granted', async ({ service }) => {
  const giver = await service.admin(['users.manage', 'roles.manage', 'merchants.view']);
  const role = await service.admin(['merchants.view']);
  const empty = await service.admin([]);
  const taken = (trx: Trx) =>
    trx
      .updateTable('roles')
      .set({ permissions: ['users.manage', 'roles.manage'] })
      .where('id', '=', giver.roleId)
      .execute();
  const assign = () =>
    service.send('PUT', `/v1/admin/users/${empty.id}`, { token: giver.token, body: { roleId: role.roleId } });
  const answer = await overtake(service, taken, assign);
  expect(answer).toMatchObject({ status: 403, body: { error: { reason: 'permission_not_held' } } });
  for (const [method, path, body] of [
    ['POST', '/v1/admin/roles', { name: 'smuggled', description: '', permissions: ['merchants.view'] }],
    ['POST', '/v1/admin/users', { email: 's@kasi.example', name: 'S', password: PASSWORD, roleId: role.roleId }],
    ['PUT', `/v1/admin/roles/${empty.roleId}`, { permissions: ['merchants.view'] }],
  ] as const) {
    await service.db
      .updateTable('roles')
      .set({ permissions: ['users.manage', 'roles.manage', 'merchants.view'] })
      .where('id', '=', giver.roleId)
      .execute();
    const late = await overtake(service, taken, () => service.send(method, path, { token: giver.token, body }));
    expect([path, late.status]).toEqual([path, 403]);
  }
});

test('an administrator who gains permissions during a takeover of their account keeps it', async ({ service }) => {
  const manager = await service.admin(['users.manage']);
  const target = await service.admin([]);
  const promoted = (trx: Trx) =>
    trx
      .updateTable('roles')
      .set({ permissions: ['withdrawals.manage'] })
      .where('id', '=', target.roleId)
      .execute();
  const answer = await overtake(service, promoted, () =>
    service.send('PUT', `/v1/admin/users/${target.id}`, { token: manager.token, body: { password: 'Taken-0ver' } }),
  );
  expect(answer).toMatchObject({ status: 403, body: { error: { reason: 'permission_not_held' } } });
  const login = { email: target.email, password: PASSWORD };
  expect((await service.send('POST', '/v1/admin/auth/login', { body: login })).status).toBe(200);
});

test('refuses an administrator who loses the permission, or their account, while the request waits', async ({
  service,
}) => {
  const manager = await service.admin(['users.manage']);
  const target = await service.admin([]);
  const request = () => deactivate(service, manager, target.id);
  const emptied = (trx: Trx) =>
    trx.updateTable('roles').set({ permissions: [] }).where('id', '=', manager.roleId).execute();
  expect(await overtake(service, emptied, request)).toMatchObject({ status: 403 });
  await service.db
    .updateTable('roles')
    .set({ permissions: ['users.manage'] })
    .where('id', '=', manager.roleId)
    .execute();
  const gone = (trx: Trx) =>
    trx.updateTable('admins').set({ status: 'deactivated' }).where('id', '=', manager.id).execute();
  expect(await overtake(service, gone, request)).toMatchObject({ status: 401 });
});

test('a role that is deleted while it is being assigned is either kept or not assigned', async ({ service }) => {
  const { client, token } = await service.admin();
  for (let round = 0; round < 10; round += 1) {
    const { id } = await client.roles.create({ name: `short_lived_${round}`, description: '', permissions: [] });
    const body = { email: `round${round}@kasi.example`, name: 'R', password: PASSWORD, roleId: id };
    const [removed, added] = await Promise.all([
      service.send('DELETE', `/v1/admin/roles/${id}`, { token }),
      service.send('POST', '/v1/admin/users', { token, body }),
    ]);
    expect([
      [200, 400],
      [409, 201],
    ]).toContainEqual([removed.status, added.status]);
  }
});
