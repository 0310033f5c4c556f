import { sql } from 'kysely';
import type { Subscribe } from '../lib/channels.ts';
import { monotonicMs } from '../lib/clock.ts';
import type { Trx } from '../lib/db-types.ts';
import { PREFIXES } from '../lib/ids.ts';

const LIFETIME_MS = 1000;
const ENTRIES_MAX = 10_000;
const HOLDER_PREFIXES = [`${PREFIXES.merchant}_`, `${PREFIXES.admin}_`];

/** The cached state of a session or an API key; it names at least the account holder. */
type OwnedCredential = { readonly holderId: string };

export type CredentialCache<T extends OwnedCredential> = {
  /** The credential's state, at most a second old; undefined for an unknown credential. */
  readonly find: (credential: string) => Promise<T | undefined>;
  /**
   * Drops a credential, or all credentials of an account holder, and caches nothing of them for a second. Call it
   * inside the transaction that changes them: it keeps a concurrent read from caching the old state until the commit
   * is announced.
   */
  readonly forget: (credentialOrHolderId: string) => void;
};

export type CredentialCacheOptions<T extends OwnedCredential> = {
  /** The prefix of this cache's credentials: of session ids, or of the public values of API keys. */
  readonly prefix: string;
  readonly load: (credential: string) => Promise<T | undefined>;
  readonly subscribe: Subscribe;
  /** Calls back when notifications may have been missed. */
  readonly onGap: (handle: () => void) => void;
};

/**
 * Caches the state of credentials for a second, so that a busy caller doesn't cost a query per request. A notification
 * on kasi_credential drops its credential at once; a gap in the notifications drops everything.
 */
export function createCredentialCache<T extends OwnedCredential>(
  options: CredentialCacheOptions<T>,
): CredentialCache<T> {
  const entries = new Map<string, { readonly value: Promise<T | undefined>; readonly until: number }>();
  const changing = new Map<string, number>();

  // The cache doesn't know which credentials belong to an account holder. Such changes are rare, so they drop
  // everything.
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

/** Makes every process drop a credential, or all credentials of an account holder, once the transaction commits. */
export async function announceCredentialChange(trx: Trx, credentialOrHolderId: string): Promise<void> {
  await sql`select pg_notify('kasi_credential', ${credentialOrHolderId})`.execute(trx);
}
