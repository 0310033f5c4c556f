import type { Operation, Tag } from './contract.ts';
import { addressOf } from './contract.ts';
import { escapeHtml } from './html.ts';
import { type Frame, layout } from './layout.ts';
import { type Guide, pageOf } from './library.ts';

/** Where an operation can be read without a script. */
const markdownOf = ({ id }: Operation): string => `/docs/reference/${id}.md`;

/** Everything there is in one list, which is the search of those who have no script. */
export function allPage(frame: Frame): string {
  const { guides, operations, tags } = frame.library;
  return layout(
    {
      title: 'All pages',
      description: 'Every guide with its sections, and every operation.',
      path: '/docs/all',
      book: 'merchants',
      crumbs: [['Guides', '/docs']],
      body: `<div class="text all">
<h1>All pages</h1>
<p>Every guide with its sections, every operation and every event. The search of your browser finds the rest.</p>
<h2 id="guides">Guides</h2>
${guides
  .filter(({ book }) => book === 'merchants')
  .map(guideEntry)
  .join('\n')}
<h2 id="guides-for-operators">Guides for operators</h2>
${guides
  .filter(({ book }) => book === 'operators')
  .map(guideEntry)
  .join('\n')}
<h2 id="operations">Operations and events</h2>
${operationLists(
  operations.filter(({ isAdmin }) => !isAdmin),
  tags,
  addressOf,
)}
<h2 id="administrators-operations">Administrators’ operations</h2>
${operationLists(
  operations.filter(({ isAdmin }) => isAdmin),
  tags,
  addressOf,
)}
</div>`,
    },
    frame,
  );
}

function guideEntry({ name, title, sections }: Guide): string {
  const inside = sections.filter(({ level }) => level === 2);
  const links = inside.map(({ id, text }) => `<a href="${pageOf(name)}#${id}">${escapeHtml(text)}</a>`);
  const list = links.length === 0 ? '' : `<br><small>${links.join(' · ')}</small>`;
  return `<p><a href="${pageOf(name)}">${escapeHtml(title)}</a>${list}</p>`;
}

/**
 * A reference: a static list of operations, which leads to the Markdown of each. With a script, Redoc shows an
 * operation together with those of its tag.
 */
export function referencePage(frame: Frame, isAdmin: boolean): string {
  const { operations, tags } = frame.library;
  const own = operations.filter((operation) => operation.isAdmin === isAdmin);
  const [path, other] = isAdmin
    ? ['/docs/reference/admin', '/docs/reference']
    : ['/docs/reference', '/docs/reference/admin'];
  const title = isAdmin ? 'Administrators’ reference' : 'API reference';
  const elsewhere = `${isAdmin ? 'Merchants’' : 'Administrators’'} operations are in <a href="${other}">a reference of their own</a>.`;
  const { redoc, reference } = frame.assets;
  return layout(
    {
      title,
      description: isAdmin ? 'Every operation of administrators.' : 'Every operation of merchants, and every event.',
      path,
      book: 'reference',
      crumbs: [],
      head: `<script type="module" src="${reference}"></script>\n`,
      menu: referenceMenu(own, tags),
      body: `<div id="reference" data-contract="${path}/openapi.json" data-redoc="${redoc}" data-other="${other}">
<div class="text all">
<h1>${title}</h1>
<p>${elsewhere} Each operation is Markdown, too; the contract is <a href="/v1/openapi.json">/v1/openapi.json</a>.</p>
${operationLists(own, tags, markdownOf, 'h2')}
</div>
</div>`,
    },
    frame,
  );
}

/** Operations by what is shown together: those of a tag, or the events of one kind of thing. */
function referenceMenu(operations: readonly Operation[], tags: readonly Tag[]): string {
  const titles = new Map(tags.map(({ name, title }) => [name, title]));
  const lists = tags.flatMap(({ name }) => {
    const own = operations.filter(({ tag }) => tag === name);
    return [...Map.groupBy(own, shownTogether)].map(([chunk, members]) => {
      const [, kind] = chunk.split(' ');
      // The tag's title in front of every kind of event would fill the menu.
      const title = kind === undefined ? titles.get(name) : `Events: ${kind.replaceAll('_', ' ')}`;
      const items = members.map(
        ({ id, summary }) =>
          `<li><a href="/docs/reference/${id}.md" data-operation="${id}">${escapeHtml(summary)}</a></li>`,
      );
      return `<details data-chunk="${chunk}"><summary>${escapeHtml(title ?? name)}</summary>\n<ul>${items.join('')}</ul></details>`;
    });
  });
  return `<nav class="menu" id="menu" aria-label="Operations" tabindex="-1">
<a class="menu-close" href="#content">Close the menu</a>
${lists.join('\n')}
</nav>`;
}

const shownTogether = ({ method, tag, path }: Operation): string =>
  method === 'EVENT' ? `${tag} ${path.split('.')[0]}` : tag;

function operationLists(
  operations: readonly Operation[],
  tags: readonly Tag[],
  address: (operation: Operation) => string,
  rank: 'h2' | 'h3' = 'h3',
): string {
  const byTag = Map.groupBy(operations, ({ tag }) => tag);
  return tags
    .filter(({ name }) => byTag.has(name))
    .map(({ name, title, description }) => {
      const items = (byTag.get(name) ?? []).map((each) => operationItem(each, address(each)));
      return `<${rank} id="tag/${name}">${escapeHtml(title)}</${rank}>\n<p>${escapeHtml(description)}</p>\n<ul class="operations">${items.join('')}</ul>`;
    })
    .join('\n');
}

const operationItem = ({ id, method, path, summary }: Operation, address: string): string =>
  `<li><a href="${address}" data-operation="${id}">${escapeHtml(summary)}</a> <code><b>${method}</b> ${escapeHtml(path)}</code></li>\n`;
