import { createRequire } from 'node:module';
import { escapeHtml } from './html.ts';

/** What we use of highlight.js, whose own types would bring those of a browser into the whole project. */
type Highlighter = {
  readonly configure: (options: { readonly classPrefix: string }) => void;
  readonly getLanguage: (name: string) => object | undefined;
  readonly highlight: (
    source: string,
    options: { readonly language: string; readonly ignoreIllegals: boolean },
  ) => { readonly value: string };
};

const highlighter = createRequire(import.meta.url)('highlight.js/lib/common') as Highlighter;
highlighter.configure({ classPrefix: 'h-' });

/** What readers call the languages of code blocks. */
const NAMES: Readonly<Record<string, string>> = {
  ts: 'TypeScript',
  tsx: 'TypeScript',
  js: 'JavaScript',
  mjs: 'JavaScript',
  python: 'Python',
  php: 'PHP',
  sh: 'Shell',
  json: 'JSON',
  go: 'Go',
  java: 'Java',
  html: 'HTML',
  css: 'CSS',
  yaml: 'YAML',
  sql: 'SQL',
  ruby: 'Ruby',
  ini: 'Settings',
  diff: 'Changes',
};

/** A block of code with its language. The classes are highlight.js' with a shorter prefix. */
export function codeBlock(source: string, language: string): string {
  const name = NAMES[language] ?? language;
  const label = name === '' ? 'Text' : name;
  const caption = name === '' ? '' : `<figcaption>${escapeHtml(name)}</figcaption>`;
  return (
    `<figure class="code" data-lang="${escapeHtml(language)}">${caption}` +
    `<pre tabindex="0" aria-label="${escapeHtml(label)}"><code>${highlight(source, language)}</code></pre></figure>\n`
  );
}

function highlight(source: string, language: string): string {
  if (highlighter.getLanguage(language) === undefined) return escapeHtml(source);
  return highlighter.highlight(source, { language, ignoreIllegals: true }).value;
}
