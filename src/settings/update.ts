import type { components } from '../../generated/api.ts';
import type { Trx } from '../lib/db-types.ts';
import { conflict, requireNone } from '../lib/errors.ts';
import { canonicalJson, type Json, type JsonObject } from '../lib/json.ts';
import { formatCents, parseCents } from '../lib/money.ts';
import type { AdminPrincipal } from '../ports/security.ts';
import { type Change, type ChangeFields, fieldsAsJson } from './change.ts';
import { type ChangeDeps, proposeChange, waitingOf } from './changes.ts';
import { asksForCode, guardedOf } from './guarded.ts';
import { lockStored, type StoredSettings, saveStored } from './queries.ts';
import { offRampProblems, problemsOf, type SettingsRules } from './rules.ts';
import { type Settings, settingsOf } from './settings.ts';

type Request = components['schemas']['UpdateSettingsRequest'];

export type ApplySettingsDeps = { readonly defaults: Settings; readonly rules: SettingsRules };
export type UpdateSettingsDeps = ApplySettingsDeps & ChangeDeps;

type Caller = { readonly principal: AdminPrincipal; readonly now: Date; readonly real: Date };

export type SettingsChange = {
  /** The settings in force. */
  readonly settings: Settings;
  readonly stored: StoredSettings;
  /** Each setting that changed at once, with its old and new value. */
  readonly changed: JsonObject;
  /** What has to wait; null when nothing does. */
  readonly pending: Change | null;
  /** What the audit entry says about the code that was asked for. */
  readonly secondFactor: JsonObject;
};

/**
 * Changes the settings that differ. What concerns money asks for a code, and where it goes also waits. Throws CONFLICT
 * if `version` is no longer current or another change of the same setting waits, a VALIDATION_ERROR that names every
 * setting that doesn't fit the others, and UNAUTHORIZED for the code. Without a difference the version stays. See
 * decisions settings/versioned-and-checked-together and settings/changes-of-money-wait.
 */
export async function updateSettings(
  trx: Trx,
  deps: UpdateSettingsDeps,
  { version, otp, ...wanted }: Request,
  { principal, now, real }: Caller,
): Promise<SettingsChange> {
  const stored = await lockStored(trx);
  if (version !== stored.version) {
    throw conflict(`The settings have version ${stored.version} now. Read them again before you change them.`);
  }
  const before = settingsOf(stored.overrides, deps.defaults);
  const after: Settings = { ...before, ...normalise(wanted) };
  requireNone(await findProblems(trx, deps, after, before));
  const names = differing(before, after);
  const guarded = guardedOf(names, before, after);
  const secondFactor = asksForCode(names) ? await deps.confirm(trx, principal, otp, real) : {};
  const waiting = guarded.length > 0 ? await waitingOf(trx, deps, before, principal.adminId, now) : null;
  const later = waiting ? await namesThatWait(trx, deps, { before, after, names, guarded }) : [];
  const atOnce = names.filter((name) => !later.includes(name));
  const draft = { kind: 'settings', subjectId: 'platform', proposedBy: principal.adminId } as const;
  const pending = waiting
    ? await proposeChange(trx, { ...draft, fields: differences(later, before, after) }, waiting, now)
    : null;
  const saved = await store(trx, stored, pick(after, atOnce), now);
  const changed = fieldsAsJson(differences(atOnce, before, after));
  return { settings: { ...before, ...pick(after, atOnce) }, stored: saved, changed, pending, secondFactor };
}

/**
 * Puts settings into effect that have waited. Says why not, when somebody changed one of them meanwhile, or when they
 * no longer fit the others.
 */
export async function applySettings(
  trx: Trx,
  deps: ApplySettingsDeps,
  { fields }: Pick<Change, 'fields'>,
  now: Date,
): Promise<string | null> {
  const stored = await lockStored(trx);
  const before = settingsOf(stored.overrides, deps.defaults);
  const names = Object.keys(fields) as (keyof Settings)[];
  const moved = names.filter((name) => !Object.hasOwn(before, name) || !isSame(before[name], fields[name]?.from));
  if (moved.length > 0) return `Meanwhile these were changed: ${moved.join(', ')}.`;
  const wanted = Object.fromEntries(names.map((name) => [name, fields[name]?.to])) as Partial<Settings>;
  const problems = await findProblems(trx, deps, { ...before, ...wanted }, before);
  if (problems.length > 0) return problems.map(({ path, message }) => `${path}: ${message}`).join('; ');
  await store(trx, stored, wanted, now);
  return null;
}

const findProblems = async (trx: Trx, { rules }: ApplySettingsDeps, settings: Settings, before: Settings) => [
  ...problemsOf(settings, rules, before),
  ...(await offRampProblems(trx, settings, rules)),
];

type Difference = {
  readonly before: Settings;
  readonly after: Settings;
  readonly names: readonly (keyof Settings)[];
  readonly guarded: readonly (keyof Settings)[];
};

/** What is guarded waits alone, unless the rest fits only together with it. */
async function namesThatWait(trx: Trx, deps: ApplySettingsDeps, { before, after, names, guarded }: Difference) {
  const rest = names.filter((name) => !guarded.includes(name));
  const problems = await findProblems(trx, deps, { ...before, ...pick(after, rest) }, before);
  return problems.length > 0 ? names : guarded;
}

/** Stores the next version with these settings; the same version when there are none. */
async function store(trx: Trx, stored: StoredSettings, chosen: Partial<Settings>, now: Date): Promise<StoredSettings> {
  if (Object.keys(chosen).length === 0) return stored;
  const overrides = { ...stored.overrides, ...(chosen as JsonObject) };
  const next = { version: stored.version + 1, overrides, updatedAt: now };
  await saveStored(trx, next);
  return next;
}

const pick = (settings: Settings, names: readonly (keyof Settings)[]): Partial<Settings> =>
  Object.fromEntries(names.map((name) => [name, settings[name]]));

const differences = (names: readonly (keyof Settings)[], before: Settings, after: Settings): ChangeFields =>
  Object.fromEntries(names.map((name) => [name, { from: before[name] as Json, to: after[name] as Json }]));

const differing = (before: Settings, after: Settings): (keyof Settings)[] =>
  (Object.keys(after) as (keyof Settings)[]).filter((name) => !isSame(before[name], after[name]));

/** The database keeps the keys of an object in an order of its own. */
const isSame = (a: unknown, b: unknown): boolean => canonicalJson(a as Json) === canonicalJson(b as Json);

/** Brings amounts into the form in which they are stored and compared: with two decimals. */
function normalise(wanted: Omit<Request, 'version' | 'otp'>): Partial<Settings> {
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
  'refundDailyMax',
  'fourEyesThreshold',
] satisfies (keyof Settings)[]);

const toCents = (amount: string): string => formatCents(parseCents(amount));
