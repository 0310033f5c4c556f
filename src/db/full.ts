import type pg from 'pg';
import { MINUTE_MS, monotonicMs } from '../lib/clock.ts';
import { onComplaint } from './in-use.ts';

/** The disk that the server writes to has no room: reads go on, and what needs a new page or a new segment fails. */
export const DISK_FULL = '53100';

/** The source file of PostgreSQL that says the same of shared memory, which a container may have too little of. */
const SHARED_MEMORY = 'dsm_impl.c';

/** Jobs write each minute, so one that is full is met again until then. */
const REMEMBERED_MS = MINUTE_MS;

const metAtMs = new WeakMap<pg.Pool, number>();

/** Remembers when a server said on a connection of the pool that its disk is full. */
export function rememberFullDisk(pool: pg.Pool, elapsedMs: () => number = monotonicMs): void {
  onComplaint(pool, ({ code, file }) => {
    if (code === DISK_FULL && file !== SHARED_MEMORY) metAtMs.set(pool, elapsedMs());
  });
}

/** Whether a statement of the pool has failed for that within the last minute. */
export const hasMetFullDisk = (pool: pg.Pool, elapsedMs: () => number = monotonicMs): boolean =>
  elapsedMs() - (metAtMs.get(pool) ?? Number.NEGATIVE_INFINITY) < REMEMBERED_MS;
