import { describe, expect, test } from 'vitest';
import {
  type Actor,
  type RoleRights,
  requireMayAssign,
  requireMayChangeRole,
  requireMayDeactivate,
  requireMayDeleteRole,
  requireMayEditRole,
  requireMayGrant,
  requireMayTouch,
  type Target,
} from '../../src/admins/guards.ts';
import { ALL_PERMISSIONS } from '../../src/admins/permissions.ts';
import type { Permission } from '../../src/ports/security.ts';

const role = (id: string, permissions: readonly Permission[], isSuper = false): RoleRights => ({
  id: `role_${id}`,
  permissions,
  isSuper,
});

/** From the weakest to the one that holds what comes later, too. */
const ROLES = {
  none: role('none', []),
  viewer: role('viewer', ['merchants.view']),
  manager: role('manager', ['merchants.view', 'users.manage', 'roles.manage']),
  payer: role('payer', ['withdrawals.manage']),
  everything: role('everything', ALL_PERMISSIONS),
  super: role('super', ALL_PERMISSIONS, true),
} as const;
type RoleName = keyof typeof ROLES;

const actor = (name: RoleName): Actor => ({
  adminId: 'adm_actor',
  roleId: ROLES[name].id,
  isSuper: ROLES[name].isSuper,
  permissions: new Set(ROLES[name].permissions),
});
const other = (name: RoleName, status: Target['status'] = 'active'): Target => ({
  id: 'adm_other',
  status,
  role: ROLES[name],
});
const self = (name: RoleName): Target => ({ ...other(name), id: 'adm_actor' });

/** What a rule says: `ok`, or the code with its reason. */
function verdictOf(rule: () => void): string {
  try {
    rule();
    return 'ok';
  } catch (error) {
    const { code, reason } = error as { code?: string; reason?: string };
    return reason ? `${code} ${reason}` : `${code}`;
  }
}

const NOT_HELD = 'FORBIDDEN permission_not_held';
const OWN_ROLE = 'FORBIDDEN own_role';
const CONFLICT = 'CONFLICT';

/** Whom each may touch and which roles each may give: the rows are who does it. */
const REACH: Readonly<Record<RoleName, readonly RoleName[]>> = {
  none: ['none'],
  viewer: ['none', 'viewer'],
  manager: ['none', 'viewer', 'manager'],
  payer: ['none', 'payer'],
  everything: ['none', 'viewer', 'manager', 'payer', 'everything'],
  super: ['none', 'viewer', 'manager', 'payer', 'everything', 'super'],
};
const names = Object.keys(ROLES) as RoleName[];
const pairs = names.flatMap((by) => names.map((on) => ({ by, on, reached: REACH[by].includes(on) })));

describe.each(pairs)('somebody with the role $by, and the role $on', ({ by, on, reached }) => {
  const expected = reached ? 'ok' : NOT_HELD;

  test('may give it, and touch who has it, only if nothing in it is lacking', () => {
    expect(verdictOf(() => requireMayAssign(actor(by), ROLES[on]))).toBe(expected);
    expect(verdictOf(() => requireMayTouch(actor(by), other(on)))).toBe(expected);
    expect(verdictOf(() => requireMayTouch(actor(by), other(on, 'deactivated')))).toBe(expected);
    expect(verdictOf(() => requireMayDeactivate(actor(by), other(on), 1))).toBe(expected);
    expect(verdictOf(() => requireMayChangeRole(actor(by), other(on), ROLES.none, 1))).toBe(expected);
    expect(verdictOf(() => requireMayChangeRole(actor(by), other('none'), ROLES[on], 1))).toBe(expected);
  });

  test('may change or delete the role itself only if nothing in it is lacking, and super_admin never', () => {
    const held = ROLES[on].permissions.every((permission) => ROLES[by].permissions.includes(permission));
    const refused = held ? CONFLICT : NOT_HELD;
    const changed = by === on ? OWN_ROLE : expected;
    expect(verdictOf(() => requireMayEditRole(actor(by), ROLES[on], []))).toBe(on === 'super' ? refused : changed);
    expect(verdictOf(() => requireMayDeleteRole(actor(by), ROLES[on], 0))).toBe(on === 'super' ? refused : expected);
  });
});

test.each(names)('nobody with the role %s changes their own role or deactivates themselves', (name) => {
  expect(verdictOf(() => requireMayChangeRole(actor(name), self(name), ROLES.none, 9))).toBe(OWN_ROLE);
  expect(verdictOf(() => requireMayDeactivate(actor(name), self(name), 9))).toBe(CONFLICT);
  expect(verdictOf(() => requireMayTouch(actor(name), self(name)))).toBe('ok');
});

test.each([
  { by: 'super', status: 'active', others: 0, verdict: CONFLICT },
  { by: 'super', status: 'active', others: 1, verdict: 'ok' },
  { by: 'super', status: 'deactivated', others: 0, verdict: 'ok' },
  { by: 'everything', status: 'active', others: 0, verdict: CONFLICT },
  { by: 'everything', status: 'active', others: 1, verdict: NOT_HELD },
  { by: 'manager', status: 'active', others: 0, verdict: NOT_HELD },
] as const)(
  'a super_admin who is $status, with $others other active ones, taken away by $by: $verdict',
  ({ by, status, others, verdict }) => {
    const target = other('super', status);
    expect(verdictOf(() => requireMayDeactivate(actor(by), target, others))).toBe(verdict);
    expect(verdictOf(() => requireMayChangeRole(actor(by), target, ROLES.none, others))).toBe(verdict);
  },
);

test('what a role shall hold has to be held by whoever says so, also what it holds already', () => {
  const manager = actor('manager');
  const verdict = (from: RoleRights, to: readonly Permission[]) =>
    verdictOf(() => requireMayEditRole(manager, from, to));
  expect(verdict(ROLES.viewer, ['users.manage'])).toBe('ok');
  expect(verdict(ROLES.viewer, ['withdrawals.view'])).toBe(NOT_HELD);
  expect(verdict(ROLES.payer, ['merchants.view'])).toBe(NOT_HELD);
  expect(verdictOf(() => requireMayGrant(manager, ['merchants.view', 'roles.manage']))).toBe('ok');
  expect(verdictOf(() => requireMayGrant(manager, ['merchants.view', 'audit_logs.view']))).toBe(NOT_HELD);
});

test('a role that somebody has is not deleted, and the refusal says how many they are', () => {
  const rule = (holders: number) => () => requireMayDeleteRole(actor('super'), ROLES.viewer, holders);
  expect(rule(1)).toThrow('One administrator has this role.');
  expect(rule(3)).toThrow('3 administrators have this role.');
});

test('a refusal names what is lacking', () => {
  expect(() => requireMayAssign(actor('viewer'), ROLES.manager)).toThrow('users.manage, roles.manage');
  expect(() => requireMayTouch(actor('viewer'), other('payer'))).toThrow('withdrawals.manage');
});
