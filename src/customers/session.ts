import { createHash, randomBytes } from 'node:crypto';
import { inTransaction } from '../db/transaction.ts';
import { after, MINUTE_MS } from '../lib/clock.ts';
import type { Db, Trx } from '../lib/db-types.ts';
import { notFound } from '../lib/errors.ts';
import { type Proof, type ProofDeps, requireProof, spend } from './proof.ts';
import { type CustomerSession, findSession, insertSession } from './queries.ts';

const SESSION_MS = 30 * MINUTE_MS;
const TOKEN_BYTES = 32;
const TOKEN = /^[\w-]{43}$/;

/** Begins a session for who has signed a text of `sign_in`. Throws as `requireProof`. Never inside a transaction. */
export async function beginSession(
  deps: ProofDeps,
  proof: Proof,
  real: Date,
): Promise<{ readonly token: string; readonly session: CustomerSession }> {
  const { challenge, networks } = await requireProof(deps, proof, { purpose: 'sign_in', subject: null }, real);
  const token = randomBytes(TOKEN_BYTES).toString('base64url');
  const session: CustomerSession = {
    wallet: challenge.wallet,
    networks,
    challengeId: challenge.id,
    createdAt: real,
    expiresAt: after(real, SESSION_MS),
  };
  await inTransaction(deps.db, async (trx) => {
    await spend(trx, challenge, real);
    await insertSession(trx, hashOf(token), session);
  });
  return { token, session };
}

/** The session of a token. Throws NOT_FOUND, also once it is over. */
export async function getSession(db: Db | Trx, token: string, real: Date): Promise<CustomerSession> {
  const session = TOKEN.test(token) ? await findSession(db, hashOf(token), real) : undefined;
  if (!session) throw notFound('session');
  return session;
}

/** SHA-256 of a token. It has 256 bits, so nothing slower is needed. */
export const hashOf = (token: string): Buffer => createHash('sha256').update(token).digest();
