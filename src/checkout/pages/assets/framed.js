// A checkout in a frame of a shop's page: says what became of it to the element that shows it, and sends what must not
// be framed to windows of their own. It listens to nobody: what a shop's page says to it has no effect.
import { onShown } from './checkout.js';

/** Some wallets come late. */
const WALLET_MS = 1200;
const OVER = ['expired', 'cancelled', 'failed'];

const { embed: shop = '', base = '' } = document.documentElement.dataset;
const isFramed = parent !== window;
/** What the shop was told last, so that it hears nothing twice. */
let told = '';
let hasWallet = false;
let isLate = false;

const main = () => document.getElementById('main');

/** Browsers hand it to no page of another origin. @param {string} kasi @param {object} [more] */
function tell(kasi, more) {
  if (isFramed) parent.postMessage({ kasi, ...more }, shop);
}

/** What the shop may know of the payment. */
function facts() {
  const { payment, session, status } = main()?.dataset ?? {};
  return { paymentId: payment || null, sessionId: session || null, status: status || null };
}

function tellState() {
  const state = main()?.dataset.state ?? '';
  const type = state === 'paid' ? 'paid' : OVER.includes(state) ? 'expired' : '';
  const news = `${type} ${main()?.dataset.payment} ${main()?.dataset.status}`;
  if (type === '' || news === told) return;
  told = news;
  tell(type, facts());
}

/** Whether a page may be framed, as the others of a payment. @param {string} address */
function isOfPayment(address) {
  const { origin, pathname } = new URL(address);
  const path = pathname.slice(base === '/' ? 0 : base.length);
  return origin === location.origin && /^\/(pay|session|payment)\/[^/]+(\/(select|sandbox-pay))?$/.test(path);
}

/** What leads elsewhere opens in a window; only the way back to the shop leaves the frame. */
function openOutside() {
  for (const link of document.links) {
    if (link.target === '' && /^https?:$/.test(link.protocol) && !isOfPayment(link.href)) outside(link);
  }
  for (const form of document.forms) if (!isOfPayment(form.action)) outside(form);
}

/** @param {HTMLAnchorElement | HTMLAreaElement | HTMLFormElement} element */
function outside(element) {
  element.target = '_blank';
  element.rel = 'noopener';
}

/** Offers a window to who may have a wallet that does not reach into frames. */
function offerWindow() {
  const offer = document.getElementById('window');
  if (offer) offer.hidden = !isFramed || !isLate || hasWallet;
}

function shown() {
  if (isFramed) openOutside();
  offerWindow();
  tellState();
}

document.addEventListener('click', (event) => {
  const link = event.target instanceof Element ? event.target.closest('a') : null;
  if (!isFramed || link?.target !== '_top' || event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  tell('return', { ...facts(), url: link.href });
});
document.addEventListener('keydown', (event) => {
  if (event.key === 'Escape' && !event.defaultPrevented) tell('close');
});
addEventListener('eip6963:announceProvider', () => {
  hasWallet = true;
  offerWindow();
});
setTimeout(() => {
  hasWallet ||= 'ethereum' in window;
  isLate = true;
  offerWindow();
}, WALLET_MS);
dispatchEvent(new Event('eip6963:requestProvider'));
new ResizeObserver(() => tell('resize', { height: document.body.offsetHeight })).observe(document.body);
onShown(shown);
tell('ready', facts());
shown();
