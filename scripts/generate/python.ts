/**
 * Writes the generated part of the Python client. The names of its methods are those of the TypeScript client, so it
 * comes when that is complete. Usage: node scripts/generate/python.ts [folder]
 */
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { adminSurface } from '../../clients/typescript/src/admin-surface.ts';
import { surface } from '../../clients/typescript/src/surface.ts';
import type { Contract } from './client-schema.ts';
import { createTypes, modelsModule, numbersModule } from './python-models.ts';
import { surfaceModule } from './python-surface.ts';

const target = process.argv[2] ?? 'generated';
const contract = JSON.parse(await readFile(join(target, 'openapi.json'), 'utf8')) as Contract;
const types = createTypes(contract);
const modules = {
  models: modelsModule(contract, types),
  numbers: numbersModule(contract),
  surface: surfaceModule(contract, types, surface, 'Surface', 'What merchants and payers can do.'),
  admin_surface: surfaceModule(contract, types, adminSurface, 'AdminSurface', 'What administrators can do.'),
};
await Promise.all(Object.entries(modules).map(([name, text]) => writeFile(join(target, `python-${name}.py`), text)));
