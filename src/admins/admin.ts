import type { Id } from '../lib/ids.ts';
import type { Permission } from '../ports/security.ts';

export type AdminStatus = 'active' | 'deactivated';

export type Role = {
  readonly id: Id<'role'>;
  readonly name: string;
  readonly description: string;
  readonly permissions: readonly Permission[];
  /** The role super_admin: has every permission and can't be changed. */
  readonly isSuper: boolean;
  readonly createdAt: Date;
  readonly updatedAt: Date;
};

/** A person who runs the platform. */
export type Admin = {
  readonly id: Id<'admin'>;
  readonly email: string;
  readonly name: string;
  readonly status: AdminStatus;
  readonly role: Pick<Role, 'id' | 'name' | 'permissions' | 'isSuper'>;
  readonly twoFactorEnabled: boolean;
  readonly lastLoginAt: Date | null;
  readonly createdAt: Date;
  readonly updatedAt: Date;
};
