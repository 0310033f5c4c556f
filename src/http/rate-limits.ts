import type { FastifyReply, FastifyRequest } from 'fastify';
import type { LimitName, LimitRule, OperationMeta } from '../../generated/operations.ts';
import { AppError } from '../lib/errors.ts';
import type { OwnUse } from '../ports/operation.ts';
import type { Limiter, LimitState } from '../ports/security.ts';
import { holderIdOf } from './principals.ts';

/** The headers of draft-ietf-httpapi-ratelimit-headers. */
export const RATE_LIMIT_HEADERS = ['ratelimit-policy', 'ratelimit'] as const;
const [POLICY, STATE] = RATE_LIMIT_HEADERS;

type Count = (request: FastifyRequest, reply: FastifyReply) => Promise<void>;

/** The proof of a caller; `isKnown` is asked only at an address that may prove nothing for a while. */
type ProofOf<T> = { readonly work: () => Promise<T>; readonly isKnown: () => boolean };

/** Finds what a request counts against instead. Absent: there is no such thing. */
type OwnFinder = (() => Promise<OwnUse>) | undefined;

/** The limits of one operation. Every answer names them and shows the state of those that were counted. */
export type OperationLimits = {
  /**
   * Runs the proof of the caller. UNAUTHORIZED counts as `refused` against the address, unless a page of another site
   * had a browser ask. An address without any left gets RATE_LIMITED at once, unless the caller
   * `isKnown` without a query.
   */
  readonly prove: <T>(request: FastifyRequest, reply: FastifyReply, proof: ProofOf<T>) => Promise<T>;
  /** Counts leased limits as soon as the caller is known, whatever becomes of the request. Throws RATE_LIMITED. */
  readonly countRequest: Count;
  /** Counts exact limits, after validation (decision limits/exact-limits-count-valid-requests). Throws RATE_LIMITED. */
  readonly countUse: (request: FastifyRequest, reply: FastifyReply, own?: OwnFinder) => Promise<void>;
};

/**
 * Prepares an operation's limits at startup. Throws when the operation lacks what a limit counts by (a principal, an
 * id), so that no limit is without effect by accident.
 */
export function limitsOf(meta: OperationMeta, limiter: Limiter): OperationLimits {
  const limits = meta.limits.flatMap((name) => {
    const rule = limiter.rules[name];
    return rule ? [{ name, rule }] : [];
  });
  const keyless = limits.find(({ rule }) => !hasKey(meta, rule));
  if (keyless) throw new Error(`${meta.path} has nothing that the limit ${keyless.name} could count by`);
  const refused = meta.security.length > 0 ? limiter.rules.refused : undefined;
  const policy = limits.map(policyOf).join(', ');
  const refusedPolicy = refused && [policy, policyOf({ name: 'refused', rule: refused })].filter(Boolean).join(', ');

  const count = async (reply: FastifyReply, used: LimitState | Promise<LimitState>): Promise<void> => {
    const state = await used;
    const before = reply.getHeader(STATE);
    reply.header(STATE, before === undefined ? stateOf(state) : `${before}, ${stateOf(state)}`);
    if (!state.allowed) throw tooMany(state);
  };
  const use = async ({ name, rule }: Named, request: FastifyRequest, own: OwnFinder): Promise<LimitState> => {
    const state = await limiter.use(name, keyOf(rule, request), request.real);
    const aside = state.allowed ? null : await own?.();
    return aside && limiter.rules[aside.limit] ? limiter.use(aside.limit, aside.key, request.real) : state;
  };
  const counter = (isCounted: (rule: LimitRule) => boolean) => {
    const counted = limits.filter(({ rule }) => isCounted(rule));
    return async (request: FastifyRequest, reply: FastifyReply, own?: OwnFinder): Promise<void> => {
      for (const each of counted) await count(reply, use(each, request, own));
    };
  };
  const countLeased = counter((rule) => !rule.exact);
  return {
    countRequest: (request, reply) => countLeased(request, reply),
    countUse: counter((rule) => rule.exact),
    prove: async (request, reply, { work, isKnown }) => {
      if (policy) reply.header(POLICY, policy);
      if (!refusedPolicy) return work();
      const { ip, real } = request;
      const countRefusal = (used: LimitState | Promise<LimitState>): Promise<void> =>
        count(reply.header(POLICY, refusedPolicy), used);
      const known = limiter.refusal('refused', ip, real);
      if (known && !isKnown()) await countRefusal(known);
      try {
        return await work();
      } catch (error) {
        const isRefused = error instanceof AppError && error.code === 'UNAUTHORIZED';
        if (isRefused && !isAskedElsewhere(request)) await countRefusal(limiter.use('refused', ip, real));
        throw error;
      }
    },
  };
}

/**
 * Whether a page of another site had a browser send this, which brings no credentials without our leave. Nothing is
 * guessed so, and who uses that browser would be refused for it. See decision limits/pages-elsewhere-use-nothing-up.
 */
function isAskedElsewhere({ headers }: FastifyRequest): boolean {
  const site = headers['sec-fetch-site'];
  if (site !== 'cross-site' && site !== 'same-site') return false;
  return CREDENTIALS.every((name) => headers[name] === undefined);
}

const CREDENTIALS = ['authorization', 'x-api-key', 'x-signature'];

function hasKey({ security, path }: OperationMeta, { of }: LimitRule): boolean {
  if (of === 'account') return false; // A handler says whose it is.
  if (of === 'principal') return security.length > 0;
  return of === 'address' || path.includes('{id}');
}

function keyOf(rule: LimitRule, request: FastifyRequest): string {
  switch (rule.of) {
    case 'principal': {
      const { proof } = request;
      if (!proof) throw new Error('a limit of principals stands on an operation without any');
      return holderIdOf(proof.principal);
    }
    case 'payment':
      return (request.params as { readonly id: string }).id;
    case 'address':
      return request.ip;
    case 'account':
      throw new Error('a limit of accounts stands on an operation');
  }
}

type Named = { readonly name: LimitName; readonly rule: LimitRule };

const policyOf = ({ name, rule }: Named): string => `"${name}";q=${rule.max};w=${rule.windowSeconds}`;

const stateOf = ({ name, remaining, resetSeconds }: LimitState): string => `"${name}";r=${remaining};t=${resetSeconds}`;

function tooMany({ name, max, windowSeconds, resetSeconds }: LimitState): AppError {
  return new AppError(
    'RATE_LIMITED',
    `Too many requests: the limit "${name}" allows ${max} in ${seconds(windowSeconds)}. Try again in ${seconds(resetSeconds)}.`,
    { retryAfterSeconds: resetSeconds },
  );
}

const seconds = (count: number): string => (count === 1 ? 'a second' : `${count} seconds`);
