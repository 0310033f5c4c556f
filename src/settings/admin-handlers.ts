import type { components } from '../../generated/api.ts';
import type { Db } from '../lib/db-types.ts';
import type { HandlersOf } from '../ports/operation.ts';
import { findStored, type StoredSettings } from './queries.ts';
import { type Settings, settingsOf } from './settings.ts';
import { type UpdateSettingsDeps, updateSettings } from './update.ts';

/** The operations of the tag `admin-settings`. */
export function settingsHandlers(
  deps: UpdateSettingsDeps & { readonly db: Db },
): HandlersOf<'getSettings' | 'updateSettings'> {
  return {
    getSettings: async () => {
      const stored = await findStored(deps.db);
      return { status: 200, body: present(settingsOf(stored.overrides, deps.defaults), stored) };
    },
    updateSettings: async ({ body, now, trx, audit }) => {
      const { settings, stored, changed } = await updateSettings(trx, deps, body, now);
      audit.note({ resourceId: 'platform', metadata: { version: stored.version, changed } });
      return { status: 200, body: present(settings, stored) };
    },
  };
}

function present(settings: Settings, stored: StoredSettings): components['schemas']['PlatformSettings'] {
  return {
    version: stored.version,
    ...settings,
    confirmations: { ...settings.confirmations },
    manualRates: { ...settings.manualRates },
    withdrawalFees: {
      bank: { ...settings.withdrawalFees.bank },
      networks: { ...settings.withdrawalFees.networks },
    },
    payoutWallets: [...settings.payoutWallets],
    updatedAt: stored.updatedAt?.toISOString() ?? null,
  };
}
