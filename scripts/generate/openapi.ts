/**
 * Writes generated/openapi.json (the contract in one file), generated/api.ts (its types) and generated/operations.ts (what the
 * server needs to know of each operation before it runs it).
 * Usage: node scripts/generate/openapi.ts [folder]
 */
import { execFile } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import openapiTS, { astToString } from 'openapi-typescript';
import { type Contract, operationsModule } from './operations.ts';

const run = promisify(execFile);
const REDOCLY = 'node_modules/@redocly/cli/bin/cli.js';

const target = process.argv[2] ?? 'generated';
const contract = await bundle(join(target, 'openapi.json'));
await writeFile(join(target, 'api.ts'), await typesOf(contract));
await writeFile(join(target, 'operations.ts'), operationsModule(contract));

/** Puts the contract's files together into one, without asking or telling anybody on the network. */
async function bundle(file: string): Promise<Contract> {
  await run(
    process.execPath,
    [REDOCLY, 'bundle', 'openapi/openapi.yaml', '--config', 'openapi/redocly.yaml', '--output', file],
    { env: { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' } },
  );
  const text = await readFile(file, 'utf8');
  if (!text.endsWith('\n')) await writeFile(file, `${text}\n`);
  return JSON.parse(text);
}

/** A property with a default stays optional in requests, where leaving it out is the point of the default. */
async function typesOf(document: Contract): Promise<string> {
  const nodes = await openapiTS(JSON.stringify(document), { defaultNonNullable: false, alphabetize: true });
  return `// Written by \`npm run generate\` from openapi/; never edited.\n\n${astToString(nodes)}`;
}
