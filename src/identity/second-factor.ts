import { after, MINUTE_MS } from '../lib/clock.ts';
import type { Db, Trx } from '../lib/db-types.ts';
import { decrypt, encrypt, type KeyRing, type Place } from '../lib/envelope.ts';
import { AppError, conflict } from '../lib/errors.ts';
import type { JsonObject } from '../lib/json.ts';
import { type CodeThrottle, createCodeThrottle } from './code-throttle.ts';
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
 * Throws unless the holder has no second factor, or `otp` is a code of it that was never used: UNAUTHORIZED with `otp_required` or
 * `otp_invalid`, RATE_LIMITED after too many wrong ones. The code is used up with the commit of `trx`; a wrong one counts at once. Returns what the
 * audit entry tells of it. Call it under the lock of the holder's account and before other locks.
 */
export type RequireSecondFactor = (
  trx: Trx,
  holder: AccountHolder,
  otp: string | undefined,
  real: Date,
) => Promise<JsonObject>;

/** A secret that waits for its first code. It is told here and never again. */
export type PendingFactor = { readonly secret: string; readonly otpauthUri: string; readonly expiresAt: Date };

export type SecondFactors = {
  readonly require: RequireSecondFactor;
  /** Makes a secret, in the place of one that still waits. CONFLICT when the second factor is on: only disabling it makes way for another. */
  readonly setUp: (trx: Trx, holder: AccountHolder, label: string, real: Date) => Promise<PendingFactor>;
  /** Turns it on by a first code of the new secret. Returns the recovery codes, which are told here and never again. */
  readonly enable: (trx: Trx, holder: AccountHolder, otp: string, real: Date) => Promise<string[]>;
  /** Turns it off by one of its codes. CONFLICT when it is off. Returns what the audit entry tells of the code. */
  readonly disable: (trx: Trx, holder: AccountHolder, otp: string | undefined, real: Date) => Promise<JsonObject>;
};

export type SecondFactorDeps = {
  /** For counting wrong codes while a transaction is open on the main pool. */
  readonly sideDb: Db;
  readonly keyRing: KeyRing;
  readonly livemode: boolean;
};

const PENDING_MS = 15 * MINUTE_MS;

/** The second factor of merchants and administrators: one place for every path that asks for a code. */
export function createSecondFactors({ sideDb, keyRing, livemode }: SecondFactorDeps): SecondFactors {
  const throttle = createCodeThrottle(sideDb);
  const judge = judgeWith(keyRing, throttle);
  return {
    require: async (trx, holder, otp, real) => {
      const factor = await lockFactor(trx, holder.id);
      return factor?.state === 'enabled' ? judge(trx, factor, otp, real) : {};
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
      await throttle.requireFree(trx, holder.id, real);
      const step = findTotpStep(decrypt(keyRing, placeOf(holder.id), factor.encryptedSecret), compact(otp), real);
      if (step === undefined) return refuse(throttle, holder.id, real);
      await enableFactor(trx, holder.id, step, real);
      await throttle.succeed(trx, holder.id);
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
      const told = await judge(trx, factor, otp, real);
      await deleteFactor(trx, holder.id);
      return told;
    },
  };
}

type EnabledFactor = Extract<StoredFactor, { state: 'enabled' }>;

/** Uses a code of the factor up, or throws. The factor's lock is held, so one try comes after the other. */
const judgeWith =
  (keyRing: KeyRing, throttle: CodeThrottle) =>
  async (trx: Trx, factor: EnabledFactor, otp: string | undefined, real: Date): Promise<JsonObject> => {
    const { holderId, encryptedSecret } = factor;
    if (otp === undefined) {
      const message =
        'Two-factor authentication is on. Send a code of your authenticator app, or a recovery code, as otp.';
      throw new AppError('UNAUTHORIZED', message, { reason: 'otp_required' });
    }
    await throttle.requireFree(trx, holderId, real);
    const step = findTotpStep(decrypt(keyRing, placeOf(holderId), encryptedSecret), compact(otp), real);
    const recovery = hashRecoveryCode(holderId, otp);
    const isTaken =
      (step !== undefined && (await spendStep(trx, holderId, step))) ||
      (recovery !== undefined && (await spendRecoveryCode(trx, holderId, recovery, real)));
    if (!isTaken) return refuse(throttle, holderId, real);
    await throttle.succeed(trx, holderId);
    if (step !== undefined) return { secondFactor: 'totp' };
    return { secondFactor: 'recovery_code', recoveryCodesLeft: await countRecoveryCodes(trx, holderId) };
  };

/** The same words for a wrong code and for one that was used: whoever tries codes learns nothing. */
async function refuse(throttle: CodeThrottle, holderId: string, real: Date): Promise<never> {
  await throttle.fail(holderId, real);
  throw new AppError('UNAUTHORIZED', 'The code is wrong or was used before. Wait for the next one and try again.', {
    reason: 'otp_invalid',
  });
}

/** Apps show codes in groups, and people copy them as they see them. */
const compact = (otp: string): string => otp.replace(/\s/g, '');

const issuerOf = (type: PrincipalType, livemode: boolean): string =>
  `Kasi${type === 'admin' ? ' Admin' : ''}${livemode ? '' : ' (sandbox)'}`;

const placeOf = (holderId: string): Place => ({
  table: 'second_factors',
  column: 'sealed_secret',
  row: holderId,
  tenant: holderId,
});
