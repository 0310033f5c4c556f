import type { FastifyRequest } from 'fastify';
import type { OperationMeta } from '../../generated/operations.ts';
import type { Db, Trx } from '../lib/db-types.ts';
import { AppError } from '../lib/errors.ts';
import type { BodyProof, Credentials, Principal, Proven, Requirement, Verifier } from '../ports/security.ts';

export type Proof = Proven & { readonly verifier: Verifier };

/** Who is calling, or what the body has to prove before we know. */
export type Authentication = Proof | ((body: Uint8Array) => Proof);

/** The ways into an operation: each with the one who can prove it. */
export type Entrances = readonly { readonly verifier: Verifier; readonly alternatives: readonly Requirement[] }[];

/**
 * The ways into an operation in the order of the contract; none for a public one. Throws when the contract names a security scheme, or a
 * combination of them, that nothing here proves: no route is open by accident.
 */
export function entrancesOf(operationId: string, meta: OperationMeta, verifiers: readonly Verifier[]): Entrances {
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
 * Proves who is calling by the kind of credentials that the request carries; null for public operations. Throws UNAUTHORIZED, also for
 * credentials of two kinds: which of them counts should not be a guess.
 */
export async function authenticate(
  request: FastifyRequest,
  entrances: Entrances,
  verifiers: readonly Verifier[],
): Promise<Authentication | null> {
  const [first] = entrances;
  if (!first) return null;
  const credentials = credentialsOf(request);
  const kinds = new Set(verifiers.filter((each) => each.isPresented(credentials)).map((each) => each.kind));
  if (kinds.size > 1) {
    throw new AppError('UNAUTHORIZED', 'Send an access token or an API key, not both.', {
      reason: 'credentials_invalid',
    });
  }
  // Whoever brings nothing, or what does not count here, is told what is missing.
  const { verifier, alternatives } = entrances.find((entrance) => entrance.verifier.isPresented(credentials)) ?? first;
  const proven = await verifier.verify(credentials, alternatives, request.real);
  if (typeof proven !== 'function') return { ...proven, verifier };
  const prove: BodyProof = proven;
  return (body) => ({ ...prove(body), verifier });
}

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

/** Reads the principal's credentials and status again, where a change is about to be made. */
export const recheck = (trx: Trx | Db, proof: Proof | null, real: Date): Promise<Principal | null> =>
  proof ? proof.verifier.recheck(trx, proof.principal, real) : Promise.resolve(null);
