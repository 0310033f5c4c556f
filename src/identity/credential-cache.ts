import { sql } from 'kysely';
import type { Subscribe } from '../lib/channels.ts';
import { monotonicMs } from '../lib/clock.ts';
import type { Trx } from '../lib/db-types.ts';
import { PREFIXES } from '../lib/ids.ts';

const LIFETIME_MS = 1000;
const ENTRIES_MAX = 10_000;
const HOLDER_PREFIXES = [`${PREFIXES.merchant}_`, `${PREFIXES.admin}_`];

/** What a cache remembers of a session or an API key: at least whose it is. */
type OwnedCredential = { readonly holderId: string };

export type CredentialCache<T extends OwnedCredential> = {
  /** What stands in the database, or stood there at most a second ago; undefined when there is no such credential. */
  readonly find: (credential: string) => Promise<T | undefined>;
  /**
   * Forgets a credential, or all those of a principal, and remembers nothing of them for the next second. The process that makes a
   * change calls this inside the transaction, so that nobody brings the old state back before the commit is announced.
   */
  readonly forget: (credentialOrHolderId: string) => void;
};

export type CredentialCacheOptions<T extends OwnedCredential> = {
  /** How the credentials of this cache begin: the ids of sessions, the public values of API keys. */
  readonly prefix: string;
  readonly load: (credential: string) => Promise<T | undefined>;
  readonly subscribe: Subscribe;
  /** Calls back when announcements may have been missed. */
  readonly onGap: (handle: () => void) => void;
};

/**
 * Remembers for a second what credentials stand for, so that a busy caller does not cost a query a request. What is announced on
 * kasi_credential is forgotten at once; after a gap in the announcements, everything.
 */
export function createCredentialCache<T extends OwnedCredential>(
  options: CredentialCacheOptions<T>,
): CredentialCache<T> {
  const entries = new Map<string, { readonly value: Promise<T | undefined>; readonly until: number }>();
  const changing = new Map<string, number>();

  // Which credentials a principal has is not known here, and a change to a principal is rare: then everything goes.
  const drop = (id: string): void => {
    if (id.startsWith(options.prefix)) entries.delete(id);
    else if (HOLDER_PREFIXES.some((holder) => id.startsWith(holder))) entries.clear();
  };
  options.subscribe('kasi_credential', drop);
  options.onGap(() => entries.clear());

  const isChanging = (id: string): boolean => (changing.get(id) ?? 0) > monotonicMs();

  const load = (credential: string): Promise<T | undefined> => {
    if (entries.size >= ENTRIES_MAX) entries.clear();
    const entry = { value: options.load(credential), until: monotonicMs() + LIFETIME_MS };
    const forgetEntry = (): void => {
      if (entries.get(credential) === entry) entries.delete(credential);
    };
    entries.set(credential, entry);
    entry.value.then((found) => {
      if (found && isChanging(found.holderId)) forgetEntry();
    }, forgetEntry);
    return entry.value;
  };

  return {
    find: (credential) => {
      if (isChanging(credential)) return options.load(credential);
      const entry = entries.get(credential);
      return entry && entry.until > monotonicMs() ? entry.value : load(credential);
    },
    forget: (id) => {
      drop(id);
      for (const [past, until] of changing) if (until <= monotonicMs()) changing.delete(past);
      changing.set(id, monotonicMs() + LIFETIME_MS);
    },
  };
}

/** Tells every process, once the transaction commits, that a credential, or all those of a principal, may stand for something else now. */
export async function announceCredentialChange(trx: Trx, credentialOrHolderId: string): Promise<void> {
  await sql`select pg_notify('kasi_credential', ${credentialOrHolderId})`.execute(trx);
}
