import type { Operation } from './contract.ts';
import { type Guide, type Library, pageOf } from './library.ts';

const ADDRESS = 'http://localhost:3000';
const ABOUT = `Every operation is under ${ADDRESS}/v1 and takes and gives JSON. Servers sign requests with an API key, people send an
access token. Clients: \`@kasi/client\` (TypeScript), \`kasi\` (Python), \`kasi/client\` (PHP). They are not published yet; ${ADDRESS}/docs#clients
tells how to get them from a checkout of the repository.`;

/** The index of the documentation for programs that read, in the form of llmstxt.org. */
export function llmsText({ guides, operations, tags, about }: Library): string {
  const operationsIn = (isAdmin: boolean): string =>
    tags
      .flatMap(({ name }) => operations.filter(({ tag }) => tag === name))
      .filter((operation) => operation.isAdmin === isAdmin)
      .map(operationLine)
      .join('\n');
  return `# Kasi

> ${about}

${ABOUT}

## Guides

${linesOf(guides, 'merchants')}

## Contract

- [OpenAPI 3.1](${ADDRESS}/v1/openapi.json): every operation, type and event, with samples
- [OpenAPI for generators](${ADDRESS}/v1/openapi.client.json): the same in the words that generators of clients understand

## Operations

${operationsIn(false)}

## Guides for operators

${linesOf(guides, 'operators')}

## Optional

- [All guides in one file](${ADDRESS}/llms-full.txt)
${operationsIn(true)}
`;
}

/** A reference as Markdown: every operation below its tag, with a link to its text. */
export function referenceText({ operations, tags }: Library, isAdmin: boolean): string {
  const own = operations.filter((operation) => operation.isAdmin === isAdmin);
  const groups = tags.map(({ name, title, description }) => {
    const lines = own.filter(({ tag }) => tag === name).map(operationLine);
    return lines.length === 0 ? [] : [`## ${title}\n\n${description}\n\n${lines.join('\n')}`];
  });
  const [title, other] = isAdmin
    ? ['Administrators’ reference', `Merchants’ operations: ${ADDRESS}/docs/reference.md`]
    : ['API reference', `Administrators’ operations: ${ADDRESS}/docs/reference/admin.md`];
  const contract = `The whole contract is ${ADDRESS}/v1/openapi.json; guides are listed in ${ADDRESS}/llms.txt.`;
  return `${[`# ${title}`, `${ABOUT}`, `${contract} ${other}.`, ...groups.flat()].join('\n\n')}\n`;
}

const linesOf = (guides: readonly Guide[], book: Guide['book']): string =>
  guides
    .filter((guide) => guide.book === book)
    .map(({ name, title, summary }) => `- [${title}](${ADDRESS}${pageOf(name)}.md): ${summary}`)
    .join('\n');

const operationLine = ({ id, method, path, summary }: Operation): string =>
  `- [${summary}](${ADDRESS}/docs/reference/${id}.md): ${method === 'EVENT' ? `event \`${path}\`` : `\`${method} ${path}\``}`;

/** All guides in one file, in the order of reading, with links that lead to their Markdown. */
export function llmsFullText({ guides, about }: Library): string {
  const whole = guides.map(({ text, name }) => {
    const linked = text
      .replaceAll(/\]\(([a-z0-9-]+\.md)/g, `](${ADDRESS}/docs/guides/$1`)
      .replaceAll(/\]\(#/g, `](${ADDRESS}${pageOf(name)}.md#`);
    return linked.trim();
  });
  return `${[`> ${about}`, ...whole].join('\n\n')}\n`;
}
