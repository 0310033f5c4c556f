// Opens and closes the checkout of a <kasi-checkout>, and hears what its page says. See embed.js.
import { makeDialog } from './embed-dialog.js';

/** @typedef {Record<string, string | null>} Facts what is known of a payment */
/**
 * @typedef {ReturnType<typeof makeDialog> & {
 *   known: Facts, told: Set<string>, spoke: boolean, timer: number, end: () => void,
 * }} Showing `spoke`: whether the page that is in the frame has
 */

/** Filled in by embed-script.ts. @type {{ home: string, words: Record<string, string[]> }} */
const { home, words } = JSON.parse('{filled in}');
const LOST_MS = 15_000;
const SPEAKS_MS = 3000;
const NAMES = { session: 'session', payment: 'payment', link: 'pay' };

/** What each element shows. @type {WeakMap<HTMLElement, Showing>} */
const showings = new WeakMap();

/** The address of the page; empty while no attribute names one. @param {HTMLElement} element */
function urlOf(element) {
  for (const [name, path] of Object.entries(NAMES)) {
    const id = element.getAttribute(name);
    if (id) return `${home}/${path}/${encodeURIComponent(id)}`;
  }
  return '';
}

/** @param {HTMLElement} element */
export function openCheckout(element) {
  const url = urlOf(element);
  if (!url || showings.get(element)?.dialog.open) return;
  closeCheckout(element); // A dialog that was closed, and whose event has not come yet.
  const lang = element.closest('[lang]')?.getAttribute('lang')?.slice(0, 2) ?? '';
  // Cookies may be blocked in a frame: its address says what they would.
  const query = new URLSearchParams({ embed: location.origin });
  query.set('zone', Intl.DateTimeFormat().resolvedOptions().timeZone);
  if (words[lang]) query.set('lang', lang);
  const parts = makeDialog(words[lang] ?? words.en ?? [], url, `${url}?${query}`);
  const { dialog, frame, button } = parts;
  const hear = (/** @type {MessageEvent} */ event) => heard(element, showing, event);
  const close = () => {
    // The event of a dialog comes late: by then the next may be open.
    if (showings.get(element) === showing) closeCheckout(element);
  };
  const { style } = document.documentElement;
  const [focused, { overflow }] = [/** @type {any} */ (document.activeElement), style];
  const end = () => {
    removeEventListener('message', hear);
    style.overflow = overflow;
    focused?.focus();
  };
  /** @type {Showing} */
  const showing = { ...parts, known: {}, told: new Set(), spoke: false, timer: 0, end };
  showings.set(element, showing);
  frame.addEventListener('load', () => {
    // A page of ours has spoken by then. One that was refused, or says only what went wrong, has not.
    if (!showing.spoke) wait(showing, SPEAKS_MS);
    showing.spoke = false;
  });
  button.addEventListener('click', close);
  dialog.addEventListener('close', close);
  element.shadowRoot?.append(dialog);
  addEventListener('message', hear);
  style.overflow = 'hidden';
  dialog.showModal();
  wait(showing, LOST_MS);
}

/** Offers a window when the page does not speak in time. @param {Showing} showing @param {number} ms */
function wait(showing, ms) {
  clearTimeout(showing.timer);
  showing.timer = setTimeout(() => {
    showing.dialog.className = 'lost';
  }, ms);
}

/** @param {HTMLElement} element */
export function closeCheckout(element) {
  const showing = showings.get(element);
  if (!showing) return;
  showings.delete(element);
  clearTimeout(showing.timer);
  showing.dialog.close();
  showing.dialog.remove();
  showing.end();
  tell(element, showing, 'closed');
}

/**
 * Returns whether the shop lets happen what follows.
 * @param {HTMLElement} element @param {Showing} showing @param {string} type @param {object} [more]
 */
function tell(element, { known }, type, more) {
  const detail = { paymentId: null, sessionId: null, status: null, ...known, ...more };
  const options = { detail, bubbles: true, composed: true, cancelable: type === 'return' };
  return element.dispatchEvent(new CustomEvent(`kasi-${type}`, options));
}

/**
 * Hears only the frame, and only while it shows a page of the checkout's origin.
 * @param {HTMLElement} element @param {Showing} showing @param {MessageEvent} event
 */
function heard(element, showing, { source, origin, data }) {
  const { dialog, frame, known, told } = showing;
  if (source !== frame.contentWindow || origin !== new URL(home).origin || !data?.kasi) return;
  const { kasi: type, height, url } = data;
  if (type === 'resize' && height > 0) dialog.style.setProperty('--height', `${Math.round(height)}px`);
  for (const name of ['paymentId', 'sessionId', 'status'])
    if (name in data) known[name] = typeof data[name] === 'string' ? data[name] : null;
  if (type === 'ready') {
    showing.spoke = true;
    clearTimeout(showing.timer);
    const isFirst = dialog.className === 'load';
    dialog.className = ''; // What is hidden takes no focus.
    if (isFirst) frame.focus();
    tell(element, showing, type);
  }
  // A page that was loaded again says the same again.
  const news = `${type} ${known.paymentId}`;
  if (['paid', 'expired'].includes(type) && !told.has(news)) {
    told.add(news);
    tell(element, showing, type);
  }
  if (type === 'close') closeCheckout(element);
  if (type === 'return' && /^https?:/.test(url)) {
    const goes = tell(element, showing, type, { url });
    closeCheckout(element);
    if (goes) location.assign(url);
  }
}
