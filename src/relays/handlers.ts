import type { Clock } from '../lib/clock.ts';
import type { HandlersOf } from '../ports/operation.ts';
import { type RelayDeps, readSignedTransfer, submitAuthorization } from './service.ts';

export type RelayHandlerDeps = RelayDeps & { readonly clock: Pick<Clock, 'now'> };

/** The operations of the tag `relays`. */
export function relayHandlers(deps: RelayHandlerDeps): HandlersOf<'getSignedTransfer' | 'submitAuthorization'> {
  return {
    getSignedTransfer: async ({ params, query }) => ({
      status: 200,
      body: await readSignedTransfer(deps, params.id, query, deps.clock.now()),
    }),
    submitAuthorization: async ({ params, body, audit }) => ({
      status: 200,
      body: await submitAuthorization(deps, { paymentId: params.id, ...body }, { now: deps.clock.now(), audit }),
    }),
  };
}
