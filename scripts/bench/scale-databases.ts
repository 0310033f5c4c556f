import { chmodSync, mkdirSync, rmSync } from 'node:fs';
import { resolve } from 'node:path';
import pg from 'pg';
import { type DatabaseUrls, removeEmbeddedPostgres, startEmbeddedPostgres } from '../../src/db/embedded.ts';
import { migrate } from '../../src/db/migrate.ts';
import { addScaleMerchant, SCALE_MERCHANT, seedScale } from './seed-scale.ts';

/** Raise it with what `seedScale` writes: databases of before are filled anew. */
const SEED = 3;

/** Where databases are kept between runs. */
const folder = (): string => resolve(process.env['SCALE_FOLDER'] ?? '.kasi/scale');

export type ScaleServer = {
  /** As the owner: of a database with so many payments, filled if it is not there yet, and migrated. */
  readonly database: (payments: number) => Promise<string>;
  /** A copy of such a database, to be written to. One that a run before this has left is replaced. */
  readonly copy: (payments: number) => Promise<string>;
  /** Drops the copies, too. */
  readonly stop: () => Promise<void>;
};

/** Starts the server of the kept databases. `fresh` deletes them first. */
export async function startScaleServer({ fresh }: { readonly fresh: boolean }): Promise<ScaleServer> {
  const dataDir = folder();
  if (fresh) {
    await removeEmbeddedPostgres(dataDir);
    rmSync(dataDir, { recursive: true, force: true });
  }
  mkdirSync(dataDir, { recursive: true });
  chmodSync(dataDir, 0o711);
  const server = await startEmbeddedPostgres({ dataDir, log: () => undefined, durable: false });
  const copies = new Set<string>();
  return {
    database: (payments) => findOrFill(server, payments),
    copy: (payments) => copyOf(server, payments, copies),
    stop: async () => {
      for (const name of copies) await drop(server.ownerUrl, name);
      await server.stop();
    },
  };
}

/** By its files, which takes minutes for a large one and its size on disk. */
async function copyOf({ ownerUrl }: DatabaseUrls, payments: number, copies: Set<string>): Promise<string> {
  const name = `scale_${payments}_written`;
  copies.add(name);
  const began = performance.now();
  await drop(ownerUrl, name);
  await run(ownerUrl, `create database ${name} template scale_${payments} strategy file_copy`);
  tell(`a copy of scale_${payments} took ${minutesSince(began)} minutes`);
  return urlOf(ownerUrl, name);
}

async function findOrFill({ ownerUrl }: DatabaseUrls, payments: number): Promise<string> {
  const name = `scale_${payments}`;
  const url = urlOf(ownerUrl, name);
  if ((await readMark(ownerUrl, name)) !== String(SEED)) {
    const began = performance.now();
    await drop(ownerUrl, name);
    await run(ownerUrl, `create database ${name}`);
    await migrate(url);
    await addScaleMerchant(url);
    await seedScale(url, SCALE_MERCHANT, { payments }, (line) => tell(`${line} (${minutesSince(began)} min)`));
    // Written last: one that a run which was killed has left is filled anew.
    await run(ownerUrl, `comment on database ${name} is '${SEED}'`);
    tell(`${name} took ${minutesSince(began)} minutes and is ${await readSize(ownerUrl, name)}`);
  }
  await migrate(url);
  return url;
}

const urlOf = (ownerUrl: string, name: string): string =>
  Object.assign(new URL(ownerUrl), { pathname: `/${name}` }).href;
const drop = (ownerUrl: string, name: string) => run(ownerUrl, `drop database if exists ${name} with (force)`);
const tell = (line: string): void => void process.stderr.write(`  ${line}\n`);
const minutesSince = (began: number): string => ((performance.now() - began) / 60_000).toFixed(1);

async function run(url: string, text: string, values: readonly unknown[] = []): Promise<string | undefined> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const { rows } = await client.query(text, values.length > 0 ? [...values] : undefined);
    return rows?.[0]?.value;
  } finally {
    await client.end();
  }
}

const readMark = (url: string, name: string) =>
  run(url, `select shobj_description(oid, 'pg_database') as value from pg_database where datname = $1`, [name]);

const readSize = (url: string, name: string) =>
  run(url, 'select pg_size_pretty(pg_database_size($1)) as value', [name]);
