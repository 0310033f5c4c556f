import type { FastifyRequest } from 'fastify';
import type { OperationMeta } from '../../generated/operations.ts';
import { inTransaction, isRefusedAssumption, isUnavailable } from '../db/transaction.ts';
import { asCaller } from '../identity/assumed.ts';
import type { Db, Trx } from '../lib/db-types.ts';
import { AppError } from '../lib/errors.ts';
import type { BodyProof, Credentials, Principal, Proven, Requirement, Verifier } from '../ports/security.ts';

const NOTHING = Buffer.alloc(0);

export type Proof = Proven & { readonly verifier: Verifier };

/** The proven caller, or a function that finishes the proof with the body, where one is to come. */
export type Authentication = Proof | ((body: Uint8Array) => Proof);

/** The ways to authenticate for an operation, each with its verifier. */
export type Authenticators = readonly { readonly verifier: Verifier; readonly alternatives: readonly Requirement[] }[];

/**
 * The ways to authenticate for an operation, in the order of the contract; none if it is public. Throws at startup for
 * a security scheme, or a combination, without a verifier, so that no route is open by accident.
 */
export function authenticatorsOf(
  operationId: string,
  meta: OperationMeta,
  verifiers: readonly Verifier[],
): Authenticators {
  const found = new Map<Verifier, Requirement[]>();
  for (const requirement of meta.security) {
    const schemes = Object.keys(requirement);
    const verifier = verifiers.find((each) => schemes.every((scheme) => each.schemes.includes(scheme)));
    if (!verifier || schemes.length === 0) {
      throw new Error(
        `${operationId} needs the security scheme ${schemes.join(' + ') || '(none)'}, which has no verifier`,
      );
    }
    const fault = verifier.fault(requirement);
    if (fault !== null) throw new Error(`${operationId} asks for what can not be proven: ${fault}`);
    found.set(verifier, [...(found.get(verifier) ?? []), requirement]);
  }
  return [...found].map(([verifier, alternatives]) => ({ verifier, alternatives }));
}

/**
 * Authenticates the request by the kind of credentials that it carries; null for public operations. Throws
 * UNAUTHORIZED, also for credentials of two kinds, because which one counts would be a guess.
 */
export async function authenticate(
  request: FastifyRequest,
  authenticators: Authenticators,
  verifiers: readonly Verifier[],
): Promise<Authentication | null> {
  const [first] = authenticators;
  if (!first) return null;
  const credentials = credentialsOf(request);
  const kinds = new Set(verifiers.filter((each) => each.isPresented(credentials)).map((each) => each.kind));
  if (kinds.size > 1) {
    throw new AppError('UNAUTHORIZED', 'Send an access token or an API key, not both.', {
      reason: 'credentials_invalid',
    });
  }
  if (kinds.has('key') && !authenticators.some(({ verifier }) => verifier.kind === 'key')) {
    const message =
      'API keys can not call this operation. It is for a person: log in, and send the access token in the header "Authorization: Bearer <token>".';
    throw new AppError('UNAUTHORIZED', message, { reason: 'token_missing' });
  }
  // Without credentials that count here, the first way's verifier says what is missing.
  const { verifier, alternatives } =
    authenticators.find((authenticator) => authenticator.verifier.isPresented(credentials)) ?? first;
  const proven = await verifier.verify(credentials, alternatives, request.real);
  if (typeof proven !== 'function') return { ...proven, verifier };
  const prove: BodyProof = proven;
  const finish = (body: Uint8Array): Proof => ({ ...prove(body), verifier });
  // Most signed requests are reads, and wait for nothing. See decision http/signed-without-a-body.
  return hasBody(request) ? finish : finish(NOTHING);
}

/** Whether the caller's credentials are known without a query. See decision limits/neighbours-are-still-heard. */
export function isKnownCaller(request: FastifyRequest, authenticators: Authenticators): boolean {
  const credentials = credentialsOf(request);
  return authenticators.some(({ verifier }) => verifier.isPresented(credentials) && verifier.isKnown(credentials));
}

const hasBody = ({ headers }: FastifyRequest): boolean =>
  headers['content-length'] !== undefined || headers['transfer-encoding'] !== undefined;

function credentialsOf({ headers, method, raw, ip }: FastifyRequest): Credentials {
  const single = (name: string): string | undefined => headers[name] as string | undefined;
  return {
    authorization: headers.authorization,
    apiKey: single('x-api-key'),
    signature: single('x-signature'),
    timestamp: single('x-timestamp'),
    idempotencyKey: single('idempotency-key'),
    method,
    target: raw.url ?? '',
    ip,
  };
}

/** Rereads the principal's credentials and status before a change. */
export const recheck = (trx: Trx | Db, proof: Proof | null, real: Date): Promise<Principal | null> =>
  proof ? proof.verifier.recheck(trx, proof.principal, real) : Promise.resolve(null);

/** Says of something that the work assumes that it is not known yet; returns what to call once it is. */
export type Assuming = () => () => void;

/** What a caller does in a transaction. `assuming` is null when nothing may be assumed. */
export type WorkAsCaller<T> = (trx: Trx, principal: Principal | null, assuming: Assuming | null) => Promise<T>;

/**
 * Runs `work` in a transaction as the caller that was proven, on the word of a statement in it that the caller has not
 * changed, and of one at its end that the caller has not been ended. When one of them, or what the work has assumed,
 * was not confirmed and it has failed, it is done again as the caller that is read first, assuming nothing. See
 * decisions http/callers-are-assumed and http/callers-are-still-there.
 */
export async function inTransactionOf<T>(db: Db, proof: Proof | null, real: Date, work: WorkAsCaller<T>): Promise<T> {
  if (!proof) return inTransaction(db, (trx) => work(trx, null, null));
  const reread = (): Promise<T> => asCaller(db, proof, real, (trx, caller) => work(trx, caller, null));
  if (!proof.verifier.assume) return reread();
  const { principal, verifier } = proof;
  let unconfirmed = 0;
  const assuming: Assuming = () => {
    unconfirmed += 1;
    return () => {
      unconfirmed -= 1;
    };
  };
  try {
    return await inTransaction(db, async (trx) => {
      unconfirmed = 0; // It may be another attempt.
      verifier.assume?.(trx, principal, real, assuming());
      const result = await work(trx, principal, assuming);
      // What is checked at the very end need not be checked twice.
      if (!trx.isUnchecked()) verifier.remain(trx, principal);
      return result;
    });
  } catch (error) {
    if (isRefusedAssumption(error) || (unconfirmed > 0 && !isUnavailable(error))) return reread();
    throw error;
  }
}
