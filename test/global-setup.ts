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
    /** The owner's URL of this run's PostgreSQL, with its empty database. */
    postgres: { url: string; ownerUrl: string };
    /** The folder for the files and servers of this run; what is left there at the end is stopped and deleted. */
    runFolder: string;
  }
}

let runFolder: string;
let postgres: EmbeddedPostgres;

/** Starts the run's one PostgreSQL and migrates the database that every test file clones. */
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

/** Stops everything that the run started. An interrupted run never gets here: the guard cleans up then. */
export async function teardown(): Promise<void> {
  keepObserved(runFolder);
  await postgres.stop();
  await cleanUp(runFolder);
}
