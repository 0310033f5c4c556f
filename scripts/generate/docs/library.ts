import type { JsonMap } from '../../contract/outline.ts';
import { type Book, type Group, readGuide, titleOf } from '../guides.ts';
import { addressOf, type Operation, operationsOf, type Tag, tagsOf } from './contract.ts';
import { type FindOperation, firstParagraph, type Resolve, type Section, sectionsOf } from './markdown.ts';

export type Guide = {
  readonly name: string;
  readonly title: string;
  readonly book: Book;
  readonly group: string;
  /** The Markdown as it is published. */
  readonly text: string;
  readonly sections: readonly Section[];
  /** The beginning of the guide, as lists of guides show it. */
  readonly summary: string;
};

/** All that the documentation is made of. */
export type Library = {
  readonly guides: readonly Guide[];
  readonly operations: readonly Operation[];
  readonly tags: readonly Tag[];
  /** What the service is, in one paragraph. */
  readonly about: string;
};

const SUMMARY_LENGTH = 170;

/** Reads the guides that the contract lists, and its operations. */
export async function readLibrary(contract: JsonMap): Promise<Library> {
  const info = contract['info'] as unknown as { description: string; 'x-guides': readonly Group[] };
  const guides = await Promise.all(
    info['x-guides'].flatMap(({ title, book = 'merchants', guides }) =>
      guides.map(async (name) => guideOf(name, title, book, await readGuide(name))),
    ),
  );
  const about = info.description.split('\n\n', 1)[0]?.replaceAll('\n', ' ') ?? '';
  return { guides, operations: operationsOf(contract), tags: tagsOf(contract), about };
}

function guideOf(name: string, group: string, book: Book, text: string): Guide {
  const sections = sectionsOf(text);
  return { name, title: titleOf(text), book, group, text, sections, summary: beginningOf(firstParagraph(text)) };
}

/** The whole sentences that fit, or the words that do. */
function beginningOf(prose: string): string {
  if (prose.length <= SUMMARY_LENGTH && /[.:]$/.test(prose)) return prose.replace(/:$/, '.');
  const end = prose.slice(0, SUMMARY_LENGTH).search(/[.!?](?= [^.!?]*$)/);
  if (end > 0) return prose.slice(0, end + 1);
  return `${prose.slice(0, SUMMARY_LENGTH).replace(/\s\S*$/, '')} …`;
}

/** The address of a guide's page. */
export const pageOf = (name: string): string => `/docs/guides/${name}`;

/** The contract with links to guides wherever a description names one like this: *Idempotency*. */
export function withGuideLinks(contract: JsonMap, { guides }: Library, ending: '' | '.md'): JsonMap {
  const names = new Map(guides.map(({ title, name }) => [title, name]));
  const text = JSON.stringify(contract).replaceAll(/(?<!\*)\*([A-Z][\w ]+)\*(?!\*)/g, (whole, title: string) => {
    const name = names.get(title);
    return name === undefined ? whole : `[${title}](${pageOf(name)}${ending})`;
  });
  return JSON.parse(text) as JsonMap;
}

/** Finds an operation by what guides call it. */
export function finderIn({ operations }: Library): FindOperation {
  const addresses = new Map(operations.map((each) => [`${each.method} ${each.path}`, addressOf(each)]));
  return (method, path) => addresses.get(`${method} ${path}`);
}

/** Resolves links of one guide; throws when they lead to no guide or heading, or to no page of ours. */
export function resolverFor(from: string, { guides, operations }: Library): Resolve {
  const anchors = new Map(guides.map(({ name, sections }) => [name, new Set(sections.map(({ id }) => id))]));
  const references = new Set(operations.map(addressOf));
  const fail = (target: string): never => {
    throw new Error(`openapi/guides/${from}.md has a link to ${target}, which leads nowhere.`);
  };
  return (target) => {
    if (/^(https?|mailto):/.test(target) || target.startsWith('/v1/openapi')) return target;
    if (target.startsWith('/docs'))
      return target.includes('#operation/') && !references.has(target) ? fail(target) : target;
    const [, name = from, anchor] = /^(?:([a-z0-9-]+)\.md)?(?:#(.+))?$/.exec(target) ?? fail(target);
    const known = anchors.get(name) ?? fail(target);
    if (anchor !== undefined && !known.has(anchor)) fail(target);
    return `${name === from ? '' : pageOf(name)}${anchor === undefined ? '' : `#${anchor}`}` || pageOf(name);
  };
}
