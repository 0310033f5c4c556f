import { type Selectable, sql } from 'kysely';
import type { Mandates } from '../../../generated/db.ts';
import type { Db, Trx } from '../../lib/db-types.ts';
import type { StoredMandate } from '../records.ts';

/** Stores the terms that a customer is asked to sign. */
export async function insertMandate(trx: Trx, mandate: StoredMandate): Promise<void> {
  await trx
    .insertInto('mandates')
    .values({
      id: mandate.id,
      subscription_id: mandate.subscriptionId,
      network: mandate.network,
      collector: mandate.collector,
      payer: mandate.payer,
      token_contract: mandate.tokenContract,
      ref: mandate.ref,
      max_units: mandate.maxPerPeriod,
      window_seconds: BigInt(mandate.period),
      starts_at: BigInt(mandate.start),
      ends_at: BigInt(mandate.end),
      carry: mandate.carry,
      signature: mandate.signature,
      submitted_at: mandate.submittedAt,
      relayed_by: mandate.relayedBy,
      authorized_at: mandate.authorizedAt,
      revoked_at: mandate.revokedAt,
      created_at: mandate.createdAt,
    })
    .execute();
}

/** The mandates of these ids; unknown ones are left out. */
export async function findMandates(db: Db | Trx, ids: readonly string[]): Promise<StoredMandate[]> {
  const { rows } = await sql<Selectable<Mandates>>`
    select * from mandates where id = any (${[...ids]}::text[])`.execute(db);
  return rows.map(toMandate);
}

/** The mandates that count for these subscriptions, which are their newest, by subscription. */
export async function findCurrentMandates(
  db: Db | Trx,
  subscriptionIds: readonly string[],
): Promise<ReadonlyMap<string, StoredMandate>> {
  const { rows } = await sql<Selectable<Mandates>>`
    select m.* from subscriptions s join mandates m on m.id = s.mandate_id
     where s.id = any (${[...subscriptionIds]}::text[])`.execute(db);
  return new Map(rows.map((row) => [row.subscription_id, toMandate(row)]));
}

/** The mandates of these subscriptions that count no more. */
export async function findOtherMandates(db: Db, subscriptionIds: readonly string[]): Promise<StoredMandate[]> {
  const { rows } = await sql<Selectable<Mandates>>`
    select m.* from subscriptions s join mandates m on m.subscription_id = s.id and m.id is distinct from s.mandate_id
     where s.id = any (${[...subscriptionIds]}::text[])`.execute(db);
  return rows.map(toMandate);
}

/** Mandates that were signed, and that nothing brings to the chain yet, oldest first. */
export async function listToRelay(db: Db, network: string, limit: number): Promise<StoredMandate[]> {
  const rows = await db
    .selectFrom('mandates')
    .selectAll()
    .where('network', '=', network)
    .where('signature', 'is not', null)
    .where('relayed_by', 'is', null)
    .where('authorized_at', 'is', null)
    .where('revoked_at', 'is', null)
    .orderBy('submitted_at')
    .limit(limit)
    .execute();
  return rows.map(toMandate);
}

/** Writes what can change of a mandate; whoever does that holds the lock of its subscription. */
export async function saveMandate(trx: Trx, mandate: StoredMandate): Promise<void> {
  await trx
    .updateTable('mandates')
    .set({
      signature: mandate.signature,
      submitted_at: mandate.submittedAt,
      relayed_by: mandate.relayedBy,
      authorized_at: mandate.authorizedAt,
      revoked_at: mandate.revokedAt,
    })
    .where('id', '=', mandate.id)
    .execute();
}

/** Writes what the chain says of a mandate, and leaves alone what is noted of its signature meanwhile. */
export async function saveMandateFate(
  trx: Trx,
  { id, authorizedAt, revokedAt }: Pick<StoredMandate, 'id' | 'authorizedAt' | 'revokedAt'>,
): Promise<void> {
  await trx
    .updateTable('mandates')
    .set({ authorized_at: authorizedAt, revoked_at: revokedAt })
    .where('id', '=', id)
    .execute();
}

function toMandate(row: Selectable<Mandates>): StoredMandate {
  return {
    id: row.id,
    subscriptionId: row.subscription_id,
    network: row.network,
    collector: row.collector,
    payer: row.payer,
    tokenContract: row.token_contract,
    ref: row.ref,
    maxPerPeriod: row.max_units,
    period: Number(row.window_seconds),
    start: Number(row.starts_at),
    end: Number(row.ends_at),
    carry: row.carry,
    signature: row.signature,
    submittedAt: row.submitted_at,
    relayedBy: row.relayed_by,
    authorizedAt: row.authorized_at,
    revokedAt: row.revoked_at,
    createdAt: row.created_at,
  };
}
