import type { SealedColumn } from '../db/sealed-column.ts';
import { after, MINUTE_MS } from '../lib/clock.ts';
import type { Db, Trx } from '../lib/db-types.ts';
import { decrypt, encrypt, type KeyRing, type Place } from '../lib/envelope.ts';
import { AppError, conflict } from '../lib/errors.ts';
import type { JsonObject } from '../lib/json.ts';
import { type CodeSender, type CodeThrottle, createCodeThrottle } from './code-throttle.ts';
import { hashRecoveryCode, newRecoveryCodes } from './recovery-codes.ts';
import {
  countRecoveryCodes,
  deleteFactor,
  enableFactor,
  insertRecoveryCodes,
  lockFactor,
  putPendingFactor,
  type StoredFactor,
  spendRecoveryCode,
  spendStep,
} from './second-factor-store.ts';
import type { AccountHolder, PrincipalType } from './sessions.ts';
import { findTotpStep, newTotpSecret, totpBase32, totpUri } from './totp.ts';

/**
 * Returns if the holder has no second factor or `otp` is an unused code of it. Otherwise throws UNAUTHORIZED
 * (`otp_required`, `otp_invalid`, `otp_locked`), or RATE_LIMITED after too many wrong codes. A correct code is used up
 * when `trx` commits; a wrong one counts at once, against the API key `keyId` if a server sends it. Returns metadata
 * for the audit entry. Call it under the lock of the holder's account and before other locks. See
 * decision identity/code-is-spent-with-the-commit.
 */
export type RequireSecondFactor = (
  trx: Trx,
  holder: AccountHolder,
  otp: string | undefined,
  real: Date,
  keyId?: string,
) => Promise<JsonObject>;

/** A secret that waits for its first code, shown this once. */
export type PendingFactor = { readonly secret: string; readonly otpauthUri: string; readonly expiresAt: Date };

export type SecondFactors = {
  readonly require: RequireSecondFactor;
  /** Makes a secret and replaces one that still waits. Throws CONFLICT when the factor is enabled: disable it first. */
  readonly setUp: (trx: Trx, holder: AccountHolder, label: string, real: Date) => Promise<PendingFactor>;
  /** Enables the factor by a first code of the new secret. Returns the recovery codes, which are shown this once. */
  readonly enable: (trx: Trx, holder: AccountHolder, otp: string, real: Date) => Promise<string[]>;
  /**
   * Disables the factor by one of its codes and returns metadata for the audit entry. Throws CONFLICT when it is off.
   */
  readonly disable: (trx: Trx, holder: AccountHolder, otp: string | undefined, real: Date) => Promise<JsonObject>;
};

export type SecondFactorDeps = {
  /** For counting wrong codes while a transaction is open on the main pool. */
  readonly sideDb: Db;
  readonly keyRing: KeyRing;
  readonly livemode: boolean;
};

const PENDING_MS = 15 * MINUTE_MS;

/** The second factor of merchants and administrators, for every path that asks for a code. */
export function createSecondFactors({ sideDb, keyRing, livemode }: SecondFactorDeps): SecondFactors {
  const throttle = createCodeThrottle(sideDb);
  const spendCode = spendCodeWith(keyRing, throttle);
  return {
    require: async (trx, holder, otp, real, keyId) => {
      const factor = await lockFactor(trx, holder.id);
      return factor?.state === 'enabled' ? spendCode(trx, factor, otp, real, keyId) : {};
    },
    setUp: async (trx, holder, label, real) => {
      const known = await lockFactor(trx, holder.id);
      if (known?.state === 'enabled') throw conflict('Two-factor authentication is on. Disable it to set it up anew.');
      const secret = newTotpSecret();
      const expiresAt = after(real, PENDING_MS);
      await putPendingFactor(trx, holder.id, encrypt(keyRing, placeOf(holder.id), secret), expiresAt);
      return {
        secret: totpBase32(secret),
        otpauthUri: totpUri(secret, issuerOf(holder.type, livemode), label),
        expiresAt,
      };
    },
    enable: async (trx, holder, otp, real) => {
      const factor = await lockFactor(trx, holder.id);
      if (factor?.state === 'enabled') throw conflict('Two-factor authentication is on already.');
      if (!factor || factor.pendingUntil <= real) {
        throw conflict('Nothing waits for a code. Set two-factor authentication up first.');
      }
      const sender = { holderId: holder.id };
      await throttle.requireFree(trx, sender, real);
      const step = findTotpStep(decrypt(keyRing, placeOf(holder.id), factor.encryptedSecret), compact(otp), real);
      if (step === undefined) return refuse(throttle, sender, real, true);
      await enableFactor(trx, holder.id, step, real);
      await throttle.succeed(trx, sender, real);
      const codes = newRecoveryCodes();
      await insertRecoveryCodes(
        trx,
        holder.id,
        codes.map((code) => hashRecoveryCode(holder.id, code) as Buffer),
      );
      return codes;
    },
    disable: async (trx, holder, otp, real) => {
      const factor = await lockFactor(trx, holder.id);
      if (factor?.state !== 'enabled') throw conflict('Two-factor authentication is off already.');
      const factorUsed = await spendCode(trx, factor, otp, real);
      await deleteFactor(trx, holder.id, real);
      return factorUsed;
    },
  };
}

type EnabledFactor = Extract<StoredFactor, { state: 'enabled' }>;

/** Spends a code of the factor, or throws. The caller holds the factor's lock, so attempts come one at a time. */
const spendCodeWith =
  (keyRing: KeyRing, throttle: CodeThrottle) =>
  async (trx: Trx, factor: EnabledFactor, otp: string | undefined, real: Date, keyId?: string): Promise<JsonObject> => {
    const { holderId, encryptedSecret } = factor;
    const sender: CodeSender = { holderId, keyId };
    if (otp === undefined) {
      const message =
        'Two-factor authentication is on. Send a code of your authenticator app, or a recovery code, as otp.';
      throw new AppError('UNAUTHORIZED', message, { reason: 'otp_required' });
    }
    const locked = await throttle.isLocked(trx, sender);
    if (!locked) await throttle.requireFree(trx, sender, real);
    const secret = decrypt(keyRing, placeOf(holderId), encryptedSecret);
    const step = locked ? undefined : findTotpStep(secret, compact(otp), real);
    const recovery = hashRecoveryCode(holderId, otp);
    const isTaken =
      (step !== undefined && (await spendStep(trx, holderId, step))) ||
      (recovery !== undefined && (await spendRecoveryCode(trx, holderId, recovery, real)));
    if (!isTaken && locked) throw codesLocked();
    if (!isTaken) return refuse(throttle, sender, real);
    await throttle.succeed(trx, sender, real);
    if (step !== undefined) return { secondFactor: 'totp' };
    return { secondFactor: 'recovery_code', recoveryCodesLeft: await countRecoveryCodes(trx, holderId) };
  };

/** The same message for a wrong code and for a used one, so that guessing reveals nothing. */
async function refuse(throttle: CodeThrottle, sender: CodeSender, real: Date, pending = false): Promise<never> {
  await throttle.fail(sender, real, pending);
  throw new AppError('UNAUTHORIZED', 'The code is wrong or was used before. Wait for the next one and try again.', {
    reason: 'otp_invalid',
  });
}

/** Nothing is counted any more: a recovery code has 80 random bits, and who has one must not wait for a guesser. */
const codesLocked = (): AppError =>
  new AppError(
    'UNAUTHORIZED',
    'After too many wrong codes in a row, codes of the app are no longer taken. Send a recovery code as otp, or ask the operator of the platform to reset two-factor authentication.',
    { reason: 'otp_locked' },
  );

/** Apps show codes in groups, and people copy the spaces too. */
const compact = (otp: string): string => otp.replace(/\s/g, '');

const issuerOf = (type: PrincipalType, livemode: boolean): string =>
  `Kasi${type === 'admin' ? ' Admin' : ''}${livemode ? '' : ' (sandbox)'}`;

const placeOf = (holderId: string): Place => ({
  table: 'second_factors',
  column: 'sealed_secret',
  row: holderId,
  tenant: holderId,
});

export const SEALED_FACTORS: SealedColumn = { key: 'holder_id', tenant: 'holder_id', placeOf };
