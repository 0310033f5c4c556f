import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { monotonicMs } from '../lib/clock.ts';
import type { Db } from '../lib/db-types.ts';
import type { Listener } from './listen.ts';

/** A notification takes milliseconds; the health checks of proxies wait for seconds. */
const WITHIN_MS = 1000;
/** However often it is asked, PostgreSQL is asked once in this time. */
const KEPT_MS = 1000;

export type Echo = () => Promise<boolean>;

/**
 * Whether a NOTIFY that goes out through the pool comes back to the listener. If it does not, although it was sent, the
 * listener connects anew: its connection may be one that a router has forgotten, or of a server that was the primary.
 */
export function createEcho(
  db: Db,
  listener: Pick<Listener, 'on' | 'isListening' | 'renew'>,
  withinMs = WITHIN_MS,
): Echo {
  let last: { readonly heard: Promise<boolean>; readonly untilMs: number } | undefined;
  const waiting = new Map<string, () => void>();
  listener.on('kasi_echo', (id) => waiting.get(id)?.());

  const send = async (): Promise<boolean> => {
    if (!listener.isListening()) return false; // It connects again by itself.
    const id = randomUUID();
    const heard = new Promise<boolean>((resolve) => waiting.set(id, () => resolve(true)));
    const ending = new AbortController();
    try {
      await sql`select pg_notify('kasi_echo', ${id})`.execute(db);
      const late = sleep(withinMs, false, { signal: ending.signal }).catch(() => false);
      const isHeard = await Promise.race([heard, late]);
      if (!isHeard) listener.renew();
      return isHeard;
    } catch {
      return false; // The database is away, which another check says.
    } finally {
      ending.abort();
      waiting.delete(id);
    }
  };
  return () => {
    if (last === undefined || last.untilMs <= monotonicMs()) last = { heard: send(), untilMs: monotonicMs() + KEPT_MS };
    return last.heard;
  };
}
