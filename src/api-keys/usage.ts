import { sql } from 'kysely';
import { after, MINUTE_MS } from '../lib/clock.ts';
import type { Db } from '../lib/db-types.ts';

const NOTED_MAX = 10_000;

/** Notes that a key was used, at most once a minute per key; the request doesn't wait for the write. */
export type KeyUsage = (keyId: string, real: Date) => void;

/**
 * Writes `last_used_at` in the background, one statement at a time for all keys used since the last one. A use that is
 * lost with its process doesn't matter: the next one writes again.
 */
export function createKeyUsage(db: Db, log: (error: unknown, message: string) => void): KeyUsage {
  const noted = new Map<string, number>();
  let waiting = new Map<string, Date>();
  let writing = false;

  const write = async (): Promise<void> => {
    writing = true;
    try {
      while (waiting.size > 0) {
        const batch = waiting;
        waiting = new Map();
        await writeUses(db, batch);
      }
    } catch (error) {
      log(error, 'the last use of API keys could not be written');
    } finally {
      writing = false;
    }
  };

  return (keyId, real) => {
    const minute = Math.floor(real.getTime() / MINUTE_MS);
    if (noted.get(keyId) === minute) return;
    if (noted.size >= NOTED_MAX) noted.clear();
    noted.set(keyId, minute);
    waiting.set(keyId, real);
    if (!writing) void write();
  };
}

/** Other processes write uses too, so rows that already have a use within the minute are skipped. */
async function writeUses(db: Db, uses: ReadonlyMap<string, Date>): Promise<void> {
  const ids = [...uses.keys()];
  const times = [...uses.values()];
  const newest = times.reduce((latest, time) => (time > latest ? time : latest));
  await sql`
    update api_keys k set last_used_at = u.at
      from unnest(${ids}::text[], ${times}::timestamptz[]) as u (id, at)
     where k.id = u.id and (k.last_used_at is null or k.last_used_at <= ${after(newest, -MINUTE_MS)})`.execute(db);
}
