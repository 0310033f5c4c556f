// Proves a wallet: asks the service for a text, the wallet for its signature, and sends both with a form. Every form
// with `data-purpose` gets a button for each wallet in this browser.
import { announce, LOST_MS } from './checkout.js';
import { explain, findWallets, listWallets, Said, walletButton } from './wallets.js';
import { say } from './words.js';

/** @typedef {import('./wallets.js').Provider} Provider */

/** @type {Map<string, import('./wallets.js').Wallet>} */
const wallets = new Map();
/**
 * Keeps the buttons of wallets from a second press while one is at work: until `free`, until a page that was sent for
 * does not come, or until the browser shows this page again as it was. @param {string} selector
 */
export function createWait(selector) {
  let busy = false;
  const wait = (/** @type {boolean} */ yes) => {
    busy = yes;
    for (const button of document.querySelectorAll(selector)) button.setAttribute('aria-disabled', String(yes));
  };
  addEventListener('pageshow', ({ persisted }) => {
    if (persisted) wait(false); // The browser shows the page as it was when its form was sent.
  });
  return {
    isBusy: () => busy,
    /**
     * A wallet's button.
     * @param {import('./wallets.js').Wallet} wallet @param {string} words @param {() => void} press
     */
    button: (wallet, words, press) => {
      const button = walletButton(wallet, words);
      button.setAttribute('aria-disabled', String(busy));
      button.addEventListener('click', press);
      return button;
    },
    begin: () => wait(true),
    free: () => wait(false),
    submit: (/** @type {HTMLFormElement} */ form) => {
      form.submit();
      setTimeout(() => wait(false), LOST_MS); // Its sender may have stopped a page that did not come.
    },
  };
}

const proving = createWait('[data-wallets] button');

/** The text's UTF-8 bytes in hexadecimal, as wallets take it. @param {string} text */
const hexOf = (text) =>
  `0x${[...new TextEncoder().encode(text)].map((byte) => byte.toString(16).padStart(2, '0')).join('')}`;

/**
 * A wallet's signature of a text. @param {Provider} provider @param {string} message @param {string} account
 * @returns {Promise<string>}
 */
export async function signText(provider, message, account) {
  const signature = await provider.request({ method: 'personal_sign', params: [hexOf(message), account] });
  if (!/^0x([0-9a-f]{2})+$/i.test(signature)) throw new Said(say('refund.no_signature'));
  return signature;
}

/**
 * The account to prove: the one that the form wants, else the wallet's first.
 * @param {Provider} provider @param {string | undefined} wanted
 */
async function accountOf(provider, wanted) {
  /** @type {string[]} */
  const accounts = await provider.request({ method: 'eth_requestAccounts' });
  const own = wanted ? accounts.find((each) => each.toLowerCase() === wanted.toLowerCase()) : accounts[0];
  if (own) return own;
  throw new Said(say('proof.choose_account', { address: wanted ?? '' }));
}

/** Asks the service for a text. @param {DOMStringMap} about @param {string} walletAddress */
async function challenge({ challengeUrl = '', purpose, plan, subscription }, walletAddress) {
  const body = JSON.stringify({ purpose, walletAddress, planId: plan, subscriptionId: subscription });
  const request = { method: 'POST', headers: { 'content-type': 'application/json' }, body };
  const answer = await fetch(challengeUrl, request).catch(() => null);
  if (answer?.ok) return answer.json();
  throw new Said(say(answer && answer.status !== 429 && answer.status < 500 ? 'proof.refused' : 'proof.unreachable'));
}

/** @param {HTMLFormElement} form @param {string} text */
function tell(form, text) {
  const trouble = /** @type {HTMLElement | null} */ (form.querySelector('[data-trouble]'));
  if (!trouble) return;
  trouble.hidden = text === '';
  trouble.textContent = text;
}

/** @param {HTMLFormElement} form @param {import('./wallets.js').Wallet} wallet */
async function prove(form, { provider }) {
  if (proving.isBusy() || !form.reportValidity()) return;
  proving.begin();
  tell(form, '');
  announce(say('refund.look'));
  try {
    const account = await accountOf(provider, form.dataset.account);
    const { id, message } = await challenge(form.dataset, account);
    fill(form, 'challengeId', id);
    fill(form, 'signature', await signText(provider, message, account));
    proving.submit(form);
  } catch (error) {
    const { network = '', chainId } = form.dataset;
    tell(form, explain(error, { network, chainId: Number(chainId) }));
    proving.free();
  }
}

/** @param {HTMLFormElement} form @param {string} name @param {string} value */
const fill = (form, name, value) => {
  /** @type {HTMLInputElement} */ (form.elements.namedItem(name)).value = value;
};

/** What a button does with a wallet. @param {string | undefined} purpose @param {string} wallet */
function label(purpose, wallet) {
  if (purpose === 'subscribe') return say('proof.subscribe_with', { wallet });
  return purpose === 'cancel' ? say('proof.cancel_with', { wallet }) : say('proof.show_with', { wallet });
}

function show() {
  for (const id of ['no-wallet', 'elsewhere']) document.getElementById(id)?.toggleAttribute('hidden', wallets.size > 0);
  for (const form of /** @type {NodeListOf<HTMLFormElement>} */ (document.querySelectorAll('form[data-purpose]'))) {
    const list = /** @type {HTMLElement | null} */ (form.querySelector('[data-wallets]'));
    if (!list) continue;
    list.hidden = wallets.size === 0;
    listWallets(list, wallets, (wallet) =>
      proving.button(wallet, label(form.dataset.purpose, wallet.name), () => prove(form, wallet)),
    );
  }
}

if (document.querySelector('form[data-purpose]')) {
  show();
  findWallets(wallets, show);
}
document.documentElement.classList.add('proves');
