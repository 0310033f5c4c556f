import { sql } from 'kysely';
import { withDatabase } from '../../src/db/database.ts';
import { findLossyCommits } from '../../src/db/durability.ts';
import type { Db } from '../../src/lib/db-types.ts';
import { messageOf } from '../../src/lib/errors.ts';
import { readServer } from '../lib/same-server.ts';
import { type Line, ok, type Patient, problem, warning } from './line.ts';

const OWNER = 'DATABASE_OWNER_URL';

/** Whether it writes. Reads alone would say that all is well while no payment can be made. */
export async function examineWrites(db: Db): Promise<Line[]> {
  const { rows } = await sql<{ recovers: boolean; only_reads: boolean }>`
    select pg_is_in_recovery() as recovers, current_setting('transaction_read_only')::bool as only_reads`.execute(db);
  const { recovers = false, only_reads = false } = rows[0] ?? {};
  if (recovers)
    return [
      problem(
        'DATABASE_URL leads to a standby, which takes no writes: name the server that leads now, or promote this one if ' +
          'none does',
      ),
    ];
  if (!only_reads) return [ok('it takes them')];
  return [
    problem(
      'sessions of DATABASE_URL only read (default_transaction_read_only is on, which providers set when a disk is ' +
        'full): mend why, then turn it off for the database and the role',
    ),
  ];
}

/** Whether what was acknowledged survives a crash. A sandbox has nothing to lose. */
export async function examineCommits({ config, db }: Pick<Patient, 'config' | 'db'>): Promise<Line[]> {
  if (config.mode === 'sandbox') return [ok('of a sandbox: whether they survive a crash is not asked')];
  const losses = await findLossyCommits(db);
  if (losses.length === 0) return [ok('they wait for the disk')];
  return losses.map(({ text, isSure }) => (isSure ? problem(text) : warning(text)));
}

/**
 * Whether the owner's URL leads where that of the processes does. After a failover one of them is easily forgotten; a
 * backup would then be of what the former server has.
 */
export async function examineOwner({ config, db, url }: Pick<Patient, 'config' | 'db' | 'url'>): Promise<Line[]> {
  const ownerUrl = config.databaseOwnerUrl;
  if (ownerUrl === null) return [ok(`${OWNER} is not set here: nothing to compare`)];
  // A sandbox may have one role for all.
  if (ownerUrl === url && config.mode === 'sandbox') return [ok('the role of DATABASE_URL owns all')];
  const compared = withDatabase(ownerUrl, 'kasi-doctor', async (owner) => {
    const [ours, theirs] = await Promise.all([readServer(db), readServer(owner)]);
    if (theirs.server !== ours.server) return describeOther(theirs.recovers);
    if (theirs.owns) return ok(`${OWNER} leads to the same database, and ${theirs.role} owns its tables`);
    return problem(
      `The role ${theirs.role} of ${OWNER} does not own the tables: use the owner's, which npx kasi database roles makes`,
    );
  });
  return [await compared.catch((error: unknown) => problem(`${OWNER} can not be used: ${messageOf(error)}`))];
}

const describeOther = (recovers: boolean): Line =>
  problem(
    recovers
      ? `${OWNER} leads to a standby, which can not be migrated, and of which a backup lacks what has not reached it: ` +
          'name the server of DATABASE_URL'
      : `${OWNER} leads to another server or database than DATABASE_URL, such as the one from before a failover: a ` +
          'backup would be a copy of that one, and a migration would change it; name the same in both',
  );
