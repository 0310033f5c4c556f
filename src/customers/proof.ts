import { ANSWER_WITHIN_MS, unanswered } from '../chains/node-answers.ts';
import type { Db, Trx } from '../lib/db-types.ts';
import { conflict, invalidField } from '../lib/errors.ts';
import { inTime } from '../lib/in-time.ts';
import type { Network } from '../ports/chain.ts';
import type { Chains } from '../ports/chain-kind.ts';
import { type Challenge, challengeOver, requireFor } from './challenge.ts';
import { findChallenge, spendChallenge } from './queries.ts';

export type ProofDeps = {
  readonly db: Db;
  readonly networks: readonly Network[];
  readonly chains: Pick<Chains, 'openSignatures' | 'openCollector' | 'presentAddress'>;
};

/** A signature of a challenge's text. */
export type Proof = { readonly challengeId: string; readonly signature: string };

export type Proven = { readonly challenge: Challenge; readonly networks: readonly string[] };

/** The networks on which customers have subscriptions and wallets sign. */
export const customerNetworks = ({ networks, chains }: Pick<ProofDeps, 'networks' | 'chains'>): readonly Network[] =>
  networks.filter((network) => chains.openCollector(network) !== null && chains.openSignatures(network) !== null);

/** The same; throws CONFLICT (`no_collector`) when there are none. */
export function requireNetworks(deps: Pick<ProofDeps, 'networks' | 'chains'>): readonly [Network, ...Network[]] {
  const [first, ...others] = customerNetworks(deps);
  if (first) return [first, ...others];
  throw conflict(
    'No network of this platform collects subscriptions, so there is nothing to sign for.',
    'no_collector',
  );
}

/**
 * Throws unless the wallet of a challenge has signed its text: VALIDATION_ERROR, CONFLICT (`challenge_over`), and
 * SERVICE_UNAVAILABLE when a node has to be asked and does not answer. A contract is asked on each network, and proven
 * only where it agrees. Uses nothing up; call `spend` in the transaction of what the proof is for. Never inside one.
 */
export async function requireProof(
  deps: ProofDeps,
  { challengeId, signature }: Proof,
  wanted: Pick<Challenge, 'purpose' | 'subject'>,
  real: Date,
): Promise<Proven> {
  const challenge = requireFor(await findChallenge(deps.db, challengeId), wanted, real);
  const account = deps.chains.presentAddress(challenge.wallet);
  const asked = customerNetworks(deps).filter(({ name }) => challenge.network === null || challenge.network === name);
  if (asked.length === 0) throw unanswered(`The network ${challenge.network} is not offered at present.`);
  const answers = await Promise.allSettled(
    asked.map(async (network) => {
      const isSigned = deps.chains.openSignatures(network);
      return (
        isSigned !== null && inTime(isSigned({ account, message: challenge.message, signature }), ANSWER_WITHIN_MS)
      );
    }),
  );
  const networks = asked.flatMap(({ name }, i) => {
    const answer = answers[i];
    return answer?.status === 'fulfilled' && answer.value ? [name] : [];
  });
  if (networks.length > 0) return { challenge, networks };
  const failed = answers.find((answer) => answer.status === 'rejected');
  if (failed) throw unanswered('No node answered, so the signature could not be checked. Try again.', failed.reason);
  throw invalidField('signature', `must be a signature of ${account} over the message of the challenge`);
}

/** Uses a challenge up, once. Throws CONFLICT (`challenge_over`). */
export async function spend(trx: Trx, challenge: Challenge, real: Date): Promise<void> {
  if (!(await spendChallenge(trx, challenge.id, real))) throw challengeOver();
}
