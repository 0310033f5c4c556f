import type { components } from '../../generated/api.ts';
import { after } from '../lib/clock.ts';
import type { Trx } from '../lib/db-types.ts';
import { invalidField } from '../lib/errors.ts';
import { newId } from '../lib/ids.ts';
import { presentFiat } from '../lib/money.ts';
import { getMerchant } from '../merchants/queries.ts';
import type { Network } from '../ports/chain.ts';
import type { Chains } from '../ports/chain-kind.ts';
import { trialDaysFor } from '../subscriptions/first-trial.ts';
import type { Plan } from '../subscriptions/plans/plan.ts';
import { getOfferedPlan } from '../subscriptions/plans/queries.ts';
import { getSubscription } from '../subscriptions/queries.ts';
import { CHALLENGE_MS, type Challenge, inStatement, type MessageParts, messageOf } from './challenge.ts';
import { customerNetworks, type ProofDeps, requireNetworks } from './proof.ts';
import { insertChallenge } from './queries.ts';

export type AskingDeps = Omit<ProofDeps, 'chains'> & {
  readonly chains: ProofDeps['chains'] & Pick<Chains, 'isAddressOn' | 'kindOf'>;
  readonly checkoutUrl: string;
};

type Request = components['schemas']['CreateWalletChallengeRequest'];

/** What a text says, and where its signature is verified. */
type Saying = Pick<MessageParts, 'statement' | 'url' | 'chainId'> & Pick<Challenge, 'subject' | 'network'>;

/**
 * Makes the text that a wallet has to sign. Throws VALIDATION_ERROR for the wallet or what it is about, NOT_FOUND for
 * the plan or subscription, CONFLICT (`no_collector`).
 */
export async function askWallet(trx: Trx, deps: AskingDeps, request: Request, real: Date): Promise<Challenge> {
  const [network] = requireNetworks(deps);
  const { walletAddress, purpose } = request;
  if (!deps.chains.isAddressOn(network, walletAddress)) {
    throw invalidField('walletAddress', `must be an address of ${network.name}; check it for typing mistakes`);
  }
  const wallet = deps.chains.kindOf(network).addresses.canonical(walletAddress);
  const { subject, network: on, ...saying } = await sayingOf(trx, deps, request, wallet);
  const times = { createdAt: real, expiresAt: after(real, CHALLENGE_MS) };
  const id = newId('walletChallenge', real);
  const address = deps.chains.presentAddress(wallet);
  const message = messageOf({ ...saying, ...times, id, address, checkoutUrl: deps.checkoutUrl });
  const challenge: Challenge = { id, purpose, wallet, subject, network: on, message, ...times, usedAt: null };
  await insertChallenge(trx, challenge);
  return challenge;
}

async function sayingOf(trx: Trx, deps: AskingDeps, request: Request, wallet: string): Promise<Saying> {
  const { purpose, planId, subscriptionId } = request;
  requireOnly('planId', planId, purpose === 'subscribe');
  requireOnly('subscriptionId', subscriptionId, purpose === 'cancel');
  if (planId !== undefined) return sayingOfPlan(trx, deps, await getOfferedPlan(trx, planId), wallet);
  if (subscriptionId !== undefined) return sayingOfEnd(trx, deps, subscriptionId, wallet);
  const statement = 'Show me my subscriptions. This allows no payment and changes nothing else.';
  const [network] = requireNetworks(deps);
  return {
    ...{ statement, subject: null, network: null, chainId: chainIdOf(deps, network) },
    url: `${deps.checkoutUrl}/customer`,
  };
}

function requireOnly(field: string, value: string | undefined, isWanted: boolean): void {
  if ((value !== undefined) === isWanted) return;
  throw invalidField(
    field,
    isWanted ? 'is missing; say what it is about' : 'means nothing with this purpose; leave it out',
  );
}

/** What the owner of a wallet says who subscribes. The same of the same plan, so that a change of it is noticed. */
export async function sayingOfPlan(trx: Trx, deps: AskingDeps, plan: Plan, wallet: string): Promise<Saying> {
  const network = requireNetwork(deps, plan.network, 'planId');
  const whose = await namesOf(trx, plan);
  const price = `${plan.currency} ${presentFiat(plan.amountMinor).toFixed(2)} every ${PERIODS[plan.interval]}`;
  const trialDays = await trialDaysFor(trx, plan, wallet);
  const free = trialDays > 0 ? ` after ${trialDays} free days` : '';
  const what = `I subscribe to ${whose} for ${price}${free}.`;
  const statement = `${what} Nothing can be charged before I agree to it in the next step.`;
  return {
    ...{ statement, subject: plan.id, network: plan.network, chainId: chainIdOf(deps, network) },
    url: `${deps.checkoutUrl}/plan/${plan.id}`,
  };
}

const PERIODS = { daily: 'day', weekly: 'week', monthly: 'month', yearly: 'year' } as const;

async function sayingOfEnd(trx: Trx, deps: AskingDeps, id: string, wallet: string): Promise<Saying> {
  const subscription = await getSubscription(trx, { id });
  if (subscription.wallet !== wallet) {
    throw invalidField('walletAddress', 'is not the wallet of this subscription; take the one that pays');
  }
  const network = requireNetwork(deps, subscription.network, 'subscriptionId');
  const what = `I cancel my subscription to ${await namesOf(trx, await getOfferedPlan(trx, subscription.planId))}.`;
  return {
    statement: `${what} Nothing more is charged, and what I have paid holds to the end of its period.`,
    ...{ subject: id, network: subscription.network, chainId: chainIdOf(deps, network) },
    url: `${deps.checkoutUrl}/subscription/${id}`,
  };
}

/** What is sold, and who sells it. */
async function namesOf(trx: Trx, { id, name, merchantId }: Plan): Promise<string> {
  const { businessName } = await getMerchant(trx, merchantId);
  return `${inStatement(name, id)} of ${inStatement(businessName, merchantId)}`;
}

function requireNetwork(deps: AskingDeps, name: string, field: string): Network {
  const network = customerNetworks(deps).find((each) => each.name === name);
  if (network) return network;
  throw invalidField(field, `is charged on ${name}, which is not offered at present; ask whoever sent you here`);
}

function chainIdOf({ chains }: AskingDeps, network: Network): number {
  const collector = chains.openCollector(network);
  if (!collector) throw new Error(`${network.name} collects nothing`);
  return collector.chainId;
}
