// Shows an operation by Redoc, with the others of its tag, where the static list of all operations was. Redoc is loaded
// when somebody first asks for an operation: it is a megabyte, and all operations at once are sixty thousand nodes.
import { mend, OPTIONS, theme } from './redoc-look.js';

const place = document.querySelector('#reference');
const menu = document.querySelector('#menu');
const { contract, redoc, other } = place.dataset;
const FORWARDED = 'kasi-forwarded';
let shown = null;

/** What the address asks for; nothing when somebody broke it on the way. */
function fragment() {
  try {
    return decodeURIComponent(location.hash.slice(1));
  } catch {
    return '';
  }
}

/** The link of the menu to what the address asks for. */
function wanted() {
  const hash = fragment();
  const [, id] = /operation\/([^/]+)/.exec(hash) ?? [];
  if (id) return { id, link: menu.querySelector(`[data-operation="${CSS.escape(id)}"]`) };
  const [, tag] = /^tag\/([^/]+)/.exec(hash) ?? [];
  // What has several chunks is found in the list, at its heading.
  return { link: tag ? menu.querySelector(`[data-chunk="${CSS.escape(tag)}"] a`) : null };
}

async function show() {
  const { id, link } = wanted();
  if (id && !link) return forward(id);
  sessionStorage.removeItem(FORWARDED);
  const chunk = link?.closest('details').dataset.chunk ?? null;
  if (shown !== null && chunk !== shown) {
    // Redoc can't be taken away again, and what it needs is in the cache now.
    if (chunk !== null || location.hash === '') location.reload();
    return;
  }
  if (!link) return;
  markCurrent(link);
  if (shown === null) {
    shown = chunk;
    await start(chunk);
  }
}

/** An operation that is not here may be in the other reference. */
function forward(id) {
  if (sessionStorage.getItem(FORWARDED) === id) return;
  sessionStorage.setItem(FORWARDED, id);
  location.replace(`${other}#operation/${id}`);
}

function markCurrent(link) {
  menu.querySelector('[aria-current]')?.removeAttribute('aria-current');
  link.setAttribute('aria-current', 'true');
  link.closest('details').open = true;
  document.title = `${link.textContent} · Kasi docs`;
}

async function start(chunk) {
  const list = place.firstElementChild;
  list.hidden = true;
  const status = Object.assign(document.createElement('p'), { role: 'status', textContent: 'Loading …' });
  const holder = Object.assign(document.createElement('div'), { id: 'redoc' });
  place.append(status, holder);
  const fail = () => {
    status.textContent = 'The interactive reference could not be loaded. Here is every operation as text.';
    list.hidden = false;
  };
  try {
    const [answer] = await Promise.all([fetch(contract), loadScript(redoc)]);
    const contractPart = partOf(await answer.json(), chunk);
    const isDark = matchMedia('(prefers-color-scheme: dark)').matches;
    mend(holder);
    window.Redoc.init(contractPart, { ...OPTIONS, theme: theme(isDark) }, holder, (error) => {
      if (error) return fail();
      status.remove();
      // Redoc looked for the place to show before there was one.
      dispatchEvent(new HashChangeEvent('hashchange'));
    });
  } catch {
    fail();
  }
}

function loadScript(src) {
  return new Promise((resolve, reject) => {
    const script = Object.assign(document.createElement('script'), { src, onload: resolve, onerror: reject });
    document.head.append(script);
  });
}

/** The contract with nothing but the operations that the menu lists together. */
function partOf(whole, chunk) {
  const list = menu.querySelector(`[data-chunk="${CSS.escape(chunk)}"]`);
  const ids = new Set([...list.querySelectorAll('[data-operation]')].map(({ dataset }) => dataset.operation));
  const [tag] = chunk.split(' ');
  const only = (section) =>
    Object.fromEntries(
      Object.entries(section ?? {}).flatMap(([path, item]) => {
        const kept = Object.entries(item).filter(([, { operationId }]) => ids.has(operationId));
        return kept.length === 0 ? [] : [[path, Object.fromEntries(kept)]];
      }),
    );
  return {
    ...whole,
    tags: whole.tags.filter(({ name }) => name === tag),
    paths: only(whole.paths),
    webhooks: only(whole.webhooks),
  };
}

for (const link of document.querySelectorAll('[data-operation]')) link.href = `#operation/${link.dataset.operation}`;
addEventListener('hashchange', show);
show();
