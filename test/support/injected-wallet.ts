import type { Page } from 'playwright-core';
import { createWalletClient, type Hex, http, type LocalAccount } from 'viem';
import { foundry } from 'viem/chains';

type Refusal = { readonly code: number; readonly message: string };
type Request = { readonly method: string; readonly params?: readonly unknown[] };

/** A wallet as an extension injects it into pages (EIP-1193, EIP-6963), with real keys and a real chain. */
export type InjectedWallet = {
  readonly injectInto: (page: Page) => Promise<void>;
  /** The methods that needed its owner's consent, in order; others are left out. */
  readonly asked: string[];
  /** Refuses the next request of this method like this, or a later one, after so many that it answers. */
  readonly refuse: (method: string, refusal: Refusal, after?: number) => void;
  /** Selects another account; the page is notified. */
  readonly use: (account: LocalAccount) => Promise<void>;
  /** Selects another network; the page is notified. */
  readonly move: (chainId: number) => Promise<void>;
  /** Does something once before the next request of this method is answered: meanwhile its owner acts. */
  readonly during: (method: string, act: () => Promise<unknown>) => void;
  /** The networks on which it has sent, in order. */
  readonly sentOn: number[];
};

export type WalletOptions = {
  readonly rpcUrl: string;
  readonly account: LocalAccount;
  /** Its current chain; it knows no other until one is added. */
  readonly chainId?: number;
  readonly name?: string;
  /** Sets `window.ethereum` instead of announcing itself. */
  readonly old?: boolean;
};

type State = {
  account: LocalAccount;
  chainId: number;
  connected: boolean;
  readonly rpcUrl: string;
  readonly known: Set<number>;
  readonly tell: (event: string, value: unknown) => Promise<unknown>;
};

const SILENT = /^(eth_accounts|eth_chainId|eth_call|eth_getBalance|eth_getTransactionReceipt)$/;

export function createInjectedWallet(options: WalletOptions): InjectedWallet {
  const { rpcUrl, account, chainId = foundry.id, name = 'Test Wallet', old = false } = options;
  const refusals = new Map<string, { readonly refusal: Refusal; after: number }>();
  const asked: string[] = [];
  const acts = new Map<string, () => Promise<unknown>>();
  const sentOn: number[] = [];
  const binding = `wallet${Math.random().toString(36).slice(2)}`;
  let page: Page | undefined;
  const tell = async (event: string, value: unknown): Promise<unknown> =>
    page?.evaluate(`window.${binding}Tell(${JSON.stringify(event)}, ${JSON.stringify(value)})`);
  const state: State = { rpcUrl, account, chainId, connected: false, known: new Set([chainId]), tell };

  async function request(input: Request): Promise<{ result: unknown } | { error: Refusal }> {
    if (!SILENT.test(input.method)) asked.push(input.method);
    const waiting = refusals.get(input.method);
    if (waiting && waiting.after-- === 0) {
      refusals.delete(input.method);
      return { error: waiting.refusal };
    }
    try {
      const act = acts.get(input.method);
      acts.delete(input.method);
      await act?.();
      const result = await answer(state, input);
      if (input.method === 'eth_sendTransaction') sentOn.push(state.chainId);
      return { result };
    } catch (error) {
      const { code = -32603, message } = error as Partial<Refusal> & Error;
      return { error: { code, message } };
    }
  }

  return {
    asked,
    sentOn,
    move: (next) => leaveFor(state, next),
    during: (method, act) => void acts.set(method, act),
    refuse: (method, refusal, after = 0) => void refusals.set(method, { refusal, after }),
    use: async (another) => {
      state.account = another;
      await tell('accountsChanged', accountsOf(state));
    },
    injectInto: async (target) => {
      page = target;
      await target.exposeFunction(binding, request);
      await target.addInitScript(`(${IN_PAGE})(${JSON.stringify({ binding, name, old })})`);
    },
  };
}

const accountsOf = ({ connected, account }: State): string[] => (connected ? [account.address.toLowerCase()] : []);

async function answer(state: State, { method, params = [] }: Request): Promise<unknown> {
  switch (method) {
    case 'eth_accounts':
      return accountsOf(state);
    case 'eth_requestAccounts':
      state.connected = true;
      return accountsOf(state);
    case 'eth_chainId':
      return `0x${state.chainId.toString(16)}`;
    case 'wallet_switchEthereumChain':
      return moveTo(state, Number((params[0] as { chainId: string }).chainId));
    case 'wallet_addEthereumChain':
      state.known.add(Number((params[0] as { chainId: string }).chainId));
      return null;
    case 'personal_sign':
      return state.account.signMessage({ message: { raw: params[0] as Hex } });
    case 'eth_signTypedData_v4':
      return state.account.signTypedData(JSON.parse(params[1] as string));
    case 'eth_sendTransaction': {
      const { to, data, value = '0x0', chainId } = params[0] as { to: Hex; data?: Hex; value?: Hex; chainId?: Hex };
      // As wallets do: one that names its network is sent nowhere else.
      if (chainId !== undefined && Number(chainId) !== state.chainId) throw new Error('The chain id does not match.');
      const sender = createWalletClient({ account: state.account, transport: http(state.rpcUrl) });
      // The network of its node, whose number it asks for.
      return sender.sendTransaction({ chain: null, to, ...(data ? { data } : {}), value: BigInt(value) });
    }
    default:
      return forward(state.rpcUrl, method, params);
  }
}

async function moveTo(state: State, chainId: number): Promise<null> {
  if (!state.known.has(chainId)) throw Object.assign(new Error('Unrecognized chain ID.'), { code: 4902 });
  await leaveFor(state, chainId);
  return null;
}

async function leaveFor(state: State, chainId: number): Promise<void> {
  state.known.add(chainId);
  state.chainId = chainId;
  await state.tell('chainChanged', `0x${chainId.toString(16)}`);
}

async function forward(url: string, method: string, params: readonly unknown[]): Promise<unknown> {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
  const response = await fetch(url, { method: 'POST', headers: { 'content-type': 'application/json' }, body });
  const { result, error } = (await response.json()) as { result?: unknown; error?: Refusal };
  if (error) throw Object.assign(new Error(error.message), { code: error.code });
  return result;
}

/** Runs in the page before its own scripts, as an extension's script does. */
const IN_PAGE = `({ binding, name, old }) => {
  const listeners = [];
  const provider = {
    request: async (request) => {
      const { result, error } = await window[binding](request);
      if (error) throw Object.assign(new Error(error.message), { code: error.code });
      return result;
    },
    on: (event, listener) => listeners.push([event, listener]),
  };
  window[binding + 'Tell'] = (event, value) => listeners.forEach(([of, listener]) => of === event && listener(value));
  if (old) return void (window.ethereum = provider);
  const icon = 'data:image/svg+xml,<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 8 8"><circle cx="4" cy="4" r="4"/></svg>';
  const info = { uuid: binding, name, icon, rdns: 'example.' + name.replace(/ /g, '') };
  const announce = () => dispatchEvent(new CustomEvent('eip6963:announceProvider', { detail: Object.freeze({ info, provider }) }));
  addEventListener('eip6963:requestProvider', announce);
  announce();
}`;
