import type { Db, Trx } from '../lib/db-types.ts';
import { forgetCodesOfKeys, unlockCodes } from './code-throttle.ts';

/** A stored second factor: waiting for its first code, or enabled. */
export type StoredFactor = { readonly holderId: string; readonly encryptedSecret: Buffer } & (
  | { readonly state: 'pending'; readonly pendingUntil: Date }
  | { readonly state: 'enabled' }
);

/** The holder's factor, under a row lock that serialises all attempts to use its codes. */
export async function lockFactor(trx: Trx, holderId: string): Promise<StoredFactor | undefined> {
  const row = await trx
    .selectFrom('second_factors')
    .select(['sealed_secret', 'pending_until'])
    .where('holder_id', '=', holderId)
    .forUpdate()
    .executeTakeFirst();
  if (!row) return undefined;
  const { sealed_secret: encryptedSecret, pending_until: pendingUntil } = row;
  return pendingUntil
    ? { holderId, encryptedSecret, state: 'pending', pendingUntil }
    : { holderId, encryptedSecret, state: 'enabled' };
}

/**
 * Stores a secret that waits for its first code and replaces one that still waits. Throws when the factor is enabled.
 */
export async function putPendingFactor(
  trx: Trx,
  holderId: string,
  encryptedSecret: Buffer,
  until: Date,
): Promise<void> {
  const pending = { sealed_secret: encryptedSecret, pending_until: until };
  const { numInsertedOrUpdatedRows } = await trx
    .insertInto('second_factors')
    .values({ holder_id: holderId, ...pending })
    .onConflict((conflict) =>
      conflict.column('holder_id').doUpdateSet(pending).where('second_factors.enabled_at', 'is', null),
    )
    .executeTakeFirst();
  if (numInsertedOrUpdatedRows !== 1n) throw new Error(`the second factor of ${holderId} is on`);
}

/** Enables a factor whose lock the caller holds; `step` counts as used. */
export async function enableFactor(trx: Trx, holderId: string, step: number, real: Date): Promise<void> {
  await trx
    .updateTable('second_factors')
    .set({ pending_until: null, enabled_at: real, last_step: BigInt(step) })
    .where('holder_id', '=', holderId)
    .execute();
}

/** Marks a time step as used; false if it or a later one was used before. */
export async function spendStep(trx: Trx, holderId: string, step: number): Promise<boolean> {
  const { numUpdatedRows } = await trx
    .updateTable('second_factors')
    .set({ last_step: BigInt(step) })
    .where('holder_id', '=', holderId)
    .where('last_step', '<', BigInt(step))
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}

/** Deletes a factor with its recovery codes, and forgets its wrong codes; false if there was none. */
export async function deleteFactor(trx: Trx, holderId: string, real: Date): Promise<boolean> {
  await unlockCodes(trx, holderId, real);
  await forgetCodesOfKeys(trx, holderId);
  const { numDeletedRows } = await trx
    .deleteFrom('second_factors')
    .where('holder_id', '=', holderId)
    .executeTakeFirst();
  return numDeletedRows > 0n;
}

/** Whether the holder's second factor is enabled. */
export async function hasSecondFactor(db: Db | Trx, holderId: string): Promise<boolean> {
  const row = await db
    .selectFrom('second_factors')
    .select('holder_id')
    .where('holder_id', '=', holderId)
    .where('enabled_at', 'is not', null)
    .executeTakeFirst();
  return row !== undefined;
}

/** Stores the hashes of a holder's recovery codes. */
export async function insertRecoveryCodes(trx: Trx, holderId: string, hashes: readonly Buffer[]): Promise<void> {
  const rows = hashes.map((hash) => ({ holder_id: holderId, code_hash: hash }));
  await trx.insertInto('recovery_codes').values(rows).execute();
}

/** Marks a recovery code as used; false if it isn't one of the holder's or was used before. */
export async function spendRecoveryCode(trx: Trx, holderId: string, hash: Buffer, real: Date): Promise<boolean> {
  const { numUpdatedRows } = await trx
    .updateTable('recovery_codes')
    .set({ used_at: real })
    .where('holder_id', '=', holderId)
    .where('code_hash', '=', hash)
    .where('used_at', 'is', null)
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}

/** How many unused recovery codes the holder has. */
export async function countRecoveryCodes(trx: Trx, holderId: string): Promise<number> {
  const { left } = await trx
    .selectFrom('recovery_codes')
    .select((eb) => eb.fn.countAll<bigint>().as('left'))
    .where('holder_id', '=', holderId)
    .where('used_at', 'is', null)
    .executeTakeFirstOrThrow();
  return Number(left);
}
