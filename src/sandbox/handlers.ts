import type { components } from '../../generated/api.ts';
import { after, DAY_MS, SECOND_MS } from '../lib/clock.ts';
import { parseDateTime } from '../lib/dates.ts';
import { AppError, invalidField } from '../lib/errors.ts';
import type { HandlersOf } from '../ports/operation.ts';
import { sandboxReplace } from './bitcoin-pay.ts';
import { readOffset } from './clock.ts';
import { authorizeInSandbox, readSubscription, revokeInSandbox, subscribeInSandbox } from './customers.ts';
import { sandboxPay } from './pay.ts';
import { sandboxPayOut } from './payout.ts';
import { presentBitcoin, presentHead, presentNetwork, presentWallet } from './present.ts';
import { sandboxPayRefund } from './refund-payout.ts';
import type { Sandbox } from './sandbox.ts';
import { waitUntilQuiet } from './sync.ts';
import { findTestChain, listTestChains, type TestChain } from './test-chain.ts';
import { changeSandboxWallet, createSandboxWallet } from './wallets.ts';

type Schemas = components['schemas'];

export type SandboxOperation =
  | 'getSandbox'
  | 'paySandboxPayment'
  | 'replaceSandboxTransfer'
  | 'paySandboxWithdrawal'
  | 'paySandboxRefund'
  | 'createSandboxWallet'
  | 'updateSandboxWallet'
  | 'subscribeSandboxCustomer'
  | 'authorizeSandboxSubscription'
  | 'revokeSandboxMandate'
  | 'mineSandboxBlocks'
  | 'reorgSandboxChain'
  | 'getSandboxClock'
  | 'advanceSandboxClock';

const ADVANCE_MAX_MS = 3660 * DAY_MS;

/** The operations of the tag `sandbox`. */
export function sandboxHandlers(sandbox: Sandbox): HandlersOf<SandboxOperation> {
  const { network, walk } = sandbox;
  const chains = listTestChains(sandbox);
  return {
    getSandbox: async () => ({ status: 200, body: presentSandbox(sandbox) }),
    paySandboxPayment: async ({ principal, params, body }) => {
      const request = { ...body, paymentId: params.id, merchantId: principal.merchantId };
      return { status: 200, body: await sandboxPay(sandbox, request) };
    },
    replaceSandboxTransfer: async ({ principal, params, body }) => {
      const request = { ...body, paymentId: params.id, merchantId: principal.merchantId };
      return { status: 200, body: await sandboxReplace(sandbox, request) };
    },
    paySandboxWithdrawal: async ({ principal, params, body }) => {
      const request = { ...body, withdrawalId: params.id, merchantId: principal.merchantId };
      return { status: 200, body: await sandboxPayOut(sandbox, request) };
    },
    paySandboxRefund: async ({ principal, params, body }) => {
      const request = { ...body, refundId: params.id, merchantId: principal.merchantId };
      return { status: 200, body: await sandboxPayRefund(sandbox, request) };
    },
    createSandboxWallet: async ({ body }) => {
      const wallet = await createSandboxWallet(sandbox, body?.amount);
      return { status: 201, body: presentWallet(network, wallet) };
    },
    updateSandboxWallet: async ({ params, body }) => {
      return { status: 200, body: await changeSandboxWallet(sandbox, { ...body, address: params.address }) };
    },
    ...customerHandlers(sandbox),
    mineSandboxBlocks: async ({ body }) => {
      const chain = findTestChain(chains, body.network);
      await chain.mine(body.blocks);
      return { status: 200, body: await settledHead(sandbox, chain) };
    },
    reorgSandboxChain: async ({ body }) => {
      const chain = findTestChain(chains, body.network);
      await chain.reorg(body.depth, body.keepTransactions ?? true);
      return { status: 200, body: await settledHead(sandbox, chain) };
    },
    getSandboxClock: async () => ({ status: 200, body: await presentClock(sandbox) }),
    advanceSandboxClock: async ({ body, now, signal }) => {
      await walk(parseTarget(body, now), signal());
      return { status: 200, body: await presentClock(sandbox) };
    },
  };
}

function customerHandlers(
  sandbox: Sandbox,
): HandlersOf<'subscribeSandboxCustomer' | 'authorizeSandboxSubscription' | 'revokeSandboxMandate'> {
  return {
    subscribeSandboxCustomer: async ({ params, body, ...caller }) => {
      return { status: 200, body: await subscribeInSandbox(sandbox, params.id, body ?? {}, caller) };
    },
    authorizeSandboxSubscription: async ({ principal, params, ...moment }) => {
      const ref = { subscriptionId: params.id, merchantId: principal.merchantId };
      await authorizeInSandbox(sandbox, ref, moment);
      return { status: 200, body: await readSubscription(sandbox, ref) };
    },
    revokeSandboxMandate: async ({ principal, params }) => {
      const ref = { subscriptionId: params.id, merchantId: principal.merchantId };
      await revokeInSandbox(sandbox, ref);
      return { status: 200, body: await readSubscription(sandbox, ref) };
    },
  };
}

const absent = async (): Promise<never> => {
  throw new AppError('NOT_FOUND', 'There is no such path.');
};

/** The sandbox's operations where there is no sandbox. */
export const absentSandbox: HandlersOf<SandboxOperation> = {
  getSandbox: absent,
  paySandboxPayment: absent,
  replaceSandboxTransfer: absent,
  paySandboxWithdrawal: absent,
  paySandboxRefund: absent,
  createSandboxWallet: absent,
  updateSandboxWallet: absent,
  subscribeSandboxCustomer: absent,
  authorizeSandboxSubscription: absent,
  revokeSandboxMandate: absent,
  mineSandboxBlocks: absent,
  reorgSandboxChain: absent,
  getSandboxClock: absent,
  advanceSandboxClock: absent,
};

/** The head, once the service has processed the chain up to it. */
async function settledHead(sandbox: Sandbox, chain: TestChain): Promise<Schemas['SandboxChainHead']> {
  const head = await chain.readHead();
  const isBitcoin = chain.name === sandbox.bitcoin?.network.name;
  await waitUntilQuiet(sandbox, { ...chain, ...(isBitcoin && { since: sandbox.clock.now() }) });
  return presentHead(chain.name, head);
}

function presentSandbox(sandbox: Sandbox): Schemas['SandboxInfo'] {
  const { network, bitcoin, settings, mnemonic, missing = [] } = sandbox;
  const networks = [presentNetwork(network, settings), ...(bitcoin ? [presentBitcoin(bitcoin.network, settings)] : [])];
  return { networks, missing: [...missing], mnemonic };
}

async function presentClock({ db, clock }: Sandbox): Promise<Schemas['SandboxClock']> {
  const offsetMs = await readOffset(db);
  return { now: clock.now().toISOString(), offsetMs };
}

function parseTarget(body: Schemas['AdvanceSandboxClockRequest'], now: Date): Date {
  if (body.seconds !== undefined) return after(now, body.seconds * SECOND_MS);
  const to = parseDateTime(body.to ?? '');
  if (!to) throw invalidField('to', 'must be a date-time that exists, like 2026-06-30T18:00:00Z');
  if (to < now)
    throw invalidField(
      'to',
      `must not be before ${now.toISOString()}, the time that it is: the clock only goes forward`,
    );
  if (to > after(now, ADVANCE_MAX_MS)) throw invalidField('to', 'must be at most ten years ahead');
  return to;
}
