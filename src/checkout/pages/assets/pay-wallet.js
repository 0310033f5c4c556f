// Pays with a wallet in this browser: connects it, moves it to the payment's network, checks its balance, and asks it
// for the transfer. The server renders what is asked; the page itself follows what arrives.
// See decision checkout/one-transfer-at-a-time.
import { balanceCall, transferCall, unitsOf, unitsText } from './calls.js';
import { announce, onShown } from './checkout.js';
import { coinOf } from './networks.js';
import { failureOf, paySigned, readSigned } from './pay-signed.js';
import {
  explain,
  findWallets,
  isDeclined,
  listWallets,
  Said,
  switchNetwork,
  walletButton,
  wentThrough,
} from './wallets.js';
import { say } from './words.js';

/**
 * @typedef {import('./wallets.js').Provider} Provider
 * @typedef {import('./wallets.js').Wallet} Wallet
 * @typedef {{ wallet: string, since: number, seen: string, hash?: string, others?: string[], signedBy?: string }} Note
 *   what this browser's wallet was asked for: `seen` are the transfers that the page knew then, `others` the hashes of
 *   those that other tabs have sent before. `signedBy`: this account signed a transfer
 *   that the service sends. With neither that nor `hash`, the wallet has not answered.
 */

const WATCH_MS = 4000;
/** After this long a wallet may have replaced its transaction, or dropped it. */
const PATIENCE_MS = 90_000;
/** So long an unanswered question may still be open in a wallet. */
const UNANSWERED_MS = 10 * 60_000;

/** @type {Map<string, Wallet>} */
const wallets = new Map();
let busy = '';
let trouble = '';
let spoken = '';

/** @param {string} id */
const byId = (id) => document.getElementById(id);
/** What the server asks for; null while nothing can be paid by these wallets. */
const asked = () => byId('pay-wallet')?.dataset ?? null;
const place = () => ({ network: asked()?.network ?? '', chainId: Number(asked()?.chainId) });
/** The transfers that the page shows, as their hashes on one line. */
const shownTransfers = () =>
  [...document.querySelectorAll('.transfers [data-copy]')]
    .map((each) => /** @type {HTMLElement} */ (each).dataset.copy)
    .join(' ');

// ── The note ─────────────────────────────────────────────────────────────────────────────────────────────────────────
// It survives a reload, so that nobody pays twice who comes back while a transfer is on its way.

const noteName = () => `kasi ${byId('main')?.dataset.payment}`;

/** @returns {Note | null} */
function note() {
  try {
    return JSON.parse(localStorage.getItem(noteName()) ?? 'null');
  } catch {
    return null;
  }
}

/** @param {Note | null} next */
function remember(next) {
  try {
    if (next) localStorage.setItem(noteName(), JSON.stringify(next));
    else localStorage.removeItem(noteName());
  } catch {
    // Private windows may forbid it. Then only a reload forgets.
  }
}

/** @param {Note | null} noted */
const isAnswered = (noted) => Boolean(noted?.hash || noted?.signedBy);

/** The transfers that are on their way, the newest last. @param {Note | null} noted */
const hashesOf = (noted) => [...(noted?.others ?? []), ...(noted?.hash ? [noted.hash] : [])];

/** Forgets what the page shows by now, and questions that no wallet can still hold open. */
function tidy() {
  const noted = note();
  if (!noted) return;
  const isOver = !isAnswered(noted) && Date.now() - noted.since > UNANSWERED_MS;
  if (isOver || noted.seen !== shownTransfers()) remember(null);
}

// ── Words ────────────────────────────────────────────────────────────────────────────────────────────────────────────

/** What the payer should know. */
function hint() {
  const noted = note();
  if (busy) return busy;
  if (!noted) return '';
  if (noted.signedBy) return say('pay.signed');
  if (!noted.hash) return say('pay.asked_already');
  return asked() && Date.now() - noted.since > PATIENCE_MS ? say('pay.not_taken') : say('pay.sent');
}

const missing = (/** @type {bigint} */ balance, /** @type {bigint} */ units) => {
  const { decimals, token = '' } = asked() ?? {};
  const text = (/** @type {bigint} */ amount) => unitsText(amount, Number(decimals), token);
  return say('pay.missing', {
    balance: text(balance),
    network: place().network,
    missing: text(units - balance),
  });
};
const noFee = () => {
  const { network, chainId } = place();
  return say('pay.no_fee', { coin: coinOf(chainId), network });
};

// ── Paying ───────────────────────────────────────────────────────────────────────────────────────────────────────────

/** @param {Wallet} wallet */
async function pay(wallet) {
  const before = asked();
  if (busy !== '' || !before || isAnswered(note())) return;
  const wanted = { ...before };
  trouble = '';
  try {
    const answer = await transfer(wallet, wanted);
    // Both tabs may have asked before either had an answer, and the payer agreed to both: both are money.
    const [earlier, others] = [note(), hashesOf(note())];
    const signed = earlier?.signedBy ? { signedBy: earlier.signedBy } : {};
    remember({ wallet: wallet.id, since: Date.now(), seen: shownTransfers(), others, ...signed, ...answer });
  } catch (error) {
    // Any other failure of a wallet may have come after it had sent the transfer, and another tab may have sent one.
    if (isDeclined(error) && !isAnswered(note())) remember(null);
    trouble = explain(error, place());
  }
  busy = '';
  render();
}

/**
 * Resolves with the hash of the transaction, or with the account that has signed one for the service to send. Throws
 * the wallet's errors, and sentences for the payer.
 * @param {Wallet} wallet @param {DOMStringMap} wanted what the page asked for when the payer pressed the button
 * @returns {Promise<{ hash: string } | { signedBy: string }>}
 */
async function transfer({ id, name, provider }, wanted) {
  tell(say('pay.look', { wallet: name }));
  const [from] = await provider.request({ method: 'eth_requestAccounts' });
  if (!from) throw new Said(say('pay.no_account'));
  await arrive(provider, wanted);
  const units = BigInt(wanted.units ?? '');
  const hasCoin = await requireFunds(provider, from, wanted, units);
  if (!hasCoin) {
    const { network, chainId } = place();
    const page = { tell, wallet: name, place: { network, coin: coinOf(chainId) } };
    if (!(await paySigned(provider, from, wanted, page))) throw new Said(noFee());
    return { signedBy: from };
  }
  // Its owner may have gone to another network since: there the same transfer is money lost.
  await requireNetwork(provider, wanted);
  const now = asked();
  if (!now || now.units !== wanted.units || now.to !== wanted.to || now.contract !== wanted.contract) {
    throw new Said(say('pay.changed'));
  }
  if (isAnswered(note())) throw new Said(say('pay.asked_already')); // Another tab was faster.
  remember({ wallet: id, since: Date.now(), seen: shownTransfers() });
  const chainId = `0x${Number(wanted.chainId).toString(16)}`;
  const sending = wanted.contract
    ? { to: wanted.contract, data: transferCall(wanted.to ?? '', units) }
    : { to: wanted.to, value: `0x${units.toString(16)}` };
  return { hash: await provider.request({ method: 'eth_sendTransaction', params: [{ from, ...sending, chainId }] }) };
}

/** @param {Provider} provider @param {DOMStringMap} wanted */
const isThere = async (provider, { chainId }) =>
  Number(await provider.request({ method: 'eth_chainId' })) === Number(chainId);

/** @param {Provider} provider @param {DOMStringMap} wanted */
async function requireNetwork(provider, wanted) {
  if (!(await isThere(provider, wanted))) throw new Said(say('pay.choose_network', { network: wanted.network ?? '' }));
}

/** Moves the wallet to the payment's network. @param {Provider} provider @param {DOMStringMap} wanted */
async function arrive(provider, wanted) {
  if (await isThere(provider, wanted)) return;
  await switchNetwork(provider, Number(wanted.chainId), wanted.sandboxUrl);
  await requireNetwork(provider, wanted);
}

/**
 * Throws what is missing. False: it has none of the coin that the network's fee is paid in.
 * @param {Provider} provider @param {string} from @param {DOMStringMap} wanted @param {bigint} units
 */
async function requireFunds(provider, from, { contract }, units) {
  const coin = unitsOf(await provider.request({ method: 'eth_getBalance', params: [from, 'latest'] }));
  if (!contract) {
    if (coin < units) throw new Said(missing(coin, units));
    return true;
  }
  const call = { to: contract, data: balanceCall(from) };
  const balance = unitsOf(await provider.request({ method: 'eth_call', params: [call, 'latest'] }));
  if (balance < units) throw new Said(missing(balance, units));
  return coin > 0n;
}

/** Looks what became of the transfer that is on its way. */
async function follow() {
  const noted = note();
  if (noted?.signedBy) return followSigned(noted, noted.signedBy);
  const provider = noted?.hash && byId('sent') ? wallets.get(noted.wallet)?.provider : undefined;
  if (!noted?.hash || !provider || document.hidden) return;
  const through = await wentThrough(provider, noted.hash);
  if (through !== false || note()?.hash !== noted.hash) return;
  if (!keepOnly(noted, noted.others ?? [])) trouble = say('pay.refused');
  render();
}

/** Goes on with the transfers that are still on their way, if any. @param {Note} noted @param {string[]} hashes */
function keepOnly({ signedBy: _, ...noted }, hashes) {
  const hash = hashes.at(-1);
  remember(hash === undefined ? null : { ...noted, hash, others: hashes.slice(0, -1) });
  return hash !== undefined;
}

/** Looks what became of the signature that the service has. @param {Note} noted @param {string} payer */
async function followSigned(noted, payer) {
  const url = asked()?.authorizationsUrl;
  const signed = url && !document.hidden ? await readSigned(url, payer) : null;
  if (!signed || note()?.signedBy !== payer) return;
  trouble = failureOf(signed, Date.now() - noted.since);
  const { transactionHash: hash } = signed;
  const others = hashesOf(noted).filter((each) => each !== hash);
  if (trouble !== '') keepOnly(noted, others);
  else if (hash) remember({ ...noted, others, hash });
  render();
}

// ── Rendering ────────────────────────────────────────────────────────────────────────────────────────────────────────

function render() {
  tidy();
  const area = byId('pay-wallet') ?? byId('pay-sent');
  if (!area) return;
  const noted = note();
  const none = wallets.size === 0;
  area.hidden = asked() ? none && !noted : hashesOf(noted).length === 0;
  hide('apps', !none);
  hide('sent', hashesOf(noted).length === 0);
  hide('wallets', isAnswered(noted) || none);
  hide('anew', !noted?.hash || Boolean(noted.signedBy) || Date.now() - noted.since <= PATIENCE_MS);
  write('sent-hash', hashesOf(noted).join(' '));
  write('hint', hint());
  write('trouble', trouble);
  showButtons();
  if (hint() !== '' && hint() !== spoken) announce(hint());
  spoken = hint();
}

function showButtons() {
  const list = byId('wallets');
  if (!list) return;
  listWallets(list, wallets, (wallet) => walletButton(wallet, say('pay.with', { wallet: wallet.name })));
  for (const button of list.children) button.ariaDisabled = String(busy !== '');
}

/** @param {string} words */
function tell(words) {
  busy = words;
  render();
}

/** @param {string} id @param {boolean} yes */
function hide(id, yes) {
  const element = byId(id);
  if (element) element.hidden = yes;
}

/** Writes a text; an element without any is hidden. @param {string} id @param {string} words */
function write(id, words) {
  const element = byId(id);
  if (!element) return;
  element.hidden = words === '';
  if (element.textContent !== words) element.textContent = words;
}

document.addEventListener('click', (event) => {
  const button = event.target instanceof Element ? event.target.closest('button') : null;
  if (!button || button.ariaDisabled === 'true') return;
  const wallet = button.dataset.wallet === undefined ? undefined : wallets.get(button.dataset.wallet);
  if (wallet) pay(wallet);
  if (button.id === 'pay-anew') {
    remember(null);
    render();
  }
});
addEventListener('storage', render); // Another tab has paid.
onShown(() => {
  if (busy === '') trouble = '';
  render();
});
setInterval(() => {
  render();
  follow();
}, WATCH_MS);
findWallets(wallets, render);
render();
