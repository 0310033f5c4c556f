// Leads a payer through the steps with a wallet in this browser: the next step, its execution and its outcome. Progress
// survives a reload: it is read from the chain, from what the server shows, and from a note in this browser of what is
// in progress in between.
import { refresh } from './checkout.js';
import { approve, authorize, oneCharge, readFacts, revoke, sign, submit, wanted } from './payer.js';
import {
  hasAccount,
  hasAgreed,
  inTokens,
  isAllowed,
  isByTransaction,
  isComplete,
  isOnNetwork,
  isToAgree,
  isToAllow,
  isToRefill,
  isWaiting,
  left,
  mandateUrl,
  networkName,
  recall,
  remember,
  reread,
  sandboxUrl,
  short,
  signature,
  state,
  wrongAccount,
} from './wallet-state.js';
import { explain, isUnsupported, Said, switchNetwork, wentThrough } from './wallets.js';
import { say } from './words.js';

/**
 * @typedef {import('./wallet-state.js').Note} Note
 * @typedef {import('./wallet-state.js').Pending} Pending
 * @typedef {import('./wallets.js').Wallet} Wallet
 * @typedef {{ run: () => Promise<void>, label: string }} Action
 */

const POLL_MS = 1000;

let render = () => {};
let expectNews = () => {};
let following = false;

/**
 * Begins. `draw` renders the state after each change; `news` is called when the chain has something that the server
 * will soon see.
 * @param {() => void} draw @param {() => void} news
 */
export function begin(draw, news) {
  [render, expectNews] = [draw, news];
  recall();
  reread();
}

// ── Actions ──────────────────────────────────────────────────────────────────────────────────────────────────────────

/** The next action with the wallet; null when there is none. @returns {Action | null} */
export function nextAction() {
  const { wallet, wallets, accounts, facts } = state;
  if (isToRefill() && wallets.size === 1 && accounts.length === 0) {
    return { run: connect, label: say('agree.see_missing') };
  }
  if (!isToAllow() || isComplete() || (isAllowed() && !isToAgree())) return null;
  if (!wallet && wallets.size !== 1) return null;
  if (!wallet || accounts.length === 0) return { run: connect, label: say('agree.connect') };
  if (!hasAccount()) return { run: chooseAccount, label: say('agree.other_account') };
  if (!isOnNetwork()) return { run: changeNetwork, label: say('agree.switch', { network: networkName() }) };
  if (!facts) return state.trouble ? { run: readWallet, label: say('agree.try_again') } : null;
  if (facts.mustReset) return { run: reset, label: say('agree.zero') };
  if (!isAllowed())
    return { run: allow, label: say('agree.allow', { amount: inTokens(wanted(state.subscription, left())) }) };
  if (isByTransaction()) return { run: agreeByTransaction, label: say('agree.transaction') };
  return signature() ? { run: handIn, label: say('agree.send_signature') } : { run: agree, label: say('agree.sign') };
}

export async function connect() {
  if (!state.wallet) select([...state.wallets.values()][0]);
  await state.wallet?.provider.request({ method: 'eth_requestAccounts' });
  remember({ wallet: state.wallet?.id ?? '' });
  await readWallet();
}

async function chooseAccount() {
  const request = { method: 'wallet_requestPermissions', params: [{ eth_accounts: {} }] };
  await state.wallet?.provider.request(request).catch((error) => {
    // Some wallets let their owner change the account only in the wallet itself.
    throw isUnsupported(error) ? new Said(wrongAccount()) : error;
  });
}

async function changeNetwork() {
  if (state.wallet) await switchNetwork(state.wallet.provider, state.subscription.chainId, sandboxUrl());
}

/**
 * Connects the wallet with the right account and network, so that it can send and sign. Throws a sentence when it
 * can't.
 */
async function makeReady() {
  if (!state.wallet && state.wallets.size > 1) throw new Said(say('agree.choose_first'));
  if (!state.wallet || state.accounts.length === 0) await connect();
  if (!hasAccount()) throw new Said(wrongAccount());
  if (!isOnNetwork()) await changeNetwork();
  await readWallet();
  if (!state.wallet || !isOnNetwork()) throw new Said(say('agree.choose_network', { network: networkName() }));
  return state.wallet.provider;
}

const reset = () =>
  transact('reset', (provider) => approve(provider, state.subscription, 0n), { left: String(left()) });
const allow = () =>
  transact('allow', (provider) => approve(provider, state.subscription, wanted(state.subscription, left())));
const agreeByTransaction = () => transact('agree', (provider) => authorize(provider, state.subscription));
/** Revokes the mandate on the chain. */
export const stop = () => transact('revoke', (provider) => revoke(provider, state.subscription));

/**
 * @param {Pending['kind']} kind @param {(provider: import('./wallets.js').Provider) => Promise<string>} ask
 * @param {Note} [more]
 */
async function transact(kind, ask, more = {}) {
  const provider = await makeReady();
  const before = String(state.facts?.allowance ?? 0n);
  remember({ ...more, pending: { kind, hash: await ask(provider), since: Date.now(), before } });
}

async function agree() {
  const provider = await makeReady();
  const mandate = state.subscription.mandate.id;
  try {
    remember({ signed: { mandate, signature: await sign(provider, state.subscription) } });
  } catch (error) {
    if (!isUnsupported(error)) throw error;
    remember({ unable: { mandate, wallet: state.wallet?.id ?? '' } });
    return; // The page continues with a transaction.
  }
  await handIn();
}

/** Submits the remembered signature, and forgets it once it is accepted or refused. */
async function handIn() {
  state.busy = say('agree.sending');
  render();
  const payer = short(state.subscription.walletAddress);
  const taken = await submit(mandateUrl(), signature() ?? '0x', payer);
  remember({ signed: undefined });
  state.busy = '';
  await refresh();
  if (!taken) throw new Said(say('agree.no_signature_of', { payer }));
}

// ── Progress ─────────────────────────────────────────────────────────────────────────────────────────────────────────

/** Runs one action with the wallet at a time, and shows what went wrong. @param {() => Promise<void>} work */
export async function run(work) {
  if (state.busy || isWaiting()) return;
  Object.assign(state, { busy: say('agree.look'), trouble: '' });
  render();
  try {
    await work();
    await readWallet();
  } catch (error) {
    state.trouble = sentence(error);
    await readWallet().catch(() => {});
  }
  state.busy = '';
  render();
  follow();
}

const sentence = (/** @type {unknown} */ error) =>
  explain(error, { network: networkName(), chainId: state.subscription.chainId });

/** Waits for the pending transaction, also after a reload. */
async function follow() {
  if (following) return;
  following = true;
  while (state.wallet && state.note.pending && isWaiting()) {
    const { kind, hash, before } = state.note.pending;
    const through = await wentThrough(state.wallet.provider, hash);
    await readWallet().catch(() => {});
    if (through !== null || hasEffect(kind, before)) finishTransaction(kind, through ?? true);
    else await new Promise((resolve) => setTimeout(resolve, POLL_MS));
    render();
  }
  following = false;
}

/**
 * A transaction that the wallet has replaced has another hash but the same effect. @param {Pending['kind']} kind @param
 * {string} before
 */
function hasEffect(kind, before) {
  if (kind === 'agree') return hasAgreed();
  return kind !== 'revoke' && state.facts !== null && String(state.facts.allowance) !== before;
}

/** @param {Pending['kind']} kind @param {boolean} through */
function finishTransaction(kind, through) {
  remember({ pending: undefined, ...(kind === 'allow' && through ? { left: undefined } : {}) });
  if (!through) state.trouble = say('agree.refused');
  if (through && (kind === 'agree' || !isToAgree())) expectNews();
  if (through && kind === 'revoke') state.ended = true;
  if (through && kind === 'allow' && state.facts && !isAllowed()) {
    const need = inTokens(oneCharge(state.subscription));
    state.trouble = say('agree.allow_more', { amount: inTokens(state.facts.allowance), need });
  }
}

/** Reads the current state from the wallet and the chain. */
async function readWallet() {
  if (!state.wallet) return;
  const { provider } = state.wallet;
  state.accounts = await provider.request({ method: 'eth_accounts' });
  state.chain = Number(await provider.request({ method: 'eth_chainId' }));
  state.facts = hasAccount() && isOnNetwork() ? await readFacts(provider, state.subscription) : null;
}

/** Uses this wallet from now on, and reacts to changes in it. @param {Wallet | undefined} chosen */
export function select(chosen) {
  if (!chosen || state.wallet === chosen) return;
  state.wallet = chosen;
  for (const event of ['accountsChanged', 'chainChanged', 'connect', 'disconnect']) {
    chosen.provider.on?.(event, () => {
      if (state.wallet === chosen && !state.busy) again();
    });
  }
}

/** Reads the wallet again after a possible change, and continues with a pending transaction. */
export async function again() {
  state.trouble = '';
  try {
    await readWallet();
  } catch (error) {
    state.trouble = sentence(error);
  }
  render();
  follow();
}

/** Reconnects a wallet that was connected before, without asking it for anything. */
export async function resume() {
  const { wallets, note } = state;
  const known = wallets.get(note.wallet ?? '-') ?? (wallets.size === 1 ? [...wallets.values()][0] : undefined);
  render();
  if (!known || state.wallet) return;
  const [first] = await known.provider.request({ method: 'eth_accounts' }).catch(() => []);
  if (!first || state.wallet) return;
  select(known);
  await again();
  if (isToAgree() && isAllowed() && signature()) run(handIn);
}
