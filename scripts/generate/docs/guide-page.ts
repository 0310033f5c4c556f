import { escapeHtml } from './html.ts';
import { type Frame, layout, type PageParts } from './layout.ts';
import { finderIn, type Guide, type Library, pageOf, resolverFor } from './library.ts';
import { type Section, toHtml } from './markdown.ts';

/** The page of a guide: text, contents, and the guides before and after it in its book. */
export function guidePage(guide: Guide, frame: Frame): string {
  const { library } = frame;
  const html = toHtml(guide.text, resolverFor(guide.name, library), finderIn(library));
  const { book, group, name, summary, title } = guide;
  const home: PageParts['crumbs'][number] =
    book === 'operators' ? ['Operators', '/docs/operators'] : ['Guides', '/docs'];
  return layout(
    {
      title,
      description: summary,
      path: pageOf(name),
      markdown: `${pageOf(name)}.md`,
      book,
      crumbs: [home, [group, `${home[1]}#${anchorOf(group)}`]],
      body: `<article class="text">\n${html}</article>\n${neighbours(guide, library)}`,
      aside: contents(guide.sections),
    },
    frame,
  );
}

/** The anchor of a group on the home page of its book. */
export const anchorOf = (group: string): string => `group-${group.toLowerCase().replaceAll(/[^a-z]+/g, '-')}`;

function contents(sections: readonly Section[]): string {
  const inside = sections.filter(({ level }) => level === 2 || level === 3);
  if (inside.length < 2) return '';
  const items = inside.map(
    ({ id, level, text }) => `<li class="level-${level}"><a href="#${id}">${escapeHtml(text)}</a></li>`,
  );
  return `<aside class="toc"><nav aria-label="On this page"><h2>On this page</h2>\n<ul>${items.join('')}</ul></nav></aside>\n`;
}

function neighbours(guide: Guide, { guides }: Library): string {
  const own = guides.filter(({ book }) => book === guide.book);
  const at = own.indexOf(guide);
  const link = (to: Guide | undefined, rel: string, word: string): string =>
    to === undefined
      ? ''
      : `<a rel="${rel}" href="${pageOf(to.name)}"><small>${word}</small> ${escapeHtml(to.title)}</a>`;
  const links = `${link(own[at - 1], 'prev', 'Before')}${link(own[at + 1], 'next', 'Next')}`;
  return `<nav class="turn" aria-label="Before and after">${links}</nav>`;
}
