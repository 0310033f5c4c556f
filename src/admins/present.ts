import type { components } from '../../generated/api.ts';
import type { Admin, Role } from './admin.ts';

type Schemas = components['schemas'];

/** An administrator as they see themselves. */
export const presentOwnAdmin = (admin: Admin): Schemas['OwnAdmin'] => ({
  id: admin.id,
  email: admin.email,
  name: admin.name,
  role: { id: admin.role.id, name: admin.role.name },
  permissions: [...admin.role.permissions],
  twoFactorEnabled: admin.twoFactorEnabled,
});

/** A new administrator. */
export const presentCreatedAdmin = (admin: Admin): Schemas['AdminUserCreated'] => ({
  id: admin.id,
  email: admin.email,
  name: admin.name,
  role: { id: admin.role.id, name: admin.role.name },
  status: admin.status,
  createdAt: admin.createdAt.toISOString(),
});

/** An administrator in the list. */
export const presentAdminSummary = (admin: Admin): Schemas['AdminUserSummary'] => ({
  ...presentCreatedAdmin(admin),
  lastLoginAt: admin.lastLoginAt?.toISOString() ?? null,
});

/** One administrator. */
export const presentAdmin = (admin: Admin): Schemas['AdminUser'] => ({
  ...presentCreatedAdmin(admin),
  updatedAt: admin.updatedAt.toISOString(),
});

/** A role with its permissions. */
export const presentRole = (role: Role): Schemas['Role'] => ({
  id: role.id,
  name: role.name,
  description: role.description,
  permissions: [...role.permissions],
  createdAt: role.createdAt.toISOString(),
  updatedAt: role.updatedAt.toISOString(),
});
