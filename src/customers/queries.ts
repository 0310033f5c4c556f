import { type Selectable, sql } from 'kysely';
import type { CustomerSessions, WalletChallenges } from '../../generated/db.ts';
import type { Db, Trx } from '../lib/db-types.ts';
import type { Challenge, Purpose } from './challenge.ts';

/** A wallet that has proven itself, for a while. Times are those of the real clock. */
export type CustomerSession = {
  /** Lower-case hex. */
  readonly wallet: string;
  /** Where it has: a wallet that is a contract may have another owner on each. */
  readonly networks: readonly string[];
  readonly challengeId: string;
  readonly createdAt: Date;
  readonly expiresAt: Date;
};

/** Stores a new challenge. */
export async function insertChallenge(trx: Trx, challenge: Challenge): Promise<void> {
  await trx
    .insertInto('wallet_challenges')
    .values({
      id: challenge.id,
      purpose: challenge.purpose,
      wallet: challenge.wallet,
      subject: challenge.subject,
      network: challenge.network,
      message: challenge.message,
      created_at: challenge.createdAt,
      expires_at: challenge.expiresAt,
      used_at: challenge.usedAt,
    })
    .execute();
}

/** The challenge with this id, without a lock. */
export async function findChallenge(db: Db, id: string): Promise<Challenge | undefined> {
  const row = await db.selectFrom('wallet_challenges').selectAll().where('id', '=', id).executeTakeFirst();
  return row && toChallenge(row);
}

/** Uses a challenge up; false when it is used or over. Two calls at once: the second waits for the first. */
export async function spendChallenge(trx: Trx, id: string, real: Date): Promise<boolean> {
  const { numUpdatedRows } = await trx
    .updateTable('wallet_challenges')
    .set({ used_at: real })
    .where('id', '=', id)
    .where('used_at', 'is', null)
    .where('expires_at', '>', real)
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}

/** Stores a new session, under the hash of its token. */
export async function insertSession(trx: Trx, tokenHash: Buffer, session: CustomerSession): Promise<void> {
  await trx
    .insertInto('customer_sessions')
    .values({
      token_hash: tokenHash,
      wallet: session.wallet,
      networks: [...session.networks],
      challenge_id: session.challengeId,
      created_at: session.createdAt,
      expires_at: session.expiresAt,
    })
    .execute();
}

/** The session of this token, while it lasts. */
export async function findSession(db: Db | Trx, tokenHash: Buffer, real: Date): Promise<CustomerSession | undefined> {
  const row = await db
    .selectFrom('customer_sessions')
    .selectAll()
    .where('token_hash', '=', tokenHash)
    .where('expires_at', '>', real)
    .executeTakeFirst();
  return row && toSession(row);
}

/** Ends a session; undefined when there is none. */
export async function deleteSession(trx: Trx, tokenHash: Buffer): Promise<CustomerSession | undefined> {
  const row = await trx
    .deleteFrom('customer_sessions')
    .where('token_hash', '=', tokenHash)
    .returningAll()
    .executeTakeFirst();
  return row && toSession(row);
}

/** Deletes up to `limit` challenges that ended before this time; returns how many. */
export async function deleteOldChallenges(db: Db, before: Date, limit: number): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from wallet_challenges
     where id in (select id from wallet_challenges where expires_at < ${before}
                   order by expires_at limit ${limit} for update skip locked)`.execute(db);
  return Number(numAffectedRows ?? 0n);
}

/** Deletes up to `limit` sessions that ended before this time; returns how many. */
export async function deleteOldSessions(db: Db, before: Date, limit: number): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from customer_sessions
     where token_hash in (select token_hash from customer_sessions where expires_at < ${before}
                           order by expires_at limit ${limit} for update skip locked)`.execute(db);
  return Number(numAffectedRows ?? 0n);
}

const toChallenge = (row: Selectable<WalletChallenges>): Challenge => ({
  id: row.id,
  purpose: row.purpose as Purpose,
  wallet: row.wallet,
  subject: row.subject,
  network: row.network,
  message: row.message,
  createdAt: row.created_at,
  expiresAt: row.expires_at,
  usedAt: row.used_at,
});

const toSession = (row: Selectable<CustomerSessions>): CustomerSession => ({
  wallet: row.wallet,
  networks: row.networks,
  challengeId: row.challenge_id,
  createdAt: row.created_at,
  expiresAt: row.expires_at,
});
