// The search: a window with a field and its hits. Loaded when somebody first wants it, with the index.
import MiniSearch from 'minisearch';

const HITS_MAX = 25;
const SNIPPET = 150;
/** What people call things otherwise. */
const SYNONYMS = {
  underpayment: 'underpaid',
  overpayment: 'overpaid',
  partial: 'underpaid',
  signatures: 'signature',
  hmac: 'signature',
  btc: 'bitcoin',
  ethereum: 'eth',
  retry: 'repeat',
  retries: 'repeat',
  payout: 'withdrawal',
  chargeback: 'refund',
  '2fa': 'two-factor',
  mfa: 'two-factor',
  iframe: 'embed',
  widget: 'embed',
  pagination: 'paging',
  throttling: 'limits',
  changelog: 'changed',
  container: 'docker',
  podman: 'docker',
};
const FIELDS = ['heading', 'title', 'keywords', 'text', 'code', 'name'];
/** A guide comes before an operation, and an operation before the events that tell of it. */
const GUIDE = 1.6;
const EVENT = 0.5;
/** Most readers are merchants' developers. */
const FOR_OPERATORS = 0.5;

let made;

/** Opens the search, for what was `typed` while this was loaded; the index is at `address`. */
export async function openSearch(address, typed) {
  made ??= makeWindow(address);
  const { dialog, input } = made;
  if (!dialog.open) dialog.showModal();
  input.focus();
  if (typed === '') {
    input.select();
    return;
  }
  input.value = typed;
  show(made);
}

function element(name, properties, ...children) {
  const made = Object.assign(document.createElement(name), properties);
  made.append(...children);
  return made;
}

function makeWindow(address) {
  const input = element('input', {
    type: 'search',
    role: 'combobox',
    placeholder: 'Search guides and operations',
    ariaLabel: 'Search guides and operations',
    ariaExpanded: 'false',
    ariaAutoComplete: 'list',
    autocomplete: 'off',
    spellcheck: false,
    enterKeyHint: 'go',
  });
  input.setAttribute('aria-controls', 'hits');
  const list = element('div', { id: 'hits', role: 'listbox', ariaLabel: 'Hits' });
  const status = element('p', { className: 'status', role: 'status' });
  const close = element('button', { type: 'button', textContent: 'Close' });
  const form = element('form', { method: 'dialog', role: 'search' }, input, close);
  const dialog = element('dialog', { className: 'search', ariaLabel: 'Search' }, form, status, list);
  document.body.append(dialog);
  const parts = { dialog, input, list, status, index: load(address) };
  close.addEventListener('click', () => dialog.close());
  dialog.addEventListener('click', (event) => {
    if (event.target === dialog || event.target.closest?.('[role="option"]')) dialog.close();
  });
  form.addEventListener('submit', (event) => event.preventDefault());
  input.addEventListener('input', () => show(parts));
  input.addEventListener('keydown', (event) => steer(parts, event));
  show(parts);
  return parts;
}

async function load(address) {
  const answer = await fetch(address);
  if (!answer.ok) throw new Error(`the index answered ${answer.status}`);
  const entries = await answer.json();
  const index = new MiniSearch({
    fields: FIELDS,
    storeFields: ['address', 'title', 'heading', 'keywords', 'text', 'code', 'name', 'operators'],
    // `payment.completed` and `webhook-id` are found whole and by their parts.
    tokenize: (text) => text.split(/[^\p{L}\p{N}]+/u).filter(Boolean),
    processTerm: (term) => term.toLowerCase(),
  });
  index.addAll(
    entries.map(([address, title, heading, text, code, operators, keywords = ''], id) => {
      const [, name = ''] = address.split('#operation/');
      return { id, address, title, heading, keywords, text, code, name, operators };
    }),
  );
  return index;
}

/** A guide about what is sought comes before a sentence that mentions it. */
function find(index, query) {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  const asked = words.map((word) => SYNONYMS[word] ?? word).join(' ');
  const options = {
    boost: { heading: 3, title: 4, keywords: 4, code: 0.5 },
    prefix: (term) => term.length > 1,
    fuzzy: (term) => (term.length < 4 ? false : term.length < 8 ? 1 : 2),
    weights: { fuzzy: 0.2, prefix: 0.6 },
    boostDocument: (_id, _term, { address, heading, operators }) => {
      const kind = isPage(address) ? GUIDE : heading.startsWith('EVENT ') ? EVENT : 1;
      return operators === 1 ? kind * FOR_OPERATORS : kind;
    },
  };
  const all = index.search(asked, { ...options, combineWith: 'AND' });
  const hits = all.length > 0 ? all : index.search(asked, { ...options, combineWith: 'OR' });
  // What is called exactly so comes first: a page or what it is called otherwise, a path or an event, a section.
  const sought = query.toLowerCase();
  const isExact = (...names) => names.some((each) => each.toLowerCase() === sought);
  const rankOf = ({ title, heading, name, keywords }) => {
    if (isExact(...keywords.split(', '), heading === '' ? title : '')) return 0;
    return isExact(title, heading, name) ? 1 : 2;
  };
  return [0, 1, 2].flatMap((rank) => hits.filter((hit) => rankOf(hit) === rank));
}

/** A guide, or a part of the first page; everything else is an operation or an event. */
const isPage = (address) => address.startsWith('/docs/guides/') || address.startsWith('/docs#');

async function show({ input, list, status, index }) {
  const query = input.value.trim();
  let hits = [];
  try {
    const ready = await index;
    if (query !== input.value.trim()) return;
    hits = query === '' ? [] : find(ready, query);
    status.textContent = query === '' ? 'Type a few words, such as “webhook signature”.' : countOf(hits.length);
  } catch {
    status.textContent = 'The search could not be loaded. All pages are in the list at the foot of this page.';
  }
  list.replaceChildren(...hits.slice(0, HITS_MAX).map(option));
  input.ariaExpanded = String(hits.length > 0);
  choose(input, list, list.firstElementChild);
}

const countOf = (count) => (count === 0 ? 'Nothing is found.' : count === 1 ? 'One hit.' : `${count} hits.`);

function option({ id, address, title, heading, text, code, operators, terms }) {
  const isOperation = !isPage(address);
  const place = isOperation ? [code, heading].filter(Boolean).join(' · ') : heading === '' ? 'Guide' : title;
  return element(
    'a',
    { role: 'option', id: `hit-${id}`, href: address, tabIndex: -1, ariaSelected: 'false' },
    element('strong', {}, ...marked(isOperation || heading === '' ? title : heading, terms)),
    element('span', { className: 'place' }, ` · ${place}${operators === 1 ? ' · for operators' : ''}`),
    element('small', {}, ...marked(snippetOf(text, terms), terms)),
  );
}

const escaped = (term) => term.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&');
const patternOf = (terms) => new RegExp(`(${terms.map(escaped).join('|')})`, 'giu');

/** The part of a text around the first word that was sought. */
function snippetOf(text, terms) {
  const at = Math.max(text.search(patternOf(terms)), 0);
  const from = at < SNIPPET / 2 ? 0 : text.indexOf(' ', at - SNIPPET / 2) + 1;
  const isWhole = from + SNIPPET >= text.length;
  const part = isWhole ? text.slice(from) : text.slice(from, from + SNIPPET).replace(/\s\S*$/, '');
  return `${from > 0 ? '… ' : ''}${part}${isWhole ? '' : ' …'}`;
}

function marked(text, terms) {
  if (terms.length === 0) return [text];
  return text.split(patternOf(terms)).map((part, place) => (place % 2 === 1 ? element('mark', {}, part) : part));
}

function choose(input, list, chosen) {
  for (const each of list.children) each.ariaSelected = String(each === chosen);
  if (chosen) {
    input.setAttribute('aria-activedescendant', chosen.id);
    chosen.scrollIntoView({ block: 'nearest' });
  } else input.removeAttribute('aria-activedescendant');
}

function steer({ input, list, dialog }, event) {
  const chosen = list.querySelector('[aria-selected="true"]');
  const next = {
    ArrowDown: chosen?.nextElementSibling ?? list.firstElementChild,
    ArrowUp: chosen?.previousElementSibling ?? list.lastElementChild,
  }[event.key];
  if (next) {
    event.preventDefault();
    choose(input, list, next);
  } else if (event.key === 'Enter' && chosen) {
    event.preventDefault();
    dialog.close();
    chosen.click();
  }
}
