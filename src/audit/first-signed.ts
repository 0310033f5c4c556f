import { sql } from 'kysely';
import type { Trx } from '../lib/db-types.ts';
import { deriveSecret } from '../lib/derive.ts';
import { createKeyRing } from '../lib/envelope.ts';
import { signingKey } from '../lib/standard-webhooks.ts';
import { CHECKPOINT_PURPOSE } from './chain.ts';

/**
 * Tells of two of these master keys, by their ids in hex, whether the one is an earlier one than the other: it signed
 * the log before the other did.
 */
export function createIsFormer(masterKeys: readonly Buffer[]) {
  const signers = new Map(
    masterKeys.map((key) => [
      createKeyRing(key).current.id.toString('hex'),
      signingKey(deriveSecret(key, CHECKPOINT_PURPOSE)).publicKey.toString('hex'),
    ]),
  );
  return async (trx: Trx, own: string, inForce: string): Promise<boolean> => {
    const firsts = await listFirstSigned(trx);
    const [ownFirst, otherFirst] = [own, inForce].map((id) => firsts.get(signers.get(id) ?? ''));
    return ownFirst !== undefined && (otherFirst === undefined || ownFirst < otherFirst);
  };
}

/** So many checkpoints are looked at, evenly spread, and as many of the newest: each busy second leaves one. */
const CHECKPOINTS_READ = 500;

/** By the public key, in hex: about where in the audit log each key signed first. */
async function listFirstSigned(trx: Trx): Promise<ReadonlyMap<string, bigint>> {
  const { rows } = await sql<{ key: string; first: bigint }>`
    with ends as (select min(sequence) as first, max(sequence) as last from audit_checkpoints)
    select encode(public_key, 'hex') as key, min(sequence) as first
      from (
        select c.public_key, c.sequence
          from ends,
               generate_series(ends.first, ends.last,
                               greatest(1, (ends.last - ends.first) / ${CHECKPOINTS_READ})) as at,
               lateral (
                 select public_key, sequence from audit_checkpoints where sequence >= at order by sequence limit 1
               ) c
        union all (
          select public_key, sequence from audit_checkpoints order by sequence desc limit ${CHECKPOINTS_READ}
        )
      ) as checkpoints group by 1`.execute(trx);
  return new Map(rows.map(({ key, first }) => [key, first]));
}
