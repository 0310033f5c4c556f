import { findFreePort } from '../../src/db/daemon.ts';
import { openDatabase } from '../../src/db/database.ts';
import { findEmbeddedPostgres } from '../../src/db/embedded.ts';
import type { Db } from '../../src/lib/db-types.ts';
import { startVictim, type Victim } from './killer.ts';

/** What has to be ended afterwards, last started first, whatever the outcome. Grows while things are started. */
export type Endings = (() => Promise<void>)[];

/** Where a campaign takes place. */
export type StageOptions = {
  /** The longest life of the service after it is ready, in milliseconds. */
  readonly aliveMaxMs: number;
  /** An empty data folder for the service; its creator removes it. */
  readonly dataDir: string;
  /** A migrated database, if not the one in the data folder. */
  readonly database?: { readonly url: string; readonly ownerUrl: string };
  /** Additional settings of the service. */
  readonly env?: Readonly<Record<string, string>>;
};

/** A running service and its database. */
export type Stage = { readonly victim: Victim; readonly db: Db; readonly baseUrl: string };

/** Starts the service and waits until it accepts requests. */
export async function openStage(options: StageOptions, endings: Endings): Promise<Stage> {
  const { dataDir, database } = options;
  const port = await findFreePort();
  const there = database ? { DATABASE_URL: database.url, DATABASE_OWNER_URL: database.ownerUrl } : {};
  const victim = await startVictim({ dataDir, port, env: { ...there, ...options.env } }, options.aliveMaxMs);
  endings.push(victim.stop);
  await victim.ready();
  const url = database?.url ?? findEmbeddedPostgres(dataDir)?.url;
  if (!url) throw new Error('the service has no database');
  const db = openDatabase({ url, poolMax: 2, applicationName: 'kasi-crash', onError: () => undefined });
  endings.push(() => db.destroy());
  return { victim, db, baseUrl: `http://127.0.0.1:${port}` };
}

const TOKEN_EVERY_MS = 5 * 60_000;

/** An access token that is renewed in time, whatever is killed meanwhile. */
export async function stayLoggedIn(
  logIn: () => Promise<{ readonly token: string }>,
  endings: Endings,
): Promise<() => string> {
  let { token } = await logIn();
  const renew = async (): Promise<void> => {
    token = (await logIn().catch(() => ({ token }))).token;
  };
  const timer = setInterval(renew, TOKEN_EVERY_MS);
  endings.push(async () => clearInterval(timer));
  return () => token;
}
