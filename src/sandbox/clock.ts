import { sql } from 'kysely';
import { withDatabase } from '../db/database.ts';
import { hasTable } from '../db/has-table.ts';
import type { Subscribe } from '../lib/channels.ts';
import { type Clock, createClock, SECOND_MS } from '../lib/clock.ts';
import type { Db } from '../lib/db-types.ts';

export type SandboxClock = Clock & {
  /** Reads how far business time is ahead. Call it when a notification may have been missed. */
  readonly refresh: () => Promise<void>;
};

/**
 * The sandbox's clock: business time is wall time plus an offset, which is stored in the database, cached here, and
 * read again when any process moves it. The clock never goes back.
 */
export async function createSandboxClock(db: Db, subscribe: Subscribe): Promise<SandboxClock> {
  let offsetMs = 0;
  const refresh = async (): Promise<void> => {
    offsetMs = Math.max(offsetMs, await readOffset(db));
  };
  const refreshSoon = (): void => {
    // The database went away meanwhile: retry until it is back.
    refresh().catch(() => setTimeout(refreshSoon, SECOND_MS).unref());
  };
  subscribe('kasi_clock', refreshSoon);
  await refresh();
  return { ...createClock(() => offsetMs), refresh };
}

/**
 * How far business time is ahead, in milliseconds, for a process that has no clock yet; the database may not be
 * migrated. Throws when it does not answer.
 */
export const readClockOffset = (databaseUrl: string): Promise<number> =>
  withDatabase(databaseUrl, 'kasi-clock', async (db) => ((await hasTable(db, 'sandbox_clock')) ? readOffset(db) : 0));

/** Moves business time to `time`, unless it is there or beyond already. Every process hears of it after the commit. */
export async function moveClock(db: Db, clock: Clock, time: Date): Promise<void> {
  const offsetMs = BigInt(time.getTime() - clock.real().getTime());
  if (offsetMs <= 0n) return;
  await sql`
    with moved as (
      insert into sandbox_clock (id, offset_ms) values (1, ${offsetMs})
      on conflict (id) do update set offset_ms = excluded.offset_ms where sandbox_clock.offset_ms < excluded.offset_ms
      returning id
    )
    select pg_notify('kasi_clock', '') from moved`.execute(db);
}

/** How far business time is ahead of wall time, in milliseconds. */
export async function readOffset(db: Db): Promise<number> {
  const row = await db.selectFrom('sandbox_clock').select('offset_ms').where('id', '=', 1).executeTakeFirst();
  return Number(row?.offset_ms ?? 0n);
}
