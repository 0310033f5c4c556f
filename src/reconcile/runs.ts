import { type RawBuilder, sql } from 'kysely';
import { MINUTE_MS } from '../lib/clock.ts';
import type { Db } from '../lib/db-types.ts';

/** The nightly comparisons: of the ledger with itself, and with the chains. */
export type Scope = 'ledger' | 'chains';

/** One that has begun. */
export type Run = { readonly scope: Scope; readonly beganAt: Date };

const ALIVE_EVERY_MS = MINUTE_MS;
/** One that has said nothing for so long has lost its process. */
const SILENT_FOR = sql`interval '10 minutes'`;
/** A process that was killed by what it compares would be killed all night. */
const ATTEMPTS_MAX = 2;

/** Never before it began: the clock of its process may be ahead. */
const aliveAt = (beganAt: RawBuilder<Date>) => sql`greatest(clock_timestamp(), ${beganAt})`;

/** Notes that one begins. Returns when the one before began, if that never came to its end. */
export async function beginRun(db: Db, scope: Scope, real: Date): Promise<Date | undefined> {
  const began = sql<Date>`${real}::timestamptz`;
  const { rows } = await sql<{ cut: Date | null }>`
    with before as (select began_at from reconcile_runs where scope = ${scope} and ended_at is null)
    insert into reconcile_runs (scope, began_at, alive_at) values (${scope}, ${began}, ${aliveAt(began)})
    on conflict (scope) do update
      set began_at = excluded.began_at, alive_at = excluded.alive_at, ended_at = null, attempt = 1
    returning (select began_at from before) as cut`.execute(db);
  return rows[0]?.cut ?? undefined;
}

const isCut = sql<boolean>`
  ended_at is null and attempt <= ${ATTEMPTS_MAX}
  and alive_at >= began_at and alive_at < clock_timestamp() - ${SILENT_FOR}`;

/** Whether one has lost its process. */
export const isAnyCut = (): RawBuilder<boolean> => sql<boolean>`exists (select from reconcile_runs where ${isCut})`;

/** One that had lost its process: to be told of, and to be repeated unless that was tried. */
export type Cut = { readonly scope: Scope; readonly cut: Date; readonly isRepeated: boolean };

/** Begins anew one that has lost its process. */
export async function repeatCut(db: Db, real: Date): Promise<Cut | undefined> {
  const { rows } = await sql<Cut>`
    with lost as (
      select scope, began_at from reconcile_runs where ${isCut} order by scope desc limit 1 for update skip locked)
    update reconcile_runs run
       set attempt = attempt + 1,
           began_at = case when attempt < ${ATTEMPTS_MAX} then ${real}::timestamptz else run.began_at end,
           alive_at = case when attempt < ${ATTEMPTS_MAX} then ${aliveAt(sql`${real}::timestamptz`)} else alive_at end
      from lost where run.scope = lost.scope
    returning run.scope, lost.began_at as cut, attempt <= ${ATTEMPTS_MAX} as "isRepeated"`.execute(db);
  return rows[0];
}

/** Says once a minute, for as long as `work` takes, that it runs. Where that can not be said, it is said later. */
export async function sayingAlive<T>(
  db: Db,
  { scope, beganAt }: Run,
  work: () => Promise<T>,
  everyMs = ALIVE_EVERY_MS,
): Promise<T> {
  const say = (): void =>
    void sql`
      update reconcile_runs set alive_at = ${aliveAt(sql`began_at`)}
       where scope = ${scope} and began_at = ${beganAt} and ended_at is null`
      .execute(db)
      .catch(() => undefined);
  const timer = setInterval(say, everyMs);
  try {
    return await work();
  } finally {
    clearInterval(timer);
  }
}

/** Notes that it has come to its end, or that an incident tells why not. */
export async function endRun(db: Db, { scope, beganAt }: Run, real: Date): Promise<void> {
  await sql`
    update reconcile_runs set ended_at = ${real} where scope = ${scope} and began_at = ${beganAt}`.execute(db);
}
