import type { FastifyRequest } from 'fastify';
import type { OperationMeta } from '../../generated/operations.ts';
import type { Db, Trx } from '../lib/db-types.ts';
import { AppError } from '../lib/errors.ts';
import type { Principal, Verifier, Verifiers } from '../ports/security.ts';

export type Proof = { readonly principal: Principal; readonly verifier: Verifier };

/** Refuses to start when the contract names a security scheme that nothing here verifies: no route is open by accident. */
export function assertVerifiers(operations: Readonly<Record<string, OperationMeta>>, verifiers: Verifiers): void {
  for (const [operationId, { security }] of Object.entries(operations)) {
    for (const scheme of security.flatMap((requirement) => Object.keys(requirement))) {
      if (!Object.hasOwn(verifiers, scheme))
        throw new Error(`${operationId} needs the security scheme ${scheme}, which has no verifier`);
    }
  }
}

/**
 * Proves who is calling by any one of the alternatives that the contract allows; null for public operations. Throws UNAUTHORIZED or
 * FORBIDDEN of the alternative that was tried.
 */
export async function authenticate(
  request: FastifyRequest,
  meta: OperationMeta,
  verifiers: Verifiers,
  real: Date,
): Promise<Proof | null> {
  if (meta.security.length === 0) return null;
  let refusal: unknown;
  for (const requirement of meta.security) {
    try {
      return await proveAll(request, requirement, verifiers, real);
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      refusal ??= error;
    }
  }
  throw refusal;
}

async function proveAll(
  request: FastifyRequest,
  requirement: Readonly<Record<string, readonly string[]>>,
  verifiers: Verifiers,
  real: Date,
): Promise<Proof> {
  let proof: Proof | undefined;
  for (const [scheme, scopes] of Object.entries(requirement)) {
    const verifier = verifiers[scheme];
    if (!verifier) throw new Error(`no verifier for ${scheme}`);
    const principal = await verifier.verify({ authorization: request.headers.authorization }, scopes, real);
    proof ??= { principal, verifier };
  }
  if (!proof) throw new Error('an empty security requirement would let everybody in');
  return proof;
}

/** Reads the principal's session and status again, where a change is about to be made. */
export const recheck = (trx: Trx | Db, proof: Proof | null, real: Date): Promise<Principal | null> =>
  proof ? proof.verifier.recheck(trx, proof.principal, real) : Promise.resolve(null);
