// What pages of the documentation gain by a script. Without it everything is there to be read.

/** What the address asks for on the page; nothing when somebody broke it on the way. */
function fragment() {
  try {
    return decodeURIComponent(location.hash.slice(1));
  } catch {
    return '';
  }
}

/** Addresses of the time when all guides stood on one page: `#section/<Chapter>/<Section>`, `#operation/<id>`. */
function forward() {
  if (location.pathname !== '/docs') return;
  const [kind, chapter, section] = fragment().split('/');
  if (kind === 'operation' || kind === 'tag') {
    location.replace(`/docs/reference${location.hash}`);
    return;
  }
  if (kind !== 'section') return;
  const moved = [...document.querySelectorAll('[data-was]')].find(({ dataset }) => dataset.was === chapter);
  const operators = { Administration: 'administration', Incidents: 'incidents' };
  const path = moved?.pathname ?? (operators[chapter] && `/docs/guides/${operators[chapter]}`);
  if (path) location.replace(section ? `${path}#${section.toLowerCase().replaceAll(/[^\p{L}\p{N}_-]/gu, '')}` : path);
}

function addCopyButtons() {
  if (!navigator.clipboard) return; // There is none on pages that came by plain http from elsewhere.
  for (const figure of document.querySelectorAll('.code')) {
    const button = document.createElement('button');
    button.type = 'button';
    button.className = 'copy';
    button.textContent = 'Copy';
    button.addEventListener('click', async () => {
      await navigator.clipboard.writeText(figure.querySelector('code').textContent);
      button.textContent = 'Copied';
      setTimeout(() => {
        button.textContent = 'Copy';
      }, 2000);
    });
    figure.append(button);
  }
}

const LANGUAGE = 'kasi-docs-language';
const groups = [];

/** Makes tabs of blocks of code that follow one another. A choice counts for all of them, and for later pages. */
function addTabs() {
  for (const [number, group] of [...document.querySelectorAll('.codes')].entries()) {
    const figures = [...group.querySelectorAll('.code')];
    const list = document.createElement('div');
    list.className = 'tabs';
    list.role = 'tablist';
    list.ariaLabel = 'Language';
    const tabs = figures.map((figure, index) => {
      const tab = document.createElement('button');
      tab.type = 'button';
      tab.role = 'tab';
      tab.textContent = figure.querySelector('figcaption')?.textContent ?? 'Text';
      tab.id = `tab-${number}-${index}`;
      // Not the figure: with a caption of its own it may be nothing else.
      const panel = figure.querySelector('pre');
      panel.id = `code-${number}-${index}`;
      tab.setAttribute('aria-controls', panel.id);
      panel.role = 'tabpanel';
      panel.setAttribute('aria-labelledby', tab.id);
      tab.addEventListener('click', () => choose(tab.textContent));
      return tab;
    });
    list.addEventListener('keydown', (event) => moveBetween(tabs, event));
    list.append(...tabs);
    group.prepend(list);
    group.classList.add('tabbed');
    groups.push({ tabs, figures });
  }
  choose(remembered());
}

function moveBetween(tabs, event) {
  const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
  if (!step) return;
  event.preventDefault();
  const at = tabs.indexOf(document.activeElement);
  const next = tabs[(at + step + tabs.length) % tabs.length];
  next.focus();
  next.click();
}

function remembered() {
  try {
    return localStorage.getItem(LANGUAGE);
  } catch {
    return null; // A browser may keep nothing.
  }
}

function choose(language) {
  for (const { tabs, figures } of groups) {
    const named = tabs.findIndex((tab) => tab.textContent === language);
    const already = tabs.findIndex((tab) => tab.ariaSelected === 'true');
    const chosen = named === -1 ? Math.max(already, 0) : named;
    for (const [index, tab] of tabs.entries()) {
      tab.ariaSelected = String(index === chosen);
      tab.tabIndex = index === chosen ? 0 : -1;
      figures[index].hidden = index !== chosen;
    }
  }
  try {
    if (language) localStorage.setItem(LANGUAGE, language);
  } catch {
    // It counts for this page, then.
  }
}

/** What is loaded, and what was typed meanwhile: nobody waits for a field to write into. */
async function keepTyped(loading) {
  let typed = '';
  const keep = (event) => {
    if (event.key.length !== 1 || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    event.stopPropagation();
    typed += event.key;
  };
  addEventListener('keydown', keep, true);
  try {
    return { loaded: await loading, typed };
  } finally {
    removeEventListener('keydown', keep, true);
  }
}

/** The search is loaded when somebody first wants it. */
function addSearch() {
  const link = document.querySelector('.find');
  const { code, index } = link.dataset;
  link.textContent = 'Search';
  link.role = 'button';
  link.setAttribute('aria-haspopup', 'dialog');
  link.setAttribute('aria-keyshortcuts', '/');
  const key = document.createElement('kbd');
  key.textContent = '/';
  key.ariaHidden = 'true';
  link.append(key);
  const open = async () => {
    const { typed, loaded } = await keepTyped(import(code));
    loaded.openSearch(index, typed);
  };
  link.addEventListener('click', (event) => {
    if (event.metaKey || event.ctrlKey || event.shiftKey) return;
    event.preventDefault();
    open();
  });
  link.addEventListener('keydown', (event) => {
    if (event.key !== ' ') return;
    event.preventDefault();
    open();
  });
  document.addEventListener('keydown', (event) => {
    const writes = event.target.closest('input, textarea, select, [contenteditable]');
    const wanted =
      event.key === '/' ? !event.ctrlKey && !event.metaKey : event.key === 'k' && (event.ctrlKey || event.metaKey);
    if (!wanted || (writes && event.key === '/')) return;
    event.preventDefault();
    open();
  });
}

forward();
addTabs();
addCopyButtons();
addSearch();
