import type { components } from '../../generated/api.ts';
import type { Admin } from './admin.ts';

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
