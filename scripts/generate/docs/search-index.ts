import { addressOf, type Operation } from './contract.ts';
import { CLIENTS_ADDRESS, CLIENTS_SUMMARY } from './home-pages.ts';
import { KEYWORDS, keywordsOf } from './keywords.ts';
import { type Guide, type Library, pageOf } from './library.ts';

/**
 * An entry of the search: address, title, heading or call, text, words that stand in code alone, or the tag, 1 for what
 * only operators need, and what it is called otherwise.
 */
type Entry = readonly [
  address: string,
  title: string,
  heading: string,
  text: string,
  code: string,
  operators: 0 | 1,
  keywords?: string,
];

/** The service's address as the guides write it; the index is the same wherever it is served. */
const ADDRESS = /https?:\/\/localhost:3000/g;

/**
 * The index as text: one line for the clients, each section of a guide, each operation and each event. Throws when a
 * keyword is of a place that there is not.
 */
export function searchIndex({ guides, operations, tags }: Library): string {
  const titles = new Map(tags.map(({ name, title }) => [name, title]));
  const entries: Entry[] = [
    [CLIENTS_ADDRESS, 'Clients', '', CLIENTS_SUMMARY, '', 0],
    ...guides.flatMap(guideEntries),
    ...operations.map((operation) => operationEntry(operation, titles.get(operation.tag) ?? '')),
  ];
  const lost = Object.keys(KEYWORDS).filter((address) => !entries.some((entry) => entry[0] === address));
  if (lost.length > 0) throw new Error(`There are keywords for ${lost.join(', ')}, which is no place.`);
  const lines = entries.map((entry) => {
    const keywords = keywordsOf(entry[0]);
    return JSON.stringify(keywords === '' ? entry : [...entry, keywords]);
  });
  return `[${lines.join(',\n')}]\n`;
}

function guideEntries({ name, title, book, sections }: Guide): Entry[] {
  return sections.map(({ id, level, text, prose: parts, code }): Entry => {
    const prose = parts.join(' ').replaceAll(ADDRESS, '');
    const address = level === 1 ? pageOf(name) : `${pageOf(name)}#${id}`;
    return [address, title, level === 1 ? '' : text, prose, wordsOf(code, prose), book === 'operators' ? 1 : 0];
  });
}

/** The names in code that the prose does not have, each once. */
function wordsOf(code: string, prose: string): string {
  const known = new Set(prose.toLowerCase().match(/[\p{L}_]{3,}/gu));
  const words = (code.replaceAll(ADDRESS, '').match(/[\p{L}_]{3,}/gu) ?? []).filter(
    (word) => !known.has(word.toLowerCase()),
  );
  return [...new Set(words)].join(' ');
}

function operationEntry(operation: Operation, tag: string): Entry {
  const { method, path, summary, value, isAdmin } = operation;
  const description = String(value['description'] ?? '').split('\n\n', 1)[0] ?? '';
  return [
    addressOf(operation),
    summary,
    `${method} ${path}`,
    description.replaceAll(ADDRESS, ''),
    tag,
    isAdmin ? 1 : 0,
  ];
}
