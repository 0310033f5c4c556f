import { BackupRefusal } from '../../src/backup/refusal.ts';
import { createChains } from '../../src/chains/chains.ts';
import { type Config, parseConfig, parseIdentity } from '../../src/config.ts';
import { openDatabase } from '../../src/db/database.ts';
import { findEmbeddedPostgres } from '../../src/db/embedded.ts';
import { migrationNames } from '../../src/db/migrate.ts';
import { requireSchema } from '../../src/db/schema-state.ts';
import { isContended, sqlState } from '../../src/db/transaction.ts';
import { type Claim, requireIdentity } from '../../src/deployment/identity.ts';
import { useKnownNames } from '../../src/deployment/networks.ts';
import { DeploymentRefusal } from '../../src/deployment/refusal.ts';
import { KINDS } from '../../src/kinds.ts';
import { type Clock, createClock } from '../../src/lib/clock.ts';
import type { Db } from '../../src/lib/db-types.ts';
import { createKeyRing } from '../../src/lib/envelope.ts';
import { AppError, messageOf, StartError } from '../../src/lib/errors.ts';
import { describeFileProblem } from '../../src/lib/file-problem.ts';
import { findMasterKey } from '../../src/sandbox/secrets.ts';
import { describeOutage } from '../../src/start-database.ts';
import { findCommand, helpOf } from '../kasi/commands.ts';
import { complain } from './output.ts';

export type Connection = { readonly db: Db; readonly config: Config; readonly clock: Clock };

/**
 * Runs a script's work on the service's database, with the service's environment, and ends the process. A Refusal is
 * printed in one line, without a stack. A script that only reads may run on an unreleased copy. None runs on a schema
 * that refuses a process of this release: what it writes would lack what later releases rely on, and what it says of a
 * schema that it does not know would be wrong. `read` takes the arguments before anything else: a mistyped
 * one is refused as such, and not as a missing database.
 */
export async function runOnDatabase<T>(
  read: (args: readonly string[]) => T,
  work: (connection: Connection, args: T) => Promise<void>,
  only: 'reads' | 'works' = 'works',
): Promise<void> {
  let db: Db | undefined;
  try {
    const args = read(process.argv.slice(2));
    const config = parseConfig(process.env);
    const url = config.databaseUrl ?? findEmbeddedPostgres(config.dataDir)?.url;
    if (!url)
      throw new Refusal(`No database runs for ${config.dataDir}. Start Kasi with npm start, or set DATABASE_URL.`);
    db = openDatabase({ url, poolMax: 1, applicationName: 'kasi-script', onError: () => {} });
    await requireIdentity(db, claimOf(config), only);
    await requireSchema(db, migrationNames());
    const networks = await useKnownNames(db, config.networks, createChains(KINDS, config.networks));
    await work({ db, config: { ...config, networks }, clock: await readClock(db) }, args);
  } catch (error) {
    fail(error);
  } finally {
    await db?.destroy();
  }
}

/** What a command says it is, as the service does; less without a master key, such as an auditor's. */
export function claimOf({ mode, deploymentId, masterKey, masterKeysOld, dataDir }: Config): Claim {
  const key = masterKey ?? findMasterKey(dataDir);
  return { mode, id: deploymentId, ring: key ? createKeyRing(key, masterKeysOld) : null };
}

/** What a command says it is whose database is not the application's: by the environment alone. */
export function readClaim(): Claim {
  const { mode, deploymentId, masterKey, masterKeysOld } = parseIdentity(process.env);
  return { mode, id: deploymentId, ring: masterKey ? createKeyRing(masterKey, masterKeysOld) : null };
}

/** A mistake that the caller of the script has to mend. */
export class Refusal extends Error {
  override readonly name = 'Refusal';
  /** Of the process. */
  exitCode = 1;
}

/** Refuses a call of a command (its name in `kasi/commands.ts`): says why, if that is not plain, and how to call it. */
export function usage(command: string, reason = ''): Refusal {
  const found = findCommand(command.split(' '));
  if (!found) throw new Error(`there is no command ${command}`);
  const refusal = new Refusal([reason, helpOf(found.command)].filter((part) => part !== '').join('\n'));
  refusal.exitCode = 2;
  return refusal;
}

/** Ends a command that could not do its work; a Refusal is printed without a stack. */
export function fail(error: unknown): void {
  complain(isForTheReader(error) ? error.message : (describeFileProblem(error) ?? outageOf(error) ?? error));
  process.exitCode = error instanceof Refusal ? error.exitCode : 1;
}

/** Of the database a command takes one or two. */
const URLS = 'DATABASE_URL, DATABASE_OWNER_URL or DATABASE_ADMIN_URL, whichever this command takes';

/** Nodes fail without a code, and what they say may sound as if it were of the database; pg, too, in these words. */
const outageOf = (error: unknown): string | null =>
  typeof (error as { code?: unknown } | null)?.code === 'string' || OF_PG.test((error as Error | null)?.message ?? '')
    ? (describeOutage(error, URLS) ?? describeStatement(error))
    : null;

/** A statement that PostgreSQL did not run to its end, for a reason that an operator can mend. */
function describeStatement(error: unknown): string | null {
  if (isContended(error))
    return (
      `The database did not get to it: ${messageOf(error)}. Something else holds what this command needs, such as a ` +
      'migration, or the server is overloaded: run it again afterwards.'
    );
  if (sqlState(error) !== NO_RIGHT) return null;
  return (
    `The role of this command may not do that: ${messageOf(error)}. npx kasi migrate grants the application’s role its ` +
    'rights anew; what is the owner’s needs DATABASE_OWNER_URL.'
  );
}

const NO_RIGHT = '42501';

const OF_PG =
  /^(Connection terminated (unexpectedly|due to connection timeout)|Client (has encountered a connection error|was closed) and is not queryable|Query read timeout|read timeout: the database|timeout exceeded when trying to connect|timeout expired)/;

/** Whether an error says what to mend, so that its stack would only hide that. */
const isForTheReader = (error: unknown): error is Error =>
  error instanceof Refusal ||
  error instanceof AppError ||
  error instanceof StartError ||
  error instanceof DeploymentRefusal ||
  error instanceof BackupRefusal ||
  (error as Error).name === 'ConfigError';

/** The service's clock; in the sandbox its business time may have been moved. */
async function readClock(db: Db): Promise<Clock> {
  const row = await db.selectFrom('sandbox_clock').select('offset_ms').where('id', '=', 1).executeTakeFirst();
  const offsetMs = Number(row?.offset_ms ?? 0n);
  return createClock(() => offsetMs);
}
