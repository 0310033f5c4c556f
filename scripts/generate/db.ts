/**
 * Writes generated/db.ts (row types) and generated/schema.sql (the sum of the migrations) from a freshly migrated
 * database. Usage: node scripts/generate/db.ts [folder]
 */
import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { removeEmbeddedPostgres, startEmbeddedPostgres } from '../../src/db/embedded.ts';
import { migrate } from '../../src/db/migrate.ts';
import { dumpSchema } from './schema-dump.ts';

const run = promisify(execFile);
const TYPES = { int8: 'bigint', numeric: 'bigint', jsonb: 'Json', timestamptz: 'Date', bytea: 'Buffer' };

const target = process.argv[2] ?? 'generated';
const dataDir = await mkdtemp(join(tmpdir(), 'kasi-generate-'));
const server = await startEmbeddedPostgres({ dataDir, durable: false, log: () => {} });
try {
  await migrate(server.ownerUrl);
  await writeFile(join(target, 'db.ts'), await rowTypes(server.ownerUrl));
  await writeFile(join(target, 'schema.sql'), await dumpSchema(server.ownerUrl));
} finally {
  await server.stop();
  await removeEmbeddedPostgres(dataDir); // When run by root, the data may be outside the folder.
  await rm(dataDir, { recursive: true, force: true });
}

async function rowTypes(url: string): Promise<string> {
  const { stdout } = await run(
    'node_modules/.bin/kysely-codegen',
    [
      '--dialect',
      'postgres',
      '--url',
      url,
      '--print',
      '--exclude-pattern',
      'kysely_*',
      '--type-mapping',
      JSON.stringify(TYPES),
    ],
    { maxBuffer: 10 * 1024 * 1024 },
  );
  return stdout.slice(stdout.indexOf('/**'));
}
