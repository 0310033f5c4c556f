// Makes the payment page live: follows the payment, counts down, and copies to the clipboard. The server renders every
// state; this script only refetches the page and replaces its content.
import { lookForWallets } from './wallet-loader.js';
import { say } from './words.js';

/** How often the script checks the stream, and refetches the page while there is none. */
const WATCH_MS = 5000;
/**
 * After this many checks without a message the page is refetched although the stream is open: a proxy may swallow
 * messages.
 */
const QUIET_CHECKS = 6;
const COPIED_MS = 2000;
/** After so long without an answer a connection counts as lost, and a form as stopped by its sender. */
export const LOST_MS = 20_000;
const SECOND_MS = 1000;
/** By as much the device's clock has been set, and has not only drifted. */
const CORRECTION_MS = 2000;
/** Remaining seconds that screen readers announce, by clock. @type {Record<string, Record<number, string>>} */
const SPOKEN_SECONDS = {
  clock: { 300: say('left_5'), 60: say('left_1') },
  'quote-clock': { 60: say('renewed_in_1') },
};
/** The elements whose texts are announced when they change. */
const NEWS = ['status', 'telling', 'notice', 'replaced'];

/** @param {string} id */
const byId = (id) => document.getElementById(id);
const main = () => /** @type {HTMLElement} */ (byId('main'));
/** Whether the page can change without the payer. */
const isFollowed = () => 'events' in main().dataset || 'followSeconds' in main().dataset;

/** Announces a text to screen readers. @param {string} text */
export function announce(text) {
  const announcer = byId('announcer');
  if (announcer) announcer.textContent = text;
}

// ── The state ────────────────────────────────────────────────────────────────────────────────────────────────────────

let fetching = false;
let fetchAgain = false;
/** How many choices of the payer were answered: a page that was fetched before the last one is older than it. */
let choices = 0;

/** @type {(() => void)[]} */
const listeners = [];

/** Calls `listener` whenever new content has replaced the old. @param {() => void} listener */
export const onShown = (listener) => void listeners.push(listener);

/** Refetches this page. Calls during a fetch are combined into one more fetch. */
export async function refresh() {
  fetchAgain = fetching;
  if (fetching) return;
  fetching = true;
  const before = choices;
  try {
    const { status, html } = await load(location.href, { cache: 'no-store' });
    if (status >= 500 || status === 429) throw new Error(String(status));
    if (before === choices) show(html);
    else fetchAgain = true;
  } catch {
    offline(true);
  } finally {
    fetching = false;
    if (fetchAgain) refresh();
  }
}

/** A page; throws when it does not come in time, because connections can be lost without a word. */
async function load(/** @type {string} */ url, /** @type {RequestInit} */ options) {
  const lost = new AbortController();
  const timer = setTimeout(() => lost.abort(), LOST_MS);
  try {
    const response = await fetch(url, { ...options, signal: lost.signal });
    return { status: response.status, html: await response.text() };
  } finally {
    clearTimeout(timer);
  }
}

/** Replaces the page's content with that of a freshly rendered page. @param {string} html */
function show(html) {
  offline(false);
  const fresh = new DOMParser().parseFromString(html, 'text/html');
  const next = fresh.getElementById('main');
  const old = main();
  if (!next) return;
  const zone = fresh.documentElement.dataset.zone ?? '';
  const isSameZone = zone === document.documentElement.dataset.zone;
  document.documentElement.dataset.zone = zone;
  const isSame = next.dataset.version === old.dataset.version && next.dataset.state === old.dataset.state;
  const isStill = !('version' in old.dataset);
  if (isSame && (isSameZone || isStill)) {
    if (!isSameZone) retell(old, next);
    setClocks(next);
    return;
  }
  const [before, amountBefore] = [wordsOf(NEWS), wordsOf(['send-amount'])];
  const focused = old.contains(document.activeElement) ? placeOf(document.activeElement) : undefined;
  if (next.dataset.state !== old.dataset.state) next.dataset.changed = '';
  document.title = fresh.title;
  old.replaceWith(next);
  for (const listener of listeners) listener();
  if (focused !== undefined) {
    const again = focused === '' ? null : document.querySelector(focused);
    (again?.getClientRects().length ? again : byId('status'))?.focus({ preventScroll: true });
  }
  const words = wordsOf(NEWS) === before ? [] : [wordsOf(NEWS)];
  const amount = wordsOf(['send-amount']);
  if (noteAmount()) words.push(asked.news);
  else if (amount !== '' && amount !== amountBefore) words.push(say('send_exactly', { amount }));
  if (words.length > 0) announce(words.join(' '));
  begin();
}

/** By what an element is found again in new content: its id, or the wallet that its button asks. */
function placeOf(/** @type {Element | null} */ element) {
  if (!(element instanceof HTMLElement)) return '';
  const { wallet } = element.dataset;
  if (element.id !== '') return `#${CSS.escape(element.id)}`;
  return wallet === undefined ? '' : `[data-wallet="${CSS.escape(wallet)}"]`;
}

/**
 * Says a page that does not change by itself once more, in another time zone: only its texts are replaced, because
 * somebody may have begun to fill it in, or to sign. What has other parts than the server's page was drawn by a script.
 * @param {Node} old @param {Node} next
 */
function retell(old, next) {
  if (old instanceof Text && next instanceof Text) {
    if (old.data !== next.data) old.data = next.data;
  } else if (old instanceof Element && next instanceof Element && old.id === next.id && old.id !== 'about') {
    const [parts, others] = [[...old.childNodes], [...next.childNodes]];
    if (parts.length !== others.length || parts.some(({ nodeName }, at) => nodeName !== others[at]?.nodeName)) return;
    for (const [at, other] of others.entries()) retell(/** @type {Node} */ (parts[at]), other);
  }
}

/** The texts of elements, on one line. @param {readonly string[]} ids */
const wordsOf = (ids) =>
  ids
    .map((id) => byId(id)?.textContent?.replace(/\s+/g, ' ').trim() ?? '')
    .filter((text) => text !== '')
    .join(' ');

/** What the page has asked for last, and what it says about a renewed amount. */
const asked = { what: '', amount: '', news: '' };

/**
 * Notes what the page asks for. Says so when the amount is another one only because the price has moved, until the page
 * asks for something else; returns whether it is.
 */
function noteAmount() {
  const what = main().dataset.asks ?? '';
  const amount = wordsOf(['send-amount']);
  const renewed = amount !== '' && what !== '' && what === asked.what && amount !== asked.amount;
  if (what !== asked.what) asked.news = '';
  if (renewed) {
    asked.news = say('renewed', { amount, before: asked.amount });
  }
  asked.what = what;
  if (amount !== '') asked.amount = amount;
  const note = byId('renewed');
  if (note) {
    note.hidden = asked.news === '';
    note.textContent = asked.news;
  }
  return renewed;
}

/** @param {boolean} yes */
function offline(yes) {
  const note = byId('offline');
  if (note) note.hidden = !yes;
}

// ── The stream ───────────────────────────────────────────────────────────────────────────────────────────────────────

/** @type {EventSource | undefined} */
let source;
let checks = 0;

/** Opens the stream while the state can change, and closes it when it can't any more. */
function follow() {
  const url = main().dataset.events;
  if (source && (!url || source.readyState === EventSource.CLOSED)) {
    source.close();
    source = undefined;
  }
  if (!url || source) return;
  source = new EventSource(url);
  source.addEventListener('payment', (event) => {
    checks = 0;
    if (versionOf(JSON.parse(event.data)) !== main().dataset.version) refresh();
  });
}

/**
 * The value of `data-version`, derived from a message of the stream. Must equal `versionOf` in payment-view.ts.
 * @param {Record<string, any>} payment the contract's PublicPayment
 */
function versionOf(payment) {
  const { status, reason, exception, token, network, tokenAmountDue, confirmations, transactions, expiresAt } = payment;
  /** @type {{ token: string, network: string, unavailable: boolean, quote: { expiresAt: string } | null }[]} */
  const options = payment.options;
  const chosen = options.find((option) => option.token === token && option.network === network);
  return [
    status,
    reason,
    exception,
    token,
    network,
    tokenAmountDue,
    confirmations.seen,
    transactions.length,
    transactions.filter((/** @type {{ block: number }} */ { block }) => block === 0).length,
    payment.replaced[0]?.hash,
    payment.amountRefunded,
    payment.refundOffer?.amount,
    payment.refundOffer?.token,
    payment.refundOffer?.isEstimate,
    options.map(({ unavailable }) => Number(unavailable)).join(''),
    payment.merchantCollects,
    chosen?.quote?.expiresAt,
    expiresAt,
  ].join(' ');
}

/** Checks the stream, and refetches the page while it is not open. */
function watch() {
  if (!main().dataset.events) return;
  checks += 1;
  const open = source?.readyState === EventSource.OPEN;
  const isLost = byId('offline')?.hidden === false;
  if (!open || isLost || checks % QUIET_CHECKS === 0) refresh();
  if (checks % QUIET_CHECKS === 0) follow();
}

// ── The clock ────────────────────────────────────────────────────────────────────────────────────────────────────────

/** When each clock of the page is at zero, by its id. @type {Map<string, number>} */
const deadlines = new Map();
/** The device's clock, less what has gone by since the page was opened: it moves when somebody corrects the clock. */
const opened = () => Date.now() - performance.now();
let openedAt = opened();

/** Takes the remaining times from the server, because the payer's clock may be wrong. @param {HTMLElement} page */
function setClocks(page) {
  for (const clock of /** @type {NodeListOf<HTMLElement>} */ (page.querySelectorAll('[data-left-ms]'))) {
    deadlines.set(clock.id, Date.now() + Number(clock.dataset.leftMs));
  }
}

function tick() {
  // Asked anew, because nothing here tells a corrected clock from a device that has slept.
  if (Math.abs(opened() - openedAt) > CORRECTION_MS) {
    openedAt = opened();
    if (isFollowed()) refresh();
  }
  for (const [id, deadlineMs] of deadlines) {
    const clock = byId(id);
    if (clock) tickOne(clock, Math.max(0, Math.ceil((deadlineMs - Date.now()) / SECOND_MS)));
  }
}

/** @param {HTMLElement} clock @param {number} seconds */
function tickOne(clock, seconds) {
  const text = clockText(seconds);
  if (text === clock.textContent) return;
  clock.textContent = text;
  if (clock.id === 'clock') clock.classList.toggle('urgent', seconds <= 120);
  const spoken = SPOKEN_SECONDS[clock.id]?.[seconds];
  if (spoken) announce(spoken);
  for (const part of clock.closest('#holds')?.querySelectorAll('span') ?? []) {
    part.hidden = part.className === 'still' ? seconds === 0 : seconds > 0;
  }
  if (seconds === 0) refresh();
}

/** The same as `clockText` in format.ts. @param {number} seconds */
function clockText(seconds) {
  const two = (/** @type {number} */ value) => String(Math.floor(value)).padStart(2, '0');
  const minutes = (seconds % 3600) / 60;
  return seconds >= 3600
    ? `${Math.floor(seconds / 3600)}:${two(minutes)}:${two(seconds % 60)}`
    : `${Math.floor(minutes)}:${two(seconds % 60)}`;
}

// ── Amounts ──────────────────────────────────────────────────────────────────────────────────────────────────────────

/** Shows about what an amount that a payer writes comes to in another currency. @param {string} written */
function showAbout(written) {
  const about = byId('about');
  if (!about) return;
  const { rate, currency = '' } = about.dataset;
  const amount = Number(written.trim().replace(',', '.')) * Number(rate);
  const money = new Intl.NumberFormat(document.documentElement.lang, {
    minimumFractionDigits: 2,
    maximumFractionDigits: 2,
  });
  about.textContent =
    amount > 0 && Number.isFinite(amount)
      ? say('about', { money: say('money', { currency, amount: money.format(amount) }) })
      : '';
}

// ── Buttons and forms ────────────────────────────────────────────────────────────────────────────────────────────────

/** @param {HTMLElement} button */
async function copy(button) {
  const { copy: text = '', copied = '' } = button.dataset;
  const done = await writeClipboard(text);
  announce(done ? copied : say('not_copied'));
  if (!done) return;
  button.classList.add('copied');
  setTimeout(() => button.classList.remove('copied'), COPIED_MS);
}

/** Uses the Clipboard API, or the older way where it is missing, as over plain http. @param {string} text */
async function writeClipboard(text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    const focused = /** @type {HTMLElement | null} */ (document.activeElement);
    const field = document.createElement('textarea');
    field.className = 'unseen';
    field.value = text;
    document.body.append(field);
    field.select();
    const done = document.execCommand('copy');
    field.remove();
    focused?.focus();
    return done;
  }
}

/**
 * Submits a form and shows the page that it leads to, without navigation.
 * @param {HTMLFormElement} form @param {HTMLElement | null} button
 */
async function send(form, button) {
  if (form.ariaBusy === 'true') return;
  form.ariaBusy = 'true';
  try {
    const body = new URLSearchParams();
    if (button instanceof HTMLButtonElement && button.name) body.set(button.name, button.value);
    const { status, html } = await load(form.action, { method: 'POST', body });
    if (status >= 400) throw new Error(String(status));
    choices += 1;
    show(html);
  } catch {
    announce(say('failed'));
    refresh();
  } finally {
    form.ariaBusy = 'false';
  }
}

document.addEventListener('click', (event) => {
  const button = event.target instanceof Element ? event.target.closest('button') : null;
  if (button?.dataset.copy) copy(button);
  if (button?.id === 'print') print();
});

document.addEventListener('input', ({ target }) => {
  if (target instanceof HTMLInputElement && target.id === 'amount') showAbout(target.value);
});

document.addEventListener('submit', (event) => {
  const form = /** @type {HTMLFormElement} */ (event.target);
  if ('inPlace' in form.dataset) {
    event.preventDefault();
    send(form, event.submitter);
  } else if (form.ariaBusy === 'true') {
    event.preventDefault(); // A second click starts no second payment.
  } else {
    form.ariaBusy = 'true';
    setTimeout(() => {
      form.ariaBusy = 'false'; // No event tells that its sender has stopped a page that did not come.
    }, LOST_MS);
  }
});

/** Tells the server the payer's time zone, once: it says times in words of the page's language. */
function noteZone() {
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
  const { dataset } = document.documentElement;
  if (!timeZone || timeZone === dataset.zone) return;
  const secure = location.protocol === 'https:' ? '; Secure' : '';
  // biome-ignore lint/suspicious/noDocumentCookie: browsers of the last years lack the Cookie Store API.
  document.cookie = `kasi_zone=${timeZone}; Path=${dataset.base}; Max-Age=31536000; SameSite=Lax${secure}`;
  refresh();
}

/** Starts the live parts of the shown content, after a load and after each replacement. */
function begin() {
  setClocks(main());
  tick();
  follow();
}

document.addEventListener('visibilitychange', () => {
  if (!document.hidden && isFollowed()) refresh();
});
addEventListener('online', () => {
  if (isFollowed()) refresh();
});
addEventListener('offline', () => offline(isFollowed()));
addEventListener('pagehide', () => {
  source?.close();
});
addEventListener('pageshow', (event) => {
  if (!event.persisted) return;
  for (const form of document.forms) form.ariaBusy = 'false';
  if (isFollowed()) refresh();
  follow();
});
noteZone();
setInterval(tick, 250);
setInterval(watch, WATCH_MS);
byId('print')?.removeAttribute('hidden');
noteAmount();
begin();
lookForWallets(main, onShown);
document.documentElement.classList.add('runs');
