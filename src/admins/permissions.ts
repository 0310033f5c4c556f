import type { Permission } from '../ports/security.ts';

/**
 * What each permission allows, in words. A permission that the contract adds doesn't compile until it is described
 * here.
 */
const PERMISSIONS: Readonly<Record<Permission, string>> = {
  'merchants.view': 'See merchants and their profiles.',
  'merchants.approve': 'Approve merchants that wait for their verification.',
  'merchants.reject': 'Reject merchants that wait for their verification.',
  'merchants.freeze': 'Freeze merchants, and unfreeze them.',
  'merchants.terminate': 'Close the accounts of merchants for good.',
  'withdrawals.view': 'See withdrawals, with bank account numbers masked.',
  'withdrawals.manage': 'Approve, reject, process, complete and fail withdrawals; see bank account numbers.',
  'settings.view': 'See the settings of the platform.',
  'settings.update': 'Change the settings of the platform.',
  'users.view': 'See administrators.',
  'users.manage': 'Add, change, activate and deactivate administrators.',
  'roles.view': 'See roles and the catalogue of permissions.',
  'roles.manage': 'Add, change and delete roles.',
  'audit_logs.view': 'Read the audit log of the whole platform.',
  'incidents.view': 'See incidents, and where alerts go.',
  'incidents.manage': 'Acknowledge, retry and resolve incidents.',
};

/** Every permission, in the order of the contract. */
export const ALL_PERMISSIONS = Object.keys(PERMISSIONS) as Permission[];

/** Every permission with its description, as the API shows it. */
export const CATALOGUE = ALL_PERMISSIONS.map((name) => ({ name, description: PERMISSIONS[name] }));

/** Whether the contract has a permission of this name. */
export const isPermission = (text: string): text is Permission => Object.hasOwn(PERMISSIONS, text);

/** The permissions of a role: all for super_admin, else its own. Leaves out names that this version doesn't know. */
export function permissionsOf(role: {
  readonly isSuper: boolean;
  readonly permissions: readonly string[];
}): Permission[] {
  return role.isSuper ? ALL_PERMISSIONS : ALL_PERMISSIONS.filter((permission) => role.permissions.includes(permission));
}

/**
 * Permissions to move money, to keep it from its owner for good, to direct where it goes, or to extend one's own
 * rights. See decisions admins/dangerous-permissions-need-a-second-factor and admins/dangerous-permissions-wait.
 */
export const DANGEROUS: readonly Permission[] = [
  'withdrawals.manage',
  'merchants.terminate',
  'users.manage',
  'roles.manage',
  'settings.update',
];
