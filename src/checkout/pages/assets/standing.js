// What is known of a payer and the steps of a subscription: what the page shows, what the wallet and the chain said, and the note in
// this browser of what is on its way. Only questions stand here; what is done stands in agreement.js.
import { unitsText } from './calls.js';
import { oneCharge } from './payer.js';

/**
 * @typedef {import('./wallets.js').Wallet} Wallet
 * @typedef {{ kind: 'reset' | 'allow' | 'agree' | 'revoke', hash: string, since: number, before: string }} Pending
 * @typedef {{
 *   wallet?: string,
 *   pending?: Pending,
 *   left?: string,
 *   signed?: { mandate: string, signature: string },
 *   unable?: { mandate: string, wallet: string },
 * }} Note `unable`: this wallet does not know how to sign this mandate
 */

const main = () => /** @type {HTMLElement} */ (document.getElementById('main'));

/** What is known of the wallet and of the steps. */
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
  /** What the wallet is being asked, empty when nothing. */
  busy: '',
  /** What went wrong, as a sentence. */
  trouble: '',
  /** The payer's revocation is on the chain, and the page does not show it yet. */
  ended: false,
  /** @type {Note} */
  note: {},
};

// ── The note ─────────────────────────────────────────────────────────────────────────────────────────────────────────────

const onPage = () => JSON.parse(main().dataset.subscription ?? '{}');
const noteName = () => `kasi ${state.subscription.id}`;

/** Takes up what this browser remembers of the subscription. */
export function recall() {
  state.subscription = onPage();
  try {
    state.note = JSON.parse(localStorage.getItem(noteName()) ?? '{}');
  } catch {} // A browser that keeps nothing still shows the page.
}

/** @param {Note} change */
export function remember(change) {
  state.note = { ...state.note, ...change };
  try {
    localStorage.setItem(noteName(), JSON.stringify(state.note));
  } catch {}
}

/** Forgets the transaction that was on its way. */
export const forgetPending = () => remember({ pending: undefined });

// ── Questions ────────────────────────────────────────────────────────────────────────────────────────────────────────────

/** Takes over what the page shows now. */
export function reread() {
  state.ended = false;
  state.subscription = onPage();
  const { mandateStatus, typedData } = state.subscription;
  const kind = state.note.pending?.kind;
  // Its wallet may have sent it under another hash.
  if ((kind === 'revoke' && mandateStatus === 'revoked') || (kind === 'agree' && typedData === null)) forgetPending();
}

const same = (/** @type {string} */ a, /** @type {string} */ b) => a.toLowerCase() === b.toLowerCase();
export const networkName = () => main().dataset.network ?? '';
export const pageState = () => main().dataset.state ?? '';
export const mandateUrl = () => main().dataset.mandateUrl ?? '';
/** Where the sandbox tells of its network; undefined elsewhere. */
export const sandboxUrl = () => main().dataset.sandboxUrl;
export const short = (/** @type {string} */ address) => `${address.slice(0, 8)}…${address.slice(-6)}`;
export const inTokens = (/** @type {bigint} */ units) =>
  unitsText(units, state.subscription.tokenDecimals, state.subscription.token);
export const hasAccount = () => state.accounts.some((account) => same(account, state.subscription.walletAddress));
export const isAllowed = () => state.facts !== null && state.facts.allowance >= oneCharge(state.subscription);
export const isOnNetwork = () => state.chain === state.subscription.chainId;
/** The signature that was given and not taken yet; undefined where none is of use. */
export function signature() {
  const { agreeBy, mandate } = state.subscription;
  const { signed } = state.note;
  return agreeBy === 'signature' && signed?.mandate === mandate.id ? signed?.signature : undefined;
}
/** What the collector may take already, or could before that was set to zero. */
export const left = () => (state.facts?.allowance ? state.facts.allowance : BigInt(state.note.left ?? 0));

/** Whether a transaction is on its way, on the network that the wallet is on. */
export const isWaiting = () => state.note.pending !== undefined && hasAccount() && isOnNetwork();

/** Whether the page asks for the agreement. */
export const isToAgree = () => main().dataset.sign !== undefined;
/** Whether the chain has the agreement that the page still asks for. */
export const hasAgreed = () => isToAgree() && state.facts?.stands === true;
/** Whether nothing is left but that the page shows the agreement. */
export const isSettled = () => hasAgreed() && isAllowed();
/** The page asks for the allowance, or the wallet shows that the next charge would fail for it. */
export const isToAllow = () =>
  main().dataset.allow !== undefined ||
  (state.facts !== null && !isAllowed() && ['submitted', 'done'].includes(pageState()));
/** Whether a charge waits for money in the wallet. */
export const isToRefill = () => main().dataset.refill !== undefined;

/** Whether the wallet in use, or last in use, has said that it does not know how to sign what the page asks for. */
export function canNotSign() {
  const { unable, wallet } = state.note;
  return unable?.mandate === state.subscription.mandate.id && unable?.wallet === (state.wallet?.id ?? wallet);
}
/** Whether the agreement is given by a transaction: the chain has refused a signature, or the wallet can give none. */
export const isByTransaction = () =>
  isToAgree() && (state.subscription.agreeBy === 'transaction' || (canNotSign() && !signature()));

/** Which account is shown and which is wanted. */
export const wrongAccount = () =>
  `Your wallet shows ${short(state.accounts[0] ?? '')}, but ${short(state.subscription.walletAddress)} pays for this. Choose that account in your wallet.`;
