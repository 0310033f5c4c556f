import type { EventEmitter } from 'node:events';
import type pg from 'pg';

/** What a server says that fails a statement or ends a connection. */
export type Complaint = { readonly severity?: string; readonly code?: string; readonly file?: string };

/** Where pg hears what the server says over a connection. */
export const wireOf = (client: pg.PoolClient): EventEmitter =>
  (client as unknown as { readonly connection: EventEmitter }).connection;

/** Calls `hear` with each complaint of a server, at once, over whichever connection of the pool. */
export function onComplaint(pool: pg.Pool, hear: (complaint: Complaint, client: pg.PoolClient) => void): void {
  pool.on('connect', (client) => wireOf(client).on('errorMessage', (complaint: Complaint) => hear(complaint, client)));
}

const followed = new WeakMap<pg.Pool, Map<pg.PoolClient, boolean>>();

/** The connections of a pool, which is new, and of each whether it is in use. */
export function followUse(pool: pg.Pool): ReadonlyMap<pg.PoolClient, boolean> {
  const known = followed.get(pool);
  if (known) return known;
  const inUse = new Map<pg.PoolClient, boolean>();
  followed.set(pool, inUse);
  pool.on('acquire', (client) => void inUse.set(client, true));
  pool.on('release', (_error, client) => void inUse.set(client, false));
  pool.on('remove', (client) => void inUse.delete(client));
  return inUse;
}
