import MarkdownIt from 'markdown-it';
import { codeBlock } from './code.ts';
import { escapeHtml, slugOf } from './html.ts';

const parser = new MarkdownIt();
type Token = ReturnType<typeof parser.parse>[number];

export type Heading = { readonly level: number; readonly text: string; readonly id: string };
/** What stands under a heading: its paragraphs and cells without marks, and its code. */
export type Section = Heading & { readonly prose: readonly string[]; readonly code: string };

/** Where a link of the Markdown leads on the site; throws when that is nowhere. */
export type Resolve = (target: string) => string;
/** The address of an operation that is named like `POST /v1/payments`; undefined when there is none. */
export type FindOperation = (method: string, path: string) => string | undefined;

/** Sections of a text, in order. The first is the chapter itself. */
export function sectionsOf(text: string): Section[] {
  const sections: { level: number; text: string; id: string; prose: string[]; code: string[] }[] = [];
  const used = new Map<string, number>();
  let isHeading = false;
  for (const token of parser.parse(text, {})) {
    if (token.type === 'heading_open') isHeading = true;
    else if (token.type === 'heading_close') isHeading = false;
    else if (token.type === 'inline' && isHeading) {
      const words = plainOf(token);
      sections.push({ level: levelOf(text, token), text: words, id: uniqueId(used, words), prose: [], code: [] });
    } else if (token.type === 'inline') sections.at(-1)?.prose.push(plainOf(token));
    else if (token.type === 'fence') sections.at(-1)?.code.push(token.content);
  }
  return sections.map((section) => ({ ...section, code: section.code.join('\n') }));
}

/** The first paragraph of a text that is not a cell of a table or an item of a list. */
export function firstParagraph(text: string): string {
  const tokens = parser.parse(text, {});
  const at = tokens.findIndex(({ type, level }) => type === 'paragraph_open' && level === 0);
  const inline = tokens[at + 1];
  return at === -1 || inline === undefined ? '' : plainOf(inline);
}

const levelOf = (text: string, { map }: Token): number =>
  /^#*/.exec(text.split('\n')[map?.[0] ?? 0] ?? '')?.[0].length ?? 1;

function uniqueId(used: Map<string, number>, words: string): string {
  const slug = slugOf(words);
  const times = used.get(slug) ?? 0;
  used.set(slug, times + 1);
  return times === 0 ? slug : `${slug}-${times}`;
}

/** The words of a line, without marks. */
const plainOf = ({ children }: Token): string =>
  (children ?? [])
    .map((child) => (child.type === 'softbreak' || child.type === 'hardbreak' ? ' ' : child.content))
    .join('');

/**
 * The HTML of a text: headings with anchors, tables and code that scroll on their own, links as `resolve` says, and
 * named operations as links to the reference. Blocks of code that follow one another stand in one group, of which the
 * page's script makes tabs.
 */
export function toHtml(text: string, resolve: Resolve, find: FindOperation): string {
  const sections = sectionsOf(text);
  const tokens = parser.parse(text, {});
  const headings = sections[Symbol.iterator]();
  const rules = parser.renderer.rules;
  let heading: Section | undefined;
  rules['heading_open'] = (all, index) => {
    heading = headings.next().value;
    return `<${all[index]?.tag} id="${heading?.id ?? ''}">`;
  };
  rules['heading_close'] = (all, index) => `${anchorOf(heading)}</${all[index]?.tag}>\n`;
  rules['table_open'] = () =>
    `<div class="wide" role="group" tabindex="0" aria-label="${escapeHtml(`Table: ${heading?.text ?? ''}`)}"><table>\n`;
  rules['table_close'] = () => '</table></div>\n';
  rules['fence'] = (all, index) => grouped(all, index, codeBlock(all[index]?.content ?? '', languageOf(all[index])));
  rules['code_inline'] = (all, index) => inlineCode(all[index]?.content ?? '', isLinked(all, index), find);
  rules['link_open'] = (all, index) => `<a href="${escapeHtml(resolve(String(all[index]?.attrGet('href'))))}">`;
  return parser.renderer.render(tokens, parser.options, {});
}

const languageOf = (token: Token | undefined): string => token?.info.trim().split(/\s/)[0] ?? '';

const anchorOf = (heading: Heading | undefined): string =>
  heading === undefined || heading.level === 1
    ? ''
    : ` <a class="anchor" href="#${heading.id}" aria-label="Link to ${escapeHtml(heading.text)}">#</a>`;

/** Opens a group before the first of several blocks of code, and closes it after the last. */
function grouped(all: readonly Token[], index: number, html: string): string {
  const isCode = (at: number): boolean => all[at]?.type === 'fence' && languageOf(all[at]) !== '';
  if (!isCode(index)) return html;
  const opens = !isCode(index - 1) && isCode(index + 1) ? '<div class="codes">\n' : '';
  const closes = isCode(index - 1) && !isCode(index + 1) ? '</div>\n' : '';
  return `${opens}${html}${closes}`;
}

const OPERATION = /^(GET|POST|PUT|DELETE|PATCH) (\/v1\/[^\s?]+)(\?\S+)?$/;

function inlineCode(content: string, isInLink: boolean, find: FindOperation): string {
  const code = `<code>${escapeHtml(content)}</code>`;
  const [, method = '', path = ''] = OPERATION.exec(content) ?? [];
  const address = method === '' || isInLink ? undefined : find(method, path);
  return address === undefined ? code : `<a class="op" href="${address}">${code}</a>`;
}

/** Whether the token stands inside a link. */
function isLinked(all: readonly Token[], index: number): boolean {
  const before = all.slice(0, index).map(({ type }) => type);
  return before.lastIndexOf('link_open') > before.lastIndexOf('link_close');
}
