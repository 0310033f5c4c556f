import type { EventEmitter } from 'node:events';
import type pg from 'pg';

/** PostgreSQL refused to write: the server is a standby, or its sessions are set to read. */
const READ_ONLY = '25006';

/**
 * Closes every connection of a pool once a server has refused to write on one of them: what was the primary when it
 * connected is one no more, and its sessions, which still answer reads, would fail every write. See decision
 * db/a-demoted-primary-is-left.
 */
export function leaveWhenDemoted(pool: pg.Pool): void {
  const all = new Set<pg.PoolClient>();
  const busy = new Set<pg.PoolClient>();
  const left = new WeakSet<pg.PoolClient>();
  const leaveAll = (): void => {
    for (const client of all) {
      left.add(client);
      // The pool takes an idle one whose socket has failed off its list; a busy one goes when it is released.
      if (!busy.has(client)) client.connection.stream.destroy(new Error('the server does not write any more'));
    }
  };
  pool.on('connect', (client) => {
    all.add(client);
    busy.add(client);
    const { connection } = client as unknown as { readonly connection: EventEmitter };
    connection.on('errorMessage', ({ code }: { readonly code?: string }) => {
      if (code === READ_ONLY && !left.has(client)) leaveAll();
    });
  });
  pool.on('acquire', (client) => void busy.add(client));
  pool.on('release', (_error, client) => {
    busy.delete(client);
    if (left.has(client)) void client.end();
  });
  pool.on('remove', (client) => {
    all.delete(client);
    busy.delete(client);
  });
}
