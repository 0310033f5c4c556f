import { randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import { inTransaction } from '../db/transaction.ts';
import type { Db, Trx } from '../lib/db-types.ts';
import { type KeyRing, keyIdOf } from '../lib/envelope.ts';
import { opensCanary, rewrapCanary, sealCanary } from './canary.ts';
import { ifTableExists, listSealingKeys, readEvidence } from './evidence.ts';
import { findModeDifference, findModeProblem, judgeMode, type Mode } from './mode.ts';
import { DeploymentRefusal } from './refusal.ts';
import { findRestoreProblem } from './restored.ts';

/** What a process says it is. */
export type Claim = {
  readonly mode: Mode;
  /** DEPLOYMENT_ID; null in a sandbox that names none. */
  readonly id: string | null;
  /** Null for a script that has no master key: then the canary is not tried. */
  readonly ring: KeyRing | null;
  /**
   * Whether the one of two keys of the ring, by their ids in hex, is an earlier one than the other; absent: whichever
   * is first in the ring is the new one.
   */
  readonly isFormer?: (trx: Trx, own: string, inForce: string) => Promise<boolean>;
};

/** What the database says it is. */
export type Deployment = {
  readonly id: string;
  readonly mode: Mode;
  readonly sealedCanary: Buffer;
  readonly madeAt: Date;
  readonly copiedFrom: readonly string[];
};

/** What the database belongs to; undefined before the first start, and in a database that is not migrated. */
export async function findDeployment(db: Db | Trx): Promise<Deployment | undefined> {
  const row = await ifTableExists(() => db.selectFrom('deployment').selectAll().executeTakeFirst());
  return (
    row && {
      id: row.id,
      mode: row.mode as Mode,
      sealedCanary: row.sealed_canary,
      madeAt: row.made_at,
      copiedFrom: row.copied_from,
    }
  );
}

/**
 * Everything in which the claim differs from the database, and why nothing may run on it, each a sentence with its
 * cure. Changes nothing.
 */
export async function findIdentityProblems(db: Db, claim: Claim, only: 'reads' | 'works' = 'works'): Promise<string[]> {
  const restored = await findRestoreProblem(db, only);
  if (restored !== null) return [restored];
  const known = await findDeployment(db);
  if (known) return compare(known, claim);
  const problem = findModeProblem(judgeMode(await readEvidence(db)), claim.mode);
  return problem === null ? [] : [problem];
}

/**
 * Throws DeploymentRefusal when the claim differs from the database. Changes nothing: for scripts. One that only reads
 * may run on an unreleased copy.
 */
export async function requireIdentity(db: Db, claim: Claim, only: 'reads' | 'works' = 'works'): Promise<void> {
  const problems = await findIdentityProblems(db, claim, only);
  if (problems.length > 0) throw new DeploymentRefusal(problems);
}

/**
 * Makes the database this deployment's at the first start, and throws DeploymentRefusal at every later one that
 * differs. Of processes that start at once one makes it. A new master key, which has the former one beside it, seals
 * the canary anew; the former one, of a process that is restarted late, does not. See decision
 * deployment/no-way-back-to-a-former-key.
 */
export async function proveIdentity(db: Db, claim: Claim & { readonly ring: KeyRing }): Promise<Deployment> {
  return inTransaction(db, async (trx) => {
    await lockIdentity(trx);
    const restored = await findRestoreProblem(trx, 'works');
    if (restored !== null) throw new DeploymentRefusal([restored]);
    const known = (await findDeployment(trx)) ?? (await make(trx, claim));
    const problems = compare(known, claim);
    if (problems.length > 0) throw new DeploymentRefusal(problems);
    const sealed = rewrapCanary(claim.ring, known.sealedCanary);
    const keys = [claim.ring.current.id.toString('hex'), keyIdOf(known.sealedCanary)] as const;
    if (sealed && !(await claim.isFormer?.(trx, ...keys)))
      await trx.updateTable('deployment').set({ sealed_canary: sealed }).execute();
    return known;
  });
}

/** Lets processes that start at once compare and record one after the other. */
export async function lockIdentity(trx: Trx): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtext('kasi deployment'))`.execute(trx);
}

async function make(trx: Trx, { mode, id, ring }: Claim & { readonly ring: KeyRing }): Promise<Deployment> {
  const problem = findModeProblem(judgeMode(await readEvidence(trx)), mode) ?? (await findForeignKey(trx, ring));
  if (problem !== null) throw new DeploymentRefusal([problem]);
  const named = id ?? `${mode}-${randomBytes(6).toString('hex')}`;
  await trx
    .insertInto('deployment')
    .values({ id: named, mode, sealed_canary: sealCanary(ring) })
    .execute();
  const made = await findDeployment(trx);
  if (!made) throw new Error('the deployment that was just made is gone');
  return made;
}

/** A database that knows no canary yet is proven by what was sealed in it. */
async function findForeignKey(trx: Trx, ring: KeyRing): Promise<string | null> {
  const strange = (await listSealingKeys(trx)).filter((id) => !ring.keys.has(id));
  return strange.length === 0 ? null : wrongKey(`secrets in it were sealed with the key ${strange.join(', ')}`, ring);
}

function compare(known: Deployment, { mode, id, ring }: Claim): string[] {
  const mistaken = findModeDifference(known.mode, mode);
  if (mistaken !== null) return [mistaken];
  return [
    ...(id !== null && id !== known.id ? [otherId(known.id, id)] : []),
    ...(ring !== null && !opensCanary(ring, known.sealedCanary)
      ? [wrongKey(`it was sealed with the key ${keyIdOf(known.sealedCanary)}`, ring)]
      : []),
  ];
}

const otherId = (recorded: string, given: string): string =>
  `The database belongs to the deployment "${recorded}", and DEPLOYMENT_ID is "${given}": if this is the database that ` +
  `you mean, set DEPLOYMENT_ID=${recorded}; if it is a copy, such as a restored backup, that shall run beside the ` +
  `original, give the copy its own name with npx kasi deployment adopt ${recorded} ${given}, and its own keys`;

const wrongKey = (found: string, { current }: KeyRing): string =>
  `MASTER_KEY is not the key of this database: ${found}, and this process has ${current.id.toString('hex')}: set the ` +
  'right MASTER_KEY (a sandbox keeps its own in master.key under KASI_DATA_DIR), or, after changing it, list the former ' +
  'one in MASTER_KEYS_OLD';
