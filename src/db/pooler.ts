import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { StartError } from '../lib/errors.ts';
import { sqlState } from './transaction.ts';

const NO_SUCH_STATEMENT = '26000';
const ANSWER_WITHIN_MS = 3000;
/** What others ask meanwhile may take the session that the second connection is to have. */
const TRIES = 3;

/**
 * Why statements with names do not work on a URL; null if they do. A pooler that shares sessions between transactions
 * has to prepare them anew in each; an older one does not, and says its version only at a console of its own. So this
 * prepares one, lets another connection take that session, and asks for it again in another. `setting` is what has the
 * URL.
 */
export async function findPoolerProblem(url: string, setting: string): Promise<string | null> {
  const [asking, taking] = [newClient(url), newClient(url)];
  try {
    await Promise.all([asking.connect(), taking.connect()]);
    for (let time = 0; time < TRIES; time += 1) if (await isLost(asking, taking)) return describe(setting);
    return null;
  } finally {
    await Promise.all([asking.end(), taking.end()]);
  }
}

/** Throws StartError, with the cure, unless statements with names work. */
export async function requireNamedStatements(url: string, setting: string): Promise<void> {
  const problem = await findPoolerProblem(url, setting);
  if (problem !== null) throw new StartError(problem);
}

const newClient = (url: string): pg.Client =>
  new pg.Client({
    connectionString: url,
    application_name: 'kasi-start',
    connectionTimeoutMillis: ANSWER_WITHIN_MS,
    query_timeout: ANSWER_WITHIN_MS,
  }).on('error', () => undefined);

async function isLost(asking: pg.Client, taking: pg.Client): Promise<boolean> {
  const statement = { name: `kasi_${randomUUID()}`, text: 'select 1' };
  await asking.query(statement);
  await taking.query('begin');
  try {
    await taking.query('select 1');
    await asking.query(statement);
    return false;
  } catch (error) {
    if (sqlState(error) === NO_SUCH_STATEMENT) return true;
    throw error;
  } finally {
    await taking.query('rollback');
  }
}

const describe = (setting: string): string =>
  `${setting} leads through a pooler that shares sessions and does not know statements with names, so requests would ` +
  'fail by chance: use PgBouncer 1.21 or newer with max_prepared_statements as in deploy/cluster/pgbouncer.ini, or ' +
  'lead past it.';
