import { fund, WALLET } from '../support/withdrawals.ts';
import type { Probe, ProbeWorld } from './probe-world.ts';

const REQUEST = { amount: 250, method: 'crypto', destinationAddress: WALLET } as const;

/** A withdrawal of the owner, who has the money for it each time. */
async function withdrawal({ service, owner }: ProbeWorld) {
  await fund(service.db, owner.id, 25_000n);
  return owner.client.withdrawals.create(REQUEST);
}
const onWithdrawal =
  (suffix: string): Probe['request'] =>
  async (world) => ({ path: `/v1/withdrawals/${(await withdrawal(world)).id}${suffix}` });

/** One request for every operation on withdrawals. */
export const withdrawalProbes = {
  createWithdrawal: {
    request: async ({ service, owner }) => {
      await fund(service.db, owner.id, 25_000n);
      return { path: '/v1/withdrawals', body: REQUEST };
    },
    foreign: null,
  },
  listWithdrawals: { request: async () => ({ path: '/v1/withdrawals' }), foreign: null },
  quoteWithdrawal: {
    request: async () => ({ path: '/v1/withdrawals/quote?amount=250&method=crypto' }),
    foreign: null,
  },
  getWithdrawal: { request: onWithdrawal(''), foreign: 404 },
  cancelWithdrawal: { request: onWithdrawal('/cancel'), foreign: 404 },
  paySandboxWithdrawal: {
    request: async (world) => ({ path: `/v1/sandbox/withdrawals/${(await withdrawal(world)).id}/pay`, body: {} }),
    foreign: 404,
  },
} as const satisfies Readonly<Record<string, Probe>>;
