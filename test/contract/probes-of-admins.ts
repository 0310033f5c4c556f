import { type AdminClient, createAdminClient } from '../../clients/typescript/src/admin.ts';
import type { OperationId } from '../../src/ports/operation.ts';
import { PASSWORD } from '../harness.ts';
import { insertTestRole } from '../support/admins.ts';
import { propose } from '../support/changes.ts';
import { openTestIncident } from '../support/incidents.ts';
import { at, unique } from './probe-parts.ts';
import type { Probe, ProbeWorld } from './probe-world.ts';

/** A client that logs in as the administrator itself, because the probed operation may end every other session. */
const adminClient = ({ service, admin }: ProbeWorld): AdminClient =>
  createAdminClient({ baseUrl: service.url, fetch: service.fetch, email: admin.email, password: PASSWORD });

/** Another administrator, and a role without administrators. */
const onAdmin =
  (suffix: string, body?: () => object): Probe['request'] =>
  async ({ service }) => ({
    path: `/v1/admin/users/${(await service.admin([])).id}${suffix}`,
    ...(body && { body: body() }),
  });
const onRole =
  (body?: () => object): Probe['request'] =>
  async ({ service }) => ({
    path: `/v1/admin/roles/${await insertTestRole(service, [], `probe_role_${unique()}`)}`,
    ...(body && { body: body() }),
  });
const SUPPORT_ROLE = 'role_00000000000000000000000002';

/** A new merchant in the status that the operation needs. */
const onMerchant =
  (suffix: string, from: 'registered' | 'active' | 'frozen' = 'active', body?: object): Probe['request'] =>
  async ({ service }) => {
    const { id } = from === 'registered' ? await service.registerMerchant() : await service.activeMerchant();
    if (from === 'frozen') await service.decide(id, { kind: 'freeze', reason: 'Of a probe.' });
    return { path: `/v1/admin/merchants/${id}${suffix}`, ...(body && { body }) };
  };
/** A new incident of a kind that can be tried again. */
const onIncident =
  (suffix: string, body?: object): Probe['request'] =>
  async ({ service }) => {
    const id = await openTestIncident(service, { kind: 'payment.parked', subject: `pay_${unique()}` });
    return { path: `/v1/admin/incidents/${id}${suffix}`, ...(body && { body }) };
  };
const REASON = { reason: 'Of a probe.' };

/** A change that another administrator has proposed. */
const onChange =
  (suffix: string, body?: object): Probe['request'] =>
  async ({ service }) => {
    const { id } = await propose(service, (await service.admin([])).id);
    return { path: `/v1/admin/changes/${id}${suffix}`, ...(body && { body }) };
  };

/** One request for each operation of administrators; part of `probes`, which does not compile when one is missing. */
export const probesOfAdmins = {
  loginAdmin: {
    request: async ({ admin }) => ({ path: '/v1/admin/auth/login', body: { email: admin.email, password: PASSWORD } }),
    foreign: null,
  },
  refreshAdminSession: {
    request: async (world) => {
      const { refreshToken } = await adminClient(world).auth.login({ email: world.admin.email, password: PASSWORD });
      return { path: '/v1/admin/auth/refresh', body: { refreshToken } };
    },
    foreign: null,
  },
  logoutAdmin: { request: at('/v1/admin/auth/logout'), foreign: null },
  getOwnAdmin: { request: at('/v1/admin/auth/me'), foreign: null },
  getSettings: { request: at('/v1/admin/settings'), foreign: null },
  updateSettings: {
    request: async (world) => ({
      path: '/v1/admin/settings',
      body: { version: (await adminClient(world).settings.get()).version, webhookRetentionDays: 60 },
    }),
    foreign: null,
  },
  listChanges: { request: at('/v1/admin/changes'), foreign: null },
  getChange: { request: onChange(''), foreign: null },
  approveChange: { request: onChange('/approve', {}), foreign: null },
  cancelChange: { request: onChange('/cancel', REASON), foreign: null },
  changeAdminPassword: {
    request: at('/v1/admin/auth/password', { currentPassword: PASSWORD, newPassword: PASSWORD }),
    foreign: null,
  },
  listAdminUsers: { request: at('/v1/admin/users'), foreign: null },
  createAdminUser: {
    request: async () => ({
      path: '/v1/admin/users',
      body: {
        email: `probe${unique()}@kasi.example`,
        name: 'Nimali Fernando',
        password: PASSWORD,
        roleId: SUPPORT_ROLE,
      },
    }),
    foreign: null,
  },
  getAdminUser: { request: onAdmin(''), foreign: null },
  updateAdminUser: {
    request: onAdmin('', () => ({ name: 'Nimali Silva', email: `probe${unique()}@kasi.example` })),
    foreign: null,
  },
  activateAdminUser: { request: onAdmin('/activate', () => ({})), foreign: null },
  deactivateAdminUser: { request: onAdmin('/deactivate', () => ({})), foreign: null },
  listRoles: { request: at('/v1/admin/roles'), foreign: null },
  createRole: {
    request: async () => ({
      path: '/v1/admin/roles',
      body: { name: `probe_role_${unique()}`, description: 'Of a probe.', permissions: [] },
    }),
    foreign: null,
  },
  getRole: { request: onRole(), foreign: null },
  updateRole: { request: onRole(() => ({ description: 'Of another probe.' })), foreign: null },
  deleteRole: { request: onRole(), foreign: null },
  adminListMerchants: { request: at('/v1/admin/merchants'), foreign: null },
  adminGetMerchant: { request: onMerchant(''), foreign: null },
  approveMerchant: { request: onMerchant('/approve', 'registered'), foreign: null },
  rejectMerchant: { request: onMerchant('/reject', 'registered', REASON), foreign: null },
  freezeMerchant: { request: onMerchant('/freeze', 'active', REASON), foreign: null },
  unfreezeMerchant: { request: onMerchant('/unfreeze', 'frozen', REASON), foreign: null },
  terminateMerchant: { request: onMerchant('/terminate', 'active', REASON), foreign: null },
  listIncidents: { request: at('/v1/admin/incidents'), foreign: null },
  getIncident: { request: onIncident(''), foreign: null },
  acknowledgeIncident: { request: onIncident('/acknowledge', { note: 'Of a probe.' }), foreign: null },
  retryIncident: { request: onIncident('/retry'), foreign: null },
  resolveIncident: { request: onIncident('/resolve', { note: 'Of a probe.' }), foreign: null },
  getAlertChannel: { request: at('/v1/admin/alerts'), foreign: null },
  listPermissions: { request: at('/v1/admin/permissions'), foreign: null },
} satisfies Partial<Readonly<Record<OperationId, Probe>>>;
