import { addressOf, type Operation } from './contract.ts';
import { type Guide, type Library, pageOf } from './library.ts';

/**
 * An entry of the search: address, title, heading or call, text, words that stand in code alone, or the tag, and 1 for
 * what only operators need.
 */
type Entry = readonly [address: string, title: string, heading: string, text: string, code: string, operators: 0 | 1];

/** The service's address as the guides write it; the index is the same wherever it is served. */
const ADDRESS = /https?:\/\/localhost:3000/g;

/** The index as text: one line for each section of a guide, each operation and each event. */
export function searchIndex({ guides, operations, tags }: Library): string {
  const titles = new Map(tags.map(({ name, title }) => [name, title]));
  const entries = [
    ...guides.flatMap(guideEntries),
    ...operations.map((operation) => operationEntry(operation, titles.get(operation.tag) ?? '')),
  ];
  return `[${entries.map((entry) => JSON.stringify(entry)).join(',\n')}]\n`;
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
