/**
 * Writes generated/openapi.json (the contract in one file), generated/openapi.client.json (the same for generators of
 * clients), generated/models.ts and generated/api.ts (its types) and generated/operations.ts (what the server needs to
 * know about each operation before it runs). Usage: node scripts/generate/openapi.ts [folder]
 */
import { readFileSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import openapiTS, { astToString } from 'openapi-typescript';
import type { JsonMap } from '../contract/outline.ts';
import { redocly } from '../contract/redocly.ts';
import { clientDocument } from './client-document.ts';
import { withAnswerExamples } from './examples.ts';
import { withGuides } from './guides.ts';
import { namedTypes } from './named-types.ts';
import { type Contract, operationsModule } from './operations.ts';
import { withPlainReferences } from './references.ts';
import { withWebhookParts } from './webhook-section.ts';

const target = process.argv[2] ?? 'generated';
const file = join(target, 'openapi.json');
const contract = await bundle();
await writeTypes(contract);
await writeFile(join(target, 'operations.ts'), operationsModule(contract));
// After the types, which name the operations of the server alone, and have their own words for null.
const published = withAnswerExamples(withPlainReferences(withWebhookParts(contract)));
await writeFile(file, textOf(published));
await writeFile(join(target, 'openapi.client.json'), textOf(clientDocument(published as unknown as JsonMap)));

/** Bundles the contract's files and guides, without network access. */
async function bundle(): Promise<Contract> {
  const code = await redocly(['bundle', 'openapi/openapi.yaml', '--output', file], 'ignore');
  if (code !== 0)
    throw new Error('The contract could not be bundled. `npm run lint:contract` says what is wrong with it.');
  return withVersion(withRights(withGroups(await withGuides(JSON.parse(await readFile(file, 'utf8'))))));
}

function textOf(document: object): string {
  return `${JSON.stringify(document, null, 2)}\n`;
}

/** The contract is released with the service, under its version. */
function withVersion<C extends { readonly info: object }>(contract: C): C {
  const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { readonly version: string };
  return { ...contract, info: { ...contract.info, version } };
}

type Tagged = { readonly tags: readonly { readonly name: string }[] };

/** The documentation's menu lists administrators' operations apart: their tags begin with `admin`. */
function withGroups<C extends Tagged>(contract: C): C & { readonly 'x-tagGroups': readonly object[] } {
  const names = contract.tags.map((tag) => tag.name);
  const group = (name: string, tags: readonly string[]) => ({ name, tags });
  const groups = [
    group(
      'For merchants',
      names.filter((tag) => !tag.startsWith('admin')),
    ),
    group(
      'For administrators',
      names.filter((tag) => tag.startsWith('admin')),
    ),
  ];
  return { ...contract, 'x-tagGroups': groups };
}

type Described = {
  readonly description: string;
  readonly security: readonly Readonly<Record<string, readonly string[]>>[];
};
type WithPaths = { readonly paths: Readonly<Record<string, Readonly<Record<string, Described>>>> };

/** Adds the needed scope or permission to each operation's description; Redoc itself shows only OAuth scopes. */
function withRights<C extends WithPaths>(contract: C): C {
  const paths = Object.entries(contract.paths).map(([path, item]) => {
    const told = Object.entries(item).map(([method, operation]) => {
      const rights = operation.security.flatMap(rightOf);
      const description = [operation.description, ...new Set(rights)].join('\n\n');
      return [method, { ...operation, description }] as const;
    });
    return [path, Object.fromEntries(told)] as const;
  });
  return { ...contract, paths: Object.fromEntries(paths) };
}

function rightOf({ adminBearer, apiKey }: Readonly<Record<string, readonly string[]>>): string[] {
  if (apiKey?.[0]) return [`An API key needs the scope \`${apiKey[0]}\`.`];
  if (adminBearer?.[0] === 'self') return ['Every administrator may call it, for their own account.'];
  return adminBearer?.[0] ? [`The role of the administrator needs the permission \`${adminBearer[0]}\`.`] : [];
}

/** A property with a default stays optional in requests: leaving it out is the point of a default. */
async function writeTypes(document: Contract): Promise<void> {
  const nodes = await openapiTS(JSON.stringify(document), { defaultNonNullable: false, alphabetize: true });
  for (const [name, part] of Object.entries(namedTypes(nodes))) {
    const text = `// Written by \`npm run generate\` from openapi/; never edited.\n\n${astToString([...part])}`;
    await writeFile(join(target, `${name}.ts`), text);
  }
}
