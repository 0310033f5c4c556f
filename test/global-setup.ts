import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { type EmbeddedPostgres, startEmbeddedPostgres } from '../src/db/embedded.ts';
import { APPLICATION_ROLE } from '../src/db/embedded-cluster.ts';
import { migrate } from '../src/db/migrate.ts';
import { createDatabase, TEMPLATE, withDatabase } from './support/database.ts';
import { discardObserved, keepObserved } from './support/observed.ts';
import { cleanUp, guard, makeRunFolder } from './support/run-folder.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    /** The PostgreSQL of this run, through its empty database. */
    postgres: { url: string; ownerUrl: string };
    /** Where the tests of this run keep their files and servers; what is left there at the end is stopped and deleted. */
    runFolder: string;
  }
}

let runFolder: string;
let postgres: EmbeddedPostgres;

/** Starts the one PostgreSQL of the run and migrates the database that every test file clones. */
export async function setup(project: TestProject): Promise<void> {
  discardObserved();
  runFolder = makeRunFolder();
  guard(runFolder);
  const dataDir = join(runFolder, 'shared');
  mkdirSync(dataDir);
  postgres = await startEmbeddedPostgres({ dataDir, durable: false, log: () => undefined });
  await createDatabase(postgres.ownerUrl, TEMPLATE);
  await migrate(withDatabase(postgres.ownerUrl, TEMPLATE), APPLICATION_ROLE);
  project.provide('postgres', { url: postgres.url, ownerUrl: postgres.ownerUrl });
  project.provide('runFolder', runFolder);
}

/** Ends everything that the run started. An interrupted run never gets here: the guard does it then. */
export async function teardown(): Promise<void> {
  keepObserved(runFolder);
  await postgres.stop();
  await cleanUp(runFolder);
}
