import type { Clock } from '../lib/clock.ts';
import type { HandlersOf } from '../ports/operation.ts';
import { readSignedTransfer, submitAuthorization } from './service.ts';
import { payByX402, type X402Deps } from './x402.ts';

export type RelayHandlerDeps = X402Deps & { readonly clock: Pick<Clock, 'now'> };

type Operations = 'getSignedTransfer' | 'submitAuthorization' | 'payByX402';

/** The operations of the tag `relays`. */
export function relayHandlers(deps: RelayHandlerDeps): HandlersOf<Operations> {
  return {
    getSignedTransfer: async ({ params, query }) => ({
      status: 200,
      body: await readSignedTransfer(deps, params.id, query, deps.clock.now()),
    }),
    submitAuthorization: async ({ params, body, audit }) => ({
      status: 200,
      body: await submitAuthorization(deps, { paymentId: params.id, ...body }, { now: deps.clock.now(), audit }),
    }),
    payByX402: async ({ params, headers, audit, signal }) =>
      payByX402(deps, {
        ...{ paymentId: params.id, header: headers['payment-signature'] },
        ...{ now: deps.clock.now(), audit, signal: signal() },
      }),
  };
}
