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

/** From no permission at all to all of them. */
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

/** What a guard decides: `ok`, or the error code with its reason. */
function outcomeOf(rule: () => void): string {
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

/** The roles that each role may assign, and whose holders it may change. */
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

describe.each(pairs)('an actor with the role $by, facing the role $on', ({ by, on, reached }) => {
  const expected = reached ? 'ok' : NOT_HELD;

  test('may assign it, and change its holders, only when the actor has all of its permissions', () => {
    expect(outcomeOf(() => requireMayAssign(actor(by), ROLES[on]))).toBe(expected);
    expect(outcomeOf(() => requireMayTouch(actor(by), other(on)))).toBe(expected);
    expect(outcomeOf(() => requireMayTouch(actor(by), other(on, 'deactivated')))).toBe(expected);
    expect(outcomeOf(() => requireMayDeactivate(actor(by), other(on), 1))).toBe(expected);
    expect(outcomeOf(() => requireMayChangeRole(actor(by), other(on), ROLES.none, 1))).toBe(expected);
    expect(outcomeOf(() => requireMayChangeRole(actor(by), other('none'), ROLES[on], 1))).toBe(expected);
  });

  test('may edit or delete it only when the actor has all of its permissions, and never super_admin', () => {
    const held = ROLES[on].permissions.every((permission) => ROLES[by].permissions.includes(permission));
    const refused = held ? CONFLICT : NOT_HELD;
    const changed = by === on ? OWN_ROLE : expected;
    expect(outcomeOf(() => requireMayEditRole(actor(by), ROLES[on], []))).toBe(on === 'super' ? refused : changed);
    expect(outcomeOf(() => requireMayDeleteRole(actor(by), ROLES[on], 0))).toBe(on === 'super' ? refused : expected);
  });
});

test.each(names)('an actor with the role %s may change neither their own role nor their own status', (name) => {
  expect(outcomeOf(() => requireMayChangeRole(actor(name), self(name), ROLES.none, 9))).toBe(OWN_ROLE);
  expect(outcomeOf(() => requireMayDeactivate(actor(name), self(name), 9))).toBe(CONFLICT);
  expect(outcomeOf(() => requireMayTouch(actor(name), self(name)))).toBe('ok');
});

test.each([
  { by: 'super', status: 'active', others: 0, outcome: CONFLICT },
  { by: 'super', status: 'active', others: 1, outcome: 'ok' },
  { by: 'super', status: 'deactivated', others: 0, outcome: 'ok' },
  { by: 'everything', status: 'active', others: 0, outcome: CONFLICT },
  { by: 'everything', status: 'active', others: 1, outcome: NOT_HELD },
  { by: 'manager', status: 'active', others: 0, outcome: NOT_HELD },
] as const)(
  'removing a super_admin who is $status, as $by, while $others others are active: $outcome',
  ({ by, status, others, outcome }) => {
    const target = other('super', status);
    expect(outcomeOf(() => requireMayDeactivate(actor(by), target, others))).toBe(outcome);
    expect(outcomeOf(() => requireMayChangeRole(actor(by), target, ROLES.none, others))).toBe(outcome);
  },
);

test('editing a role takes every permission it has now and every one it gets', () => {
  const manager = actor('manager');
  const outcome = (from: RoleRights, to: readonly Permission[]) =>
    outcomeOf(() => requireMayEditRole(manager, from, to));
  expect(outcome(ROLES.viewer, ['users.manage'])).toBe('ok');
  expect(outcome(ROLES.viewer, ['withdrawals.view'])).toBe(NOT_HELD);
  expect(outcome(ROLES.payer, ['merchants.view'])).toBe(NOT_HELD);
  expect(outcomeOf(() => requireMayGrant(manager, ['merchants.view', 'roles.manage']))).toBe('ok');
  expect(outcomeOf(() => requireMayGrant(manager, ['merchants.view', 'audit_logs.view']))).toBe(NOT_HELD);
});

test('a role in use cannot be deleted, and the error says how many administrators have it', () => {
  const rule = (holders: number) => () => requireMayDeleteRole(actor('super'), ROLES.viewer, holders);
  expect(rule(1)).toThrow('One administrator has this role.');
  expect(rule(3)).toThrow('3 administrators have this role.');
});

test('the error names the missing permissions', () => {
  expect(() => requireMayAssign(actor('viewer'), ROLES.manager)).toThrow('users.manage, roles.manage');
  expect(() => requireMayTouch(actor('viewer'), other('payer'))).toThrow('withdrawals.manage');
});
