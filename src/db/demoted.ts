import type pg from 'pg';
import { followUse, onComplaint } from './in-use.ts';

/** PostgreSQL refused to write: the server is a standby, or its sessions are set to read. */
const READ_ONLY = '25006';

/** What pools of one server do once it has refused to write on a connection of any of them. */
export type Leaving = Set<() => void>;

/**
 * Closes every connection of a pool once a server has refused to write on one of them, or of those that leave with it:
 * what was the primary when it connected is one no more, and its sessions, which still answer reads, would fail every
 * write. `onLeave` is called first. See decision db/a-demoted-primary-is-left.
 */
export function leaveWhenDemoted(pool: pg.Pool, onLeave: () => void, together: Leaving = new Set()): void {
  const inUse = followUse(pool);
  const left = new WeakSet<pg.PoolClient>();
  together.add(() => {
    onLeave();
    for (const [client, isInUse] of inUse) {
      left.add(client);
      // The pool takes an idle one whose socket has failed off its list; a busy one goes when it is released.
      if (!isInUse) client.connection.stream.destroy(new Error('the server does not write any more'));
    }
  });
  onComplaint(pool, ({ code }, client) => {
    if (code === READ_ONLY && !left.has(client)) for (const leave of together) leave();
  });
  pool.on('release', (_error, client) => {
    if (left.has(client)) void client.end();
  });
}
