import type { components } from '../../generated/api.ts';
import type { ApiKey, KeyWithSecret } from './key.ts';

type Schemas = components['schemas'];

const common = (key: ApiKey) => ({
  id: key.id,
  name: key.name,
  apiKey: key.apiKey,
  permissions: [...key.permissions],
  allowedIps: [...key.allowedIps],
  expiresAt: key.expiresAt?.toISOString() ?? null,
  createdAt: key.createdAt.toISOString(),
});

/** A key for lists and events, without its secret. */
export const presentKey = (key: ApiKey): Schemas['ApiKey'] => ({
  ...common(key),
  lastUsedAt: key.lastUsedAt?.toISOString() ?? null,
});

/** The one answer that shows the secret. */
export const presentCreatedKey = ({ key, apiSecret }: KeyWithSecret): Schemas['ApiKeyCreated'] => ({
  ...common(key),
  apiSecret,
});
