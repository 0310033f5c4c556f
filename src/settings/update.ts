import type { components } from '../../generated/api.ts';
import type { Trx } from '../lib/db-types.ts';
import { conflict, requireNone } from '../lib/errors.ts';
import type { JsonObject } from '../lib/json.ts';
import { formatUnits, parseUnits } from '../lib/money.ts';
import { lockStored, type StoredSettings, saveStored } from './queries.ts';
import { offRampProblems, problemsOf, type SettingsRules } from './rules.ts';
import { type Settings, settingsOf } from './settings.ts';

type Request = components['schemas']['UpdateSettingsRequest'];

export type UpdateSettingsDeps = { readonly defaults: Settings; readonly rules: SettingsRules };

export type SettingsChange = {
  readonly settings: Settings;
  readonly stored: StoredSettings;
  /** Each changed setting with its old and new value. */
  readonly changed: JsonObject;
};

const CENT_DECIMALS = 2;

/**
 * Changes the settings that differ. Throws CONFLICT if `version` is no longer current, and a VALIDATION_ERROR that
 * names every setting that doesn't fit the others. Without a difference the version stays.
 * See decision settings/versioned-and-checked-together.
 */
export async function updateSettings(
  trx: Trx,
  { defaults, rules }: UpdateSettingsDeps,
  { version, ...wanted }: Request,
  now: Date,
): Promise<SettingsChange> {
  const stored = await lockStored(trx);
  if (version !== stored.version) {
    throw conflict(`The settings have version ${stored.version} now. Read them again before you change them.`);
  }
  const before = settingsOf(stored.overrides, defaults);
  const settings: Settings = { ...before, ...normalise(wanted) };
  requireNone([...problemsOf(settings, rules, before), ...(await offRampProblems(trx, settings, rules))]);
  const names = differing(before, settings);
  if (names.length === 0) return { settings, stored, changed: {} };
  const chosen = Object.fromEntries(names.map((name) => [name, settings[name]])) as JsonObject;
  const next = { version: version + 1, overrides: { ...stored.overrides, ...chosen }, updatedAt: now };
  await saveStored(trx, next);
  const changed = names.map((name) => [name, { from: before[name], to: settings[name] }]);
  return { settings, stored: next, changed: Object.fromEntries(changed) as JsonObject };
}

const differing = (before: Settings, after: Settings): (keyof Settings)[] =>
  (Object.keys(after) as (keyof Settings)[]).filter(
    (name) => JSON.stringify(before[name]) !== JSON.stringify(after[name]),
  );

/** Brings amounts into the form in which they are stored and compared: with two decimals. */
function normalise(wanted: Omit<Request, 'version'>): Partial<Settings> {
  const { withdrawalFees: fees, ...rest } = wanted;
  const texts = Object.entries(rest).map(([name, value]) => [
    name,
    MONEY.has(name) && value !== null ? toCents(String(value)) : value,
  ]);
  return {
    ...Object.fromEntries(texts),
    ...(fees && {
      withdrawalFees: {
        bank: { bps: fees.bank.bps, min: toCents(fees.bank.min) },
        networks: Object.fromEntries(Object.entries(fees.networks).map(([name, fee]) => [name, toCents(fee)])),
      },
    }),
  };
}

const MONEY: ReadonlySet<string> = new Set([
  'paymentToleranceMax',
  'withdrawalMin',
  'withdrawalMax',
  'withdrawalDailyMax',
  'fourEyesThreshold',
] satisfies (keyof Settings)[]);

const toCents = (amount: string): string => formatUnits(parseUnits(amount, CENT_DECIMALS), CENT_DECIMALS, true);
