/**
 * Writes the generated part of the PHP client. The names of its methods are those of the TypeScript client, so it comes
 * when that is complete. Usage: node scripts/generate/php.ts [folder]
 */
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { adminSurface } from '../../clients/typescript/src/admin-surface.ts';
import { surface } from '../../clients/typescript/src/surface.ts';
import type { Contract } from './client-schema.ts';
import { surfaceFile } from './php-surface.ts';
import { typesFile } from './php-types.ts';

const target = process.argv[2] ?? 'generated';
const contract = JSON.parse(await readFile(join(target, 'openapi.json'), 'utf8')) as Contract;
const files = {
  Types: typesFile(contract),
  surface: surfaceFile(contract, surface, '', 'What merchants and payers can do.'),
  'admin-surface': surfaceFile(contract, adminSurface, 'Admin', 'What administrators can do.'),
};
await Promise.all(Object.entries(files).map(([name, text]) => writeFile(join(target, `php-${name}.php`), text)));
