import { type Kysely, sql } from 'kysely';
import type { DB } from '../../generated/db.ts';

type Settings = {
  readonly synchronous_commit: string;
  readonly fsync: string;
  readonly full_page_writes: string;
  readonly standbys: string;
};

/** A sentence with its cure; `isSure`: not a way of some providers, which keep what is written elsewhere. */
type Loss = { readonly text: string; readonly isSure: boolean };

/**
 * Why a commit that was acknowledged may be lost. A payout that was begun by it would be begun again, and what
 * merchants were told would not be true. Empty where none is, of the session that asks.
 */
export async function findLossyCommits(db: Kysely<DB>): Promise<Loss[]> {
  const { rows } = await sql<Settings>`
    select current_setting('synchronous_commit') as synchronous_commit, current_setting('fsync') as fsync,
           current_setting('full_page_writes') as full_page_writes,
           current_setting('synchronous_standby_names') as standbys`.execute(db);
  return rows.flatMap((settings) => [...findUnsynced(settings), ...findUnwaited(settings)]);
}

/** Of the whole server, and only its configuration has these. */
function findUnsynced({ fsync, full_page_writes: whole }: Settings): Loss[] {
  const off = [...(fsync === 'off' ? ['fsync'] : []), ...(whole === 'off' ? ['full_page_writes'] : [])];
  if (off.length === 0) return [];
  const text =
    `PostgreSQL runs with ${off.join(' and ')} off, so a crash of its machine can lose commits and break tables, and a ` +
    'payout may be paid twice: turn on what is off, unless your provider or file system is made for that';
  return [{ text, isSure: false }];
}

/** Sessions ask for `on`, so anything else comes of a pooler. */
function findUnwaited({ synchronous_commit: commit, standbys }: Settings): Loss[] {
  const waits = commit === 'off' ? 'for its disk' : commit === 'local' && standbys !== '' ? 'for its standby' : null;
  if (waits === null) return [];
  const text =
    `synchronous_commit is ${commit}, so a commit does not wait ${waits}, a crash loses it, and a payout may be paid ` +
    'twice: a pooler leaves out that sessions ask for on, so let the role have it (npx kasi database roles sets it), ' +
    'or turn it on for the server';
  return [{ text, isSure: true }];
}
