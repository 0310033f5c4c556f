// Shows a payer the progress of a subscription's steps and handles the buttons. The server renders every state; this
// script only fills in what the wallet knows. wallet-state.js holds that, agreement.js acts on it.
import { again, begin, connect, nextAction, resume, run, select, stop } from './agreement.js';
import { announce, onShown, refresh } from './checkout.js';
import { coinOf } from './networks.js';
import { oneCharge } from './payer.js';
import {
  canNotSign,
  forgetPending,
  hasAccount,
  hasAgreed,
  inTokens,
  isAllowed,
  isByTransaction,
  isComplete,
  isOnNetwork,
  isToAllow,
  isWaiting,
  left,
  networkName,
  pageState,
  reread,
  short,
  signature,
  state,
  wrongAccount,
} from './wallet-state.js';
import { findWallets, listWallets, walletButton } from './wallets.js';
import { say } from './words.js';

const SECOND_MS = 1000;
/** For this long the page is refetched every second, after an action that the server will see. */
const HURRY_SECONDS = 60;
/** After this long the wallet may have replaced or dropped a transaction. */
const PATIENCE_MS = 30_000;
const PROGRESS = { later: '', now: say('agree.now'), busy: say('agree.in_progress'), done: say('agree.finished') };

/** @param {string} id */
const byId = (id) => document.getElementById(id);
let lastSpoken = '';

// ── Words ────────────────────────────────────────────────────────────────────────────────────────────────────────────

/** What keeps the payer from continuing. */
function problem() {
  const { trouble, wallet, accounts } = state;
  if (trouble || !wallet || accounts.length === 0) return trouble;
  if (!hasAccount()) return wrongAccount();
  return isOnNetwork() || !isToAllow() ? '' : say('agree.other_network', { network: networkName() });
}

/** What the payer should know before the next step. */
function hint() {
  const { facts, note, subscription } = state;
  if (state.ended || isComplete()) return say('agree.has_it');
  if (note.pending) return say(isLate() ? 'agree.late' : 'agree.sent');
  if (state.wallets.size > 1 && state.accounts.length === 0) return say('agree.choose_wallet');
  if (!facts) return '';
  const { allowance, balance, coin, mustReset } = facts;
  const need = oneCharge(subscription);
  if (pageState() === 'past_due' && balance < need) {
    return say('agree.holds_missing', { balance: inTokens(balance), missing: inTokens(need - balance) });
  }
  if (!nextAction()) return '';
  if (coin === 0n && (!isAllowed() || isByTransaction())) {
    return say('agree.no_fee', { coin: coinOf(subscription.chainId), network: networkName() });
  }
  if (mustReset) {
    return say('agree.reset', { amount: inTokens(allowance), token: subscription.token });
  }
  if (!isAllowed() && isToAllow() && pageState() === 'done') {
    return say('agree.allows_only', { amount: inTokens(allowance) });
  }
  if (!isAllowed() && left() > 0n) return say('agree.besides', { amount: inTokens(left()) });
  if (isAllowed() && isByTransaction() && canNotSign()) {
    return `${say('agree.can_not_sign')} ${say('agree.by_transaction')}`;
  }
  if (isAllowed() && allowance < BigInt(subscription.allowance.recommended)) {
    const [amount, count] = [inTokens(allowance), allowance / need];
    return count === 1n
      ? say('agree.enough_for_one', { amount })
      : say('agree.enough_for', { amount, count: String(count) });
  }
  return balance < need ? say('agree.have_there', { balance: inTokens(balance), amount: inTokens(need) }) : '';
}

const isLate = () => state.note.pending !== undefined && Date.now() - state.note.pending.since > PATIENCE_MS;

/** The progress of each step. @returns {Record<string, keyof typeof PROGRESS>} */
function progress() {
  const { facts, note } = state;
  if (pageState() === 'submitted') return { allow: isToAllow() ? 'now' : 'done', sign: 'done', confirm: 'busy' };
  const pending = note.pending?.kind;
  const allowing = pending === 'reset' || pending === 'allow';
  const allow = allowing ? 'busy' : isAllowed() ? 'done' : facts ? 'now' : 'later';
  const ready = allow !== 'done' ? 'later' : signature() ? 'done' : 'now';
  const sign = hasAgreed() ? 'done' : pending === 'agree' ? 'busy' : ready;
  return { allow, sign, confirm: sign === 'done' ? 'busy' : 'later' };
}

// ── Rendering ────────────────────────────────────────────────────────────────────────────────────────────────────────

function render() {
  const { wallets, wallet, accounts, subscription } = state;
  const none = wallets.size === 0;
  hide('wallet-area', none);
  hide('no-wallet', !none);
  closeElsewhere(none);
  hide('stop', none);
  showWay();
  for (const [step, how] of Object.entries(progress())) showStep(step, how);
  const account = hasAccount() ? subscription.walletAddress : accounts[0];
  hide('connected', !wallet || !account);
  tell('wallet-name', wallet?.name ?? '');
  tell('wallet-account', short(account ?? ''));
  tell('trouble', problem());
  tell('hint', hint());
  showWallets();
  showButtons();
  speak();
}

/** Shows the text for the way this payer agrees, and why it is a transaction. */
function showWay() {
  const way = isByTransaction() ? 'transaction' : 'signature';
  for (const words of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll('[data-way]'))) {
    words.hidden = words.dataset.way !== way;
  }
  if (way === 'transaction' && canNotSign() && state.subscription.agreeBy === 'signature')
    tell('why', say('agree.can_not_sign'));
}

/** Collapses the section about other devices once, when there is a wallet in this browser. @param {boolean} none */
function closeElsewhere(none) {
  const elsewhere = /** @type {HTMLDetailsElement | null} */ (byId('elsewhere'));
  if (!elsewhere || none || 'seen' in elsewhere.dataset) return;
  elsewhere.dataset.seen = '';
  elsewhere.open = false;
}

/** @param {string} id @param {boolean} yes */
function hide(id, yes) {
  const element = byId(id);
  if (element) element.hidden = yes;
}

/** Shows a text, or hides the element when the text is empty. @param {string} id @param {string} words */
function tell(id, words) {
  const element = byId(id);
  if (!element) return;
  element.hidden = words === '';
  if (element.textContent !== words) element.textContent = words;
}

/** @param {string} step @param {keyof typeof PROGRESS} how */
function showStep(step, how) {
  const element = byId(`step-${step}`);
  if (!element) return;
  element.dataset.progress = how;
  const label = element.querySelector('.progress');
  if (label) label.textContent = PROGRESS[how];
  element.ariaCurrent = how === 'now' ? 'step' : null;
}

function showWallets() {
  const { wallets, accounts } = state;
  const list = byId('wallets');
  if (!list) return;
  list.hidden = wallets.size < 2 || accounts.length > 0;
  listWallets(list, wallets, (wallet) => walletButton(wallet));
}

function showButtons() {
  const { busy, ended } = state;
  const waiting = isWaiting() ? say('agree.waiting') : isComplete() ? say('agree.moment') : '';
  tell('act', busy || waiting || (nextAction()?.label ?? ''));
  for (const id of ['act', 'stop']) byId(id)?.setAttribute('aria-disabled', String(ended || (busy || waiting) !== ''));
  hide('other', !isLate());
}

/** Announces changes to screen readers. */
function speak() {
  if (state.busy || !state.wallet) return;
  const next = isWaiting() ? '' : nextAction()?.label;
  const words = [hint(), next ? say('agree.next', { step: next }) : ''].filter(Boolean).join(' ');
  if (words !== '' && words !== lastSpoken) announce(words);
  lastSpoken = words;
}

// ── Buttons ──────────────────────────────────────────────────────────────────────────────────────────────────────────

document.addEventListener('click', (event) => {
  const button = event.target instanceof Element ? event.target.closest('button') : null;
  if (!button || button.ariaDisabled === 'true') return;
  const dialog = /** @type {HTMLDialogElement | null} */ (byId('stop-dialog'));
  if (button.id.startsWith('stop-')) dialog?.close();
  if (button.id === 'stop') {
    dialog?.showModal();
    byId('stop-no')?.focus();
  }
  if (button.id === 'stop-yes') run(stop);
  if (button.id === 'act') {
    const action = nextAction();
    if (action) run(action.run);
  }
  if (button.id === 'act-other') {
    forgetPending();
    again();
  }
  if (button.dataset.wallet !== undefined) {
    select(state.wallets.get(button.dataset.wallet));
    run(connect);
  }
});

// ── Polling ──────────────────────────────────────────────────────────────────────────────────────────────────────────

let quietSeconds = 0;
let hurrySeconds = 0;

setInterval(() => {
  const every = hurrySeconds > 0 ? 1 : Number(byId('main')?.dataset.followSeconds ?? Number.POSITIVE_INFINITY);
  quietSeconds += 1;
  hurrySeconds -= 1;
  if (document.hidden || quietSeconds < every) return;
  quietSeconds = 0;
  refresh();
}, SECOND_MS);

onShown(() => {
  hurrySeconds = 0;
  reread();
  render();
  if (state.wallet) again();
});
begin(render, () => {
  hurrySeconds = HURRY_SECONDS;
});
hide('no-wallet', false);
findWallets(state.wallets, resume);
document.documentElement.classList.add('proves');
