// The known state of a payer's wallet and of the steps of a subscription: what the page shows, what the wallet and the
// chain said, and this browser's note of what is in progress. This file only answers questions; agreement.js acts.
// See decision checkout/the-page-talks-to-wallets.
import { unitsText } from './calls.js';
import { oneCharge } from './payer.js';
import { say } from './words.js';

/**
 * @typedef {import('./wallets.js').Wallet} Wallet
 * @typedef {{ kind: 'reset' | 'allow' | 'agree' | 'revoke', hash: string, since: number, before: string }} Pending
 * @typedef {{
 *   wallet?: string,
 *   pending?: Pending,
 *   left?: string,
 *   signed?: { mandate: string, signature: string },
 *   unable?: { mandate: string, wallet: string },
 * }} Note `unable`: this wallet can't sign this mandate
 */

const main = () => /** @type {HTMLElement} */ (document.getElementById('main'));

/** The known state of the wallet and of the steps. */
export const state = {
  /** @type {Map<string, Wallet>} */
  wallets: new Map(),
  /** @type {Wallet | null} */
  wallet: null,
  /** @type {string[]} */
  accounts: [],
  chain: 0,
  /** @type {import('./payer.js').Facts | null} */
  facts: null,
  /** @type {Record<string, any>} the contract's PublicSubscription, as the page shows it */
  subscription: {},
  /** What the wallet is being asked; empty when nothing. */
  busy: '',
  /** What went wrong, as a sentence. */
  trouble: '',
  /** The payer's revocation is on the chain, but the page doesn't show it yet. */
  ended: false,
  /** @type {Note} */
  note: {},
};

// ── The note ─────────────────────────────────────────────────────────────────────────────────────────────────────────

const onPage = () => JSON.parse(main().dataset.subscription ?? '{}');
const noteName = () => `kasi ${state.subscription.id}`;

/** Reads what this browser remembers of the subscription. */
export function recall() {
  state.subscription = onPage();
  try {
    state.note = JSON.parse(localStorage.getItem(noteName()) ?? '{}');
  } catch {} // The page also works without storage.
}

/** @param {Note} change */
export function remember(change) {
  state.note = { ...state.note, ...change };
  try {
    localStorage.setItem(noteName(), JSON.stringify(state.note));
  } catch {}
}

/** Forgets the pending transaction. */
export const forgetPending = () => remember({ pending: undefined });

// ── Questions ────────────────────────────────────────────────────────────────────────────────────────────────────────

/** Reads what the page shows now. */
export function reread() {
  state.ended = false;
  state.subscription = onPage();
  const { mandateStatus, typedData } = state.subscription;
  const kind = state.note.pending?.kind;
  // The wallet may have sent the transaction under another hash.
  if ((kind === 'revoke' && mandateStatus === 'revoked') || (kind === 'agree' && typedData === null)) forgetPending();
}

const same = (/** @type {string} */ a, /** @type {string} */ b) => a.toLowerCase() === b.toLowerCase();
export const networkName = () => main().dataset.network ?? '';
export const pageState = () => main().dataset.state ?? '';
export const mandateUrl = () => main().dataset.mandateUrl ?? '';
/** The sandbox's description of its network; undefined outside the sandbox. */
export const sandboxUrl = () => main().dataset.sandboxUrl;
export const short = (/** @type {string} */ address) => `${address.slice(0, 8)}…${address.slice(-6)}`;
export const inTokens = (/** @type {bigint} */ units) =>
  unitsText(units, state.subscription.tokenDecimals, state.subscription.token);
export const hasAccount = () => state.accounts.some((account) => same(account, state.subscription.walletAddress));
export const isAllowed = () => state.facts !== null && state.facts.allowance >= oneCharge(state.subscription);
export const isOnNetwork = () => state.chain === state.subscription.chainId;
/** A signature that the service hasn't accepted yet; undefined when there is none that could help. */
export function signature() {
  const { agreeBy, mandate } = state.subscription;
  const { signed } = state.note;
  return agreeBy === 'signature' && signed?.mandate === mandate.id ? signed?.signature : undefined;
}
/** What the collector may take already, or could before the allowance was set to zero. */
export const left = () => (state.facts?.allowance ? state.facts.allowance : BigInt(state.note.left ?? 0));

/** Whether a transaction is pending on the network that the wallet is on. */
export const isWaiting = () => state.note.pending !== undefined && hasAccount() && isOnNetwork();

/** Whether the page asks for the agreement. */
export const isToAgree = () => main().dataset.sign !== undefined;
/** Whether the chain already has the agreement that the page asks for. */
export const hasAgreed = () => isToAgree() && state.facts?.isAuthorized === true;
/** Whether every step is done and only the page doesn't show it yet. */
export const isComplete = () => hasAgreed() && isAllowed();
/** Whether the page asks for an allowance, or the next charge would fail without one. */
export const isToAllow = () =>
  main().dataset.allow !== undefined ||
  (state.facts !== null &&
    !isAllowed() &&
    state.subscription.merchantCollects &&
    ['submitted', 'done'].includes(pageState()));
/** Whether a charge waits for money in the wallet. */
export const isToRefill = () => main().dataset.refill !== undefined;

/** Whether the current or last used wallet has said that it can't sign the mandate. */
export function canNotSign() {
  const { unable, wallet } = state.note;
  return unable?.mandate === state.subscription.mandate.id && unable?.wallet === (state.wallet?.id ?? wallet);
}
/**
 * Whether the payer agrees by a transaction: the chain has refused a signature, or the wallet can't give one.
 * See decision checkout/agree-by-a-transaction.
 */
export const isByTransaction = () =>
  isToAgree() && (state.subscription.agreeBy === 'transaction' || (canNotSign() && !signature()));

/** Says which account the wallet shows and which one is needed. */
export const wrongAccount = () =>
  say('agree.wrong_account', {
    shown: short(state.accounts[0] ?? ''),
    wanted: short(state.subscription.walletAddress),
  });
