import { fund, newHash, WALLET } from '../support/withdrawals.ts';
import type { Probe, ProbeWorld } from './probe-world.ts';

const REQUEST = { amount: 250, method: 'crypto', destinationAddress: WALLET } as const;

/** A withdrawal of the owner, funded each time. */
async function withdrawal({ service, owner }: ProbeWorld) {
  await fund(service.db, owner.id, 25_000n);
  return owner.client.withdrawals.create(REQUEST);
}
const onWithdrawal =
  (suffix: string): Probe['request'] =>
  async (world) => ({ path: `/v1/withdrawals/${(await withdrawal(world)).id}${suffix}` });

/** What an administrator does to a pending or approved withdrawal. */
const decision =
  (from: 'pending' | 'approved' | 'processing', verb: string, body: () => object): Probe['request'] =>
  async (world) => {
    const { id } = await withdrawal(world);
    if (from !== 'pending') await world.admin.client.withdrawals.approve(id, {});
    if (from === 'processing') await world.admin.client.withdrawals.process(id, {});
    return { path: `/v1/admin/withdrawals/${id}/${verb}`, body: body() };
  };

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
  adminListWithdrawals: { request: async () => ({ path: '/v1/admin/withdrawals' }), foreign: null },
  adminGetWithdrawal: {
    request: async (world) => ({ path: `/v1/admin/withdrawals/${(await withdrawal(world)).id}` }),
    foreign: null,
  },
  approveWithdrawal: { request: decision('pending', 'approve', () => ({ notes: 'Checked.' })), foreign: null },
  rejectWithdrawal: { request: decision('pending', 'reject', () => ({ reason: 'Not theirs.' })), foreign: null },
  processWithdrawal: { request: decision('approved', 'process', () => ({ notes: 'Begun.' })), foreign: null },
  askToFailWithdrawal: {
    request: decision('processing', 'fail-request', () => ({ notes: 'Nothing was signed.' })),
    foreign: null,
  },
  failWithdrawal: { request: decision('approved', 'fail', () => ({ reason: 'Sent back.' })), foreign: null },
  completeWithdrawal: { request: decision('approved', 'complete', () => ({ txHash: newHash() })), foreign: null },
} as const satisfies Readonly<Record<string, Probe>>;
