import { notFound } from '../lib/errors.ts';
import { presentPagination, windowOf } from '../lib/paging.ts';
import type { HandlersOf } from '../ports/operation.ts';
import { findOfferer } from '../subscriptions/plans/queries.ts';
import { presentCancellation } from '../subscriptions/present.ts';
import { getSubscription } from '../subscriptions/queries.ts';
import { shownStatus } from '../subscriptions/schedule/subscription-state.ts';
import { changeSubscription } from '../subscriptions/service.ts';
import { askWallet } from './asking.ts';
import { cancelByWallet } from './cancelling.ts';
import { listForCustomer, showAll } from './list.ts';
import { presentChallenge } from './present.ts';
import { deleteSession } from './queries.ts';
import { beginSession, getSession, hashOf } from './session.ts';
import { type SubscribingDeps, subscribeByWallet } from './subscribing.ts';

type Proving = 'createWalletChallenge' | 'subscribeByWallet' | 'cancelByWallet';
type OfSession =
  | 'createCustomerSession'
  | 'endCustomerSession'
  | 'listCustomerSubscriptions'
  | 'retryCustomerSubscription';

/** The operations of the tag `customers`. */
export function customerHandlers(deps: SubscribingDeps): HandlersOf<Proving | OfSession> {
  return { ...provingHandlers(deps), ...sessionHandlers(deps) };
}

function provingHandlers(deps: SubscribingDeps): HandlersOf<Proving> {
  return {
    createWalletChallenge: async ({ body, real, trx }) => ({
      status: 200,
      body: presentChallenge(await askWallet(trx, deps, body, real)),
    }),
    subscribeByWallet: async ({ params, body, now, real, audit }) => {
      const subscriber = { ...body, planId: params.id };
      const { subscription, isNew } = await subscribeByWallet(deps, subscriber, { now, real, audit });
      const url = `${deps.checkoutUrl}/subscription/${subscription.id}`;
      return { status: 200, body: { id: subscription.id, url, isNew } };
    },
    cancelByWallet: async ({ params, body, now, real, audit }) => {
      const { subscription, paid } = await cancelByWallet(deps, { ...body, id: params.id }, { now, real, audit });
      return { status: 200, body: presentCancellation(subscription, paid) };
    },
  };
}

function sessionHandlers(deps: SubscribingDeps): HandlersOf<OfSession> {
  const { db, chains } = deps;
  return {
    createCustomerSession: async ({ body, real }) => {
      const { token, session } = await beginSession(deps, body, real);
      const { wallet, networks, expiresAt } = session;
      const shown = { walletAddress: chains.presentAddress(wallet), networks: [...networks] };
      return { status: 200, body: { token, ...shown, expiresAt: expiresAt.toISOString() } };
    },
    endCustomerSession: async ({ params, trx }) => {
      const ended = await deleteSession(trx, hashOf(params.token));
      if (!ended) throw notFound('session');
      return { status: 200, body: { walletAddress: chains.presentAddress(ended.wallet) } };
    },
    listCustomerSubscriptions: async ({ params, query, real }) => {
      const { wallet, networks, expiresAt } = await getSession(db, params.token, real);
      const { merchantOf } = query;
      // Nobody offers an unknown plan, and there is nothing to list of nobody.
      const filter = {
        ...{ wallet, networks },
        ...(merchantOf !== undefined && { merchantId: (await findOfferer(db, merchantOf)) ?? '' }),
      };
      const { found, total } = await listForCustomer(deps, filter, windowOf(query));
      return {
        status: 200,
        body: {
          walletAddress: chains.presentAddress(wallet),
          expiresAt: expiresAt.toISOString(),
          subscriptions: [...found.rows],
          pagination: presentPagination(query, total, found),
        },
      };
    },
    retryCustomerSubscription: async ({ params: { id, token }, now, real, trx, audit }) => {
      const { wallet, networks } = await getSession(trx, token, real);
      const before = await getSubscription(trx, { id });
      // The same answer as for one that does not exist: the session says nothing of other wallets.
      if (before.wallet !== wallet || !networks.includes(before.network)) throw notFound('subscription');
      const { merchantId } = before;
      const { subscription } = await changeSubscription(trx, deps, { id, merchantId }, { kind: 'retry' }, now);
      audit.note({
        actor: { type: 'system', id: 'payer' },
        resourceId: id,
        merchantId,
        metadata: { status: shownStatus(subscription) },
      });
      const [shown] = await showAll(trx, deps, [subscription]);
      if (!shown) throw new Error(`subscription ${id} is gone`);
      return { status: 200, body: shown };
    },
  };
}
