import type { AssetUrls } from './assets.ts';
import { escapeHtml } from './html.ts';
import { type Guide, type Library, pageOf } from './library.ts';

/** A page of the site, without what all pages share. */
export type PageParts = {
  readonly title: string;
  readonly description: string;
  /** Its own address. */
  readonly path: string;
  /** Its Markdown, if there is one. */
  readonly markdown?: string;
  /** The book whose guides the menu lists. */
  readonly book: 'merchants' | 'operators' | 'reference';
  /** From the outside in, without the page itself. */
  readonly crumbs: readonly (readonly [title: string, path: string])[];
  /** The content, in HTML. */
  readonly body: string;
  /** What stands beside the content on wide screens, in HTML. */
  readonly aside?: string;
  /** Its own menu; without, the guides of the book. */
  readonly menu?: string;
  /** More of the head, such as a script of its own. */
  readonly head?: string;
};

/** Everything that goes around the content of each page. */
export type Frame = { readonly library: Library; readonly assets: AssetUrls };

const ADDRESS = 'http://localhost:3000';
const BOOKS = [
  ['Guides', '/docs', 'merchants'],
  ['API reference', '/docs/reference', 'reference'],
  ['Operators', '/docs/operators', 'operators'],
] as const;

/** A whole page. */
export function layout(parts: PageParts, { library, assets }: Frame): string {
  const { title, description, path, markdown, book, body, aside = '', head = '' } = parts;
  const alternate =
    markdown === undefined ? '' : `<link rel="alternate" type="text/markdown" href="${markdown}" title="Markdown">\n`;
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)} · Kasi docs</title>
<meta name="description" content="${escapeHtml(description)}">
<link rel="canonical" href="${ADDRESS}${path}">
${alternate}<link rel="icon" href="${assets.icon}" type="image/svg+xml">
<link rel="stylesheet" href="${assets.style}">
<script type="module" src="${assets.script}"></script>
${head}</head>
<body data-book="${book}">
<a class="skip" href="#content">Skip to the content</a>
<header class="top">
<a class="brand" href="/docs">Kasi <span>docs</span></a>
<nav class="books" aria-label="Books">${BOOKS.map((each) => bookLink(each, parts)).join('')}</nav>
<a class="find" href="/docs/all" data-code="${assets.search}" data-index="${assets.index}">All pages</a>
<a class="menu-link" href="#menu">Menu</a>
</header>
<div class="frame">
${parts.menu ?? menu(library.guides, book, path)}
<main id="content" tabindex="-1">
${crumbsOf(parts)}${body}
</main>
${aside}</div>
${footer(parts)}
</body>
</html>
`;
}

function bookLink([name, path, book]: (typeof BOOKS)[number], page: PageParts): string {
  const current = page.path === path ? ' aria-current="page"' : page.book === book ? ' aria-current="true"' : '';
  return `<a href="${path}"${current}>${name}</a>`;
}

/** The guides of one book, by their groups. On a phone it opens by its anchor, without a script. */
function menu(guides: readonly Guide[], book: PageParts['book'], path: string): string {
  const own = guides.filter((guide) => guide.book === book);
  const groups = Map.groupBy(own, ({ group }) => group);
  const lists = [...groups].map(
    ([title, members]) =>
      `<h2>${escapeHtml(title)}</h2>\n<ul>${members.map((guide) => menuItem(guide, path)).join('')}</ul>\n`,
  );
  return `<nav class="menu" id="menu" aria-label="Guides" tabindex="-1">
<a class="menu-close" href="#content">Close the menu</a>
${lists.join('')}<h2>Reference</h2>
<ul>${book === 'operators' ? '<li><a href="/docs/reference/admin">Administrators’ operations</a></li>' : '<li><a href="/docs/reference">Operations and webhooks</a></li>'}<li><a href="/docs/all">All pages</a></li></ul>
</nav>`;
}

const menuItem = ({ name, title }: Guide, path: string): string =>
  `<li><a href="${pageOf(name)}"${pageOf(name) === path ? ' aria-current="page"' : ''}>${escapeHtml(title)}</a></li>`;

function crumbsOf({ crumbs, title }: PageParts): string {
  if (crumbs.length === 0) return '';
  const links = crumbs.map(([name, path]) => `<li><a href="${path}">${escapeHtml(name)}</a></li>`).join('');
  return `<nav class="crumbs" aria-label="Breadcrumb"><ol>${links}<li aria-current="page">${escapeHtml(title)}</li></ol></nav>\n`;
}

function footer({ markdown }: PageParts): string {
  const own = markdown === undefined ? '' : `<a href="${markdown}">This page as Markdown</a>`;
  return `<footer class="foot">${own}<a href="/docs/all">All pages</a><a href="/llms.txt">llms.txt</a><a href="/v1/openapi.json">OpenAPI</a><a href="/v1/openapi.client.json">OpenAPI for generators</a></footer>`;
}
