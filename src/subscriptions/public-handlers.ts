import type { Db } from '../lib/db-types.ts';
import type { HandlersOf } from '../ports/operation.ts';
import { presentPublicSubscription } from './mandates/public-view.ts';
import { readPublicView, type SigningDeps, submitSignature } from './mandates/signing.ts';

export type PublicHandlerDeps = SigningDeps & { readonly db: Db; readonly livemode: boolean };

/** What customers ask for, of the tag `subscriptions`. */
export function publicSubscriptionHandlers(
  deps: PublicHandlerDeps,
): HandlersOf<'getPublicSubscription' | 'submitMandate'> {
  return {
    getPublicSubscription: async ({ params }) => {
      const view = await readPublicView(deps, params.id);
      return { status: 200, body: presentPublicSubscription(view, deps.livemode) };
    },
    submitMandate: async ({ params, body, now, audit }) => {
      await submitSignature(deps, { subscriptionId: params.id, signature: body.signature }, { now, audit });
      const view = await readPublicView(deps, params.id);
      return { status: 200, body: presentPublicSubscription(view, deps.livemode) };
    },
  };
}
