import { type Kysely, sql } from 'kysely';
import type { DB } from '../../generated/db.ts';
import { StartError } from '../lib/errors.ts';

/** The schema of a database: the migrations that were run, and the one that code has to know to run on it. */
export type SchemaState = { readonly done: readonly string[]; readonly runsSince: string | null };

/** What a release may do on a schema. `newer`: it can run, although a later release has migrated. */
export type SchemaVerdict =
  | { readonly kind: 'current' | 'newer' }
  | { readonly kind: 'older'; readonly missing: readonly string[] }
  | { readonly kind: 'too_new'; readonly newest: string; readonly needed: string | null };

/** Whether a release whose own migrations are these can run. See decision db/newer-schemas-run. */
export function judgeSchema({ done, runsSince }: SchemaState, own: readonly string[]): SchemaVerdict {
  const newest = done
    .filter((name) => !own.includes(name))
    .toSorted()
    .at(-1);
  if (newest !== undefined && (runsSince === null || !own.includes(runsSince))) {
    return { kind: 'too_new', newest, needed: runsSince };
  }
  const missing = own.filter((name) => !done.includes(name));
  if (missing.length > 0) return { kind: 'older', missing };
  return { kind: newest === undefined ? 'current' : 'newer' };
}

/** The sentence that refuses a start on such a schema; null when it can run. */
export function describeVerdict(verdict: SchemaVerdict): string | null {
  if (verdict.kind === 'older') {
    const { missing } = verdict;
    return (
      `The schema of the database is older than this release: ${missing.length} migrations are missing, the first is ` +
      `${missing[0]}. Run npx kasi migrate with DATABASE_OWNER_URL and DATABASE_URL, or start one process with ` +
      'MIGRATE=1 and DATABASE_OWNER_URL.'
    );
  }
  if (verdict.kind === 'too_new') {
    return (
      `The schema of the database was made by a newer release, up to ${verdict.newest}, and only code that knows ` +
      `${verdict.needed ?? 'all of it'} can run on it: start a release that does. Nothing was changed.`
    );
  }
  return null;
}

/** Reads it as any role that may read the tables; of an empty database nothing was run. */
export async function readSchema(db: Kysely<DB> | Kysely<unknown>): Promise<SchemaState> {
  const { rows: found } = await sql<{ migrated: boolean; marked: boolean }>`
    select to_regclass('public.kysely_migration') is not null as migrated,
           to_regclass('public.schema_compatibility') is not null as marked`.execute(db);
  const { migrated = false, marked = false } = found[0] ?? {};
  const { rows: done } = migrated
    ? await sql<{ name: string }>`select name from kysely_migration order by name`.execute(db)
    : { rows: [] };
  const { rows: marks } = marked
    ? await sql<{ runs_since: string }>`select runs_since from schema_compatibility`.execute(db)
    : { rows: [] };
  return { done: done.map(({ name }) => name), runsSince: marks[0]?.runs_since ?? null };
}

/** Throws StartError unless the release can run on the schema, and changes nothing. */
export async function requireSchema(db: Kysely<DB>, own: readonly string[]): Promise<void> {
  const problem = describeVerdict(judgeSchema(await readSchema(db), own));
  if (problem !== null) throw new StartError(problem);
}
