/**
 * Writes what the client needs of the contract at run time, besides the types: generated/idempotent-routes.ts.
 * Usage: node scripts/generate/client.ts [folder]
 */
import { writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { OperationMeta } from '../../generated/operations.ts';

const target = process.argv[2] ?? 'generated';
const { operationMeta } = (await import(pathToFileURL(resolve(target, 'operations.ts')).href)) as {
  operationMeta: Readonly<Record<string, OperationMeta>>;
};
const routes = Object.values(operationMeta)
  .filter(({ idempotent }) => idempotent)
  .map(({ method, path }) => `  '${method} ${path}',\n`)
  .sort();
const text = [
  '// Written by `npm run generate` from openapi/; never edited.\n',
  '/** The operations that take an `Idempotency-Key`. */',
  `export const idempotentRoutes = [\n${routes.join('')}] as const;\n`,
];
await writeFile(join(target, 'idempotent-routes.ts'), text.join('\n'));
