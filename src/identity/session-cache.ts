import type { Subscribe } from '../lib/channels.ts';
import { monotonicMs } from '../lib/clock.ts';
import { PREFIXES } from '../lib/ids.ts';

const LIFETIME_MS = 1000;
const ENTRIES_MAX = 10_000;

/** What a cache remembers of a session: at least whose it is. */
type Held = { readonly holderId: string };

export type SessionCache<T extends Held> = {
  /** What stands in the database, or stood there at most a second ago; undefined when there is no such session. */
  readonly find: (sessionId: string) => Promise<T | undefined>;
  /**
   * Forgets a session, or all sessions of a principal, and remembers nothing of them for the next second. The process that makes a
   * change calls this inside the transaction, so that nobody brings the old state back before the commit is announced.
   */
  readonly forget: (sessionOrHolderId: string) => void;
};

export type SessionCacheOptions<T extends Held> = {
  readonly load: (sessionId: string) => Promise<T | undefined>;
  readonly subscribe: Subscribe;
  /** Calls back when announcements may have been missed. */
  readonly onGap: (handle: () => void) => void;
};

/**
 * Remembers sessions for a second, so that a busy caller does not cost a query a request. What is announced on kasi_session is
 * forgotten at once; after a gap in the announcements, everything.
 */
export function createSessionCache<T extends Held>(options: SessionCacheOptions<T>): SessionCache<T> {
  const entries = new Map<string, { readonly value: Promise<T | undefined>; readonly until: number }>();
  const changing = new Map<string, number>();

  // Which sessions a principal has is not known here, and a change to a principal is rare: then everything goes.
  const drop = (id: string): void => {
    if (id.startsWith(`${PREFIXES.session}_`)) entries.delete(id);
    else entries.clear();
  };
  options.subscribe('kasi_session', drop);
  options.onGap(() => entries.clear());

  const isChanging = (id: string): boolean => (changing.get(id) ?? 0) > monotonicMs();

  const load = (sessionId: string): Promise<T | undefined> => {
    if (entries.size >= ENTRIES_MAX) entries.clear();
    const entry = { value: options.load(sessionId), until: monotonicMs() + LIFETIME_MS };
    const forgetEntry = (): void => {
      if (entries.get(sessionId) === entry) entries.delete(sessionId);
    };
    entries.set(sessionId, entry);
    entry.value.then((found) => {
      if (found && isChanging(found.holderId)) forgetEntry();
    }, forgetEntry);
    return entry.value;
  };

  return {
    find: (sessionId) => {
      if (isChanging(sessionId)) return options.load(sessionId);
      const entry = entries.get(sessionId);
      return entry && entry.until > monotonicMs() ? entry.value : load(sessionId);
    },
    forget: (id) => {
      drop(id);
      for (const [past, until] of changing) if (until <= monotonicMs()) changing.delete(past);
      changing.set(id, monotonicMs() + LIFETIME_MS);
    },
  };
}
