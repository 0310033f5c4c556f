import { readdirSync, readFileSync } from 'node:fs';

export const GUIDE_NAMES = readdirSync('openapi/guides').map((file) => file.replace('.md', ''));

/** A guide as the service serves it. */
export const publishedGuide = (name: string): string => readFileSync(`generated/docs/guides/${name}.md`, 'utf8');

/** All guides as the service serves them. */
export const allGuides = GUIDE_NAMES.map(publishedGuide).join('\n');

/** The same without the recipes, whose code is files of shops: `test/recipes/` builds those. */
export const guidesOfKasi = GUIDE_NAMES.filter((name) => !name.startsWith('recipe-'))
  .map(publishedGuide)
  .join('\n');

/** The source of a guide. */
export const readGuide = (name: string): string =>
  readFileSync(new URL(`../../openapi/guides/${name}.md`, import.meta.url), 'utf8');

/** The line numbers of headings, ignoring comments in code. */
function headings(lines: readonly string[]): number[] {
  let inCode = false;
  return lines.flatMap((line, index) => {
    if (line.startsWith('```')) inCode = !inCode;
    return !inCode && /^#+ /.test(line) ? [index] : [];
  });
}

/** The text under a heading, up to the next of the same or a higher rank. */
export function section(text: string, heading: string): string {
  const lines = text.split('\n');
  const all = headings(lines);
  const start = all.find((index) => lines[index] === heading);
  if (start === undefined) throw new Error(`there is no heading ${heading}`);
  const isEnd = (index: number) => index > start && (lines[index]?.indexOf(' ') ?? 0) <= heading.indexOf(' ');
  return lines.slice(start + 1, all.find(isEnd)).join('\n');
}

/** Every heading of a text, with its hashes. */
export function headingsOf(text: string): string[] {
  const lines = text.split('\n');
  return headings(lines).map((index) => lines[index] ?? '');
}

/** The code blocks of a text in one language; '' means no language. */
export const blocks = (text: string, language: string): string[] =>
  [...text.matchAll(/^```(\w*)\n([\s\S]*?)^```$/gm)]
    .filter((match) => match[1] === language)
    .map((match) => match[2] ?? '');

/** A file that a guide shows: a line of its own with the name in bold, then the code. */
export type GuideFile = {
  readonly name: string;
  readonly language: string;
  readonly text: string;
  /** Whether the guide says "add at the end" after the name: the framework has made the file. */
  readonly isAddition: boolean;
};

/** The files of a text, in their order. Throws if one is there twice. */
export function filesOf(text: string): GuideFile[] {
  const found = [...text.matchAll(/^\*\*`([^`\n]+)`\*\*(.*)\n\n```(\w*)\n([\s\S]*?)^```$/gm)];
  const files = found.map(([, name = '', words = '', language = '', code = '']) => {
    return { name, language, text: code, isAddition: words.includes('add at the end') };
  });
  const twice = files.find(({ name }, index) => files.findIndex((other) => other.name === name) !== index);
  if (twice) throw new Error(`${twice.name} is shown twice`);
  return files;
}

/** The body rows of every table in a text, cell by cell. */
export const tableRows = (text: string): string[][] =>
  [...text.matchAll(/^\|(.+)\|$/gm)]
    .map(([, row = '']) => row.split('|').map((cell) => cell.trim()))
    .filter((_, index, rows) => !isRule(rows[index]) && !isRule(rows[index + 1]));

const isRule = (cells: readonly string[] | undefined): boolean =>
  cells?.every((cell) => /^:?-+:?$/.test(cell)) ?? false;
