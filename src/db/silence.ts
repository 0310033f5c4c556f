import type { Socket } from 'node:net';
import pg from 'pg';
import { inTime } from '../lib/in-time.ts';
import { expectLosses } from './losses.ts';

/** At most five of these pass before a connection is given up: less than systemd waits for a process that is to end. */
const LOOK_EVERY_MS = 15_000;
const LOOKS = 3;
const ANSWER_WITHIN_MS = 5000;
/** A side that is gone without a word is noticed some ten seconds after this silence, by the system. */
const KEEP_ALIVE_AFTER_MS = 10_000;

/** How the connections are opened whose statements may take as long as they need. */
export const PATIENT = {
  connectionTimeoutMillis: 10_000,
  keepAlive: true,
  keepAliveInitialDelayMillis: KEEP_ALIVE_AFTER_MS,
} as const;

export type SilenceOptions = {
  /** For tests: less patience. */
  readonly lookEveryMs?: number;
  readonly answerWithinMs?: number;
  /** Whether the server waits for us, so that its silence says nothing. */
  readonly isOurTurn?: () => boolean;
};

/** What pg knows and its types do not say. */
type Inner = { readonly readyForQuery?: boolean };

/**
 * Ends a connection whose statement has no time limit, once its server is lost: a proxy on the way, or a network that
 * swallows everything, would keep the statement waiting for ever. While it waits and nothing comes or goes, the server
 * is asked over another connection whether it works at the statement. Returns what ends the watch.
 */
export function watchSilence(
  client: pg.Client,
  url: string,
  { lookEveryMs = LOOK_EVERY_MS, answerWithinMs = ANSWER_WITHIN_MS, isOurTurn = () => false }: SilenceOptions = {},
): () => void {
  const stream = client.connection.stream as Socket;
  // The server is asked for its number, because a pooler invents one. A connection that fails says so itself.
  const pid = client.query<{ pid: number }>('select pg_backend_pid() as pid').then(
    ({ rows }) => rows[0]?.pid,
    () => undefined,
  );
  let [moved, missed, isLooking] = [-1, 0, false];
  const look = async (): Promise<void> => {
    const now = stream.bytesRead + stream.bytesWritten;
    // What has come and was not taken yet waits for us, and not for the server.
    const isAnswerDue = (client as Inner).readyForQuery === false && stream.readableLength === 0 && !isOurTurn();
    const isSilent = isAnswerDue && now === moved;
    moved = now;
    missed = isSilent && !(await isAtWork(url, pid, answerWithinMs)) ? missed + 1 : 0;
    if (missed >= LOOKS) stream.destroy(lost());
  };
  const timer = setInterval(() => {
    if (isLooking) return;
    isLooking = true;
    void look().finally(() => {
      isLooking = false;
    });
  }, lookEveryMs).unref();
  return () => clearInterval(timer);
}

/** A pool of such connections. What is under way over one that is lost fails. */
export function openPatientPool(url: string, max: number): pg.Pool {
  const pool = new pg.Pool({ connectionString: url, max, ...PATIENT });
  expectLosses(pool, () => undefined);
  pool.on('connect', (client) => client.once('end', watchSilence(client as unknown as pg.Client, url)));
  return pool;
}

const lost = (): Error =>
  Object.assign(new Error('it does not answer, or has lost the connection'), { code: 'ETIMEDOUT' });

/** Whether the server works at the statement of a connection. One that has no room for us, or so it says, may do so. */
async function isAtWork(url: string, pid: Promise<number | undefined>, withinMs: number): Promise<boolean> {
  const other = new pg.Client({
    ...{ connectionString: url, application_name: 'kasi-look' },
    ...{ connectionTimeoutMillis: withinMs, query_timeout: withinMs },
  });
  other.on('error', () => undefined);
  try {
    await other.connect();
    // One that writes to us, or waits for us, while we wait for it, has lost us. What we may not see, as where the role
    // that logs in sets another one, or what is not tracked, tells only that it is there.
    const { rows } = await other.query(
      `select 1 from pg_stat_activity where pid = $1 and state is distinct from 'idle'
          and coalesce(state, '') not like 'idle in transaction%' and wait_event_type is distinct from 'Client'`,
      [await inTime(pid, 0).catch(() => undefined)],
    );
    return rows.length > 0;
  } catch (error) {
    return typeof (error as { code?: unknown }).code === 'string' && 'severity' in (error as object);
  } finally {
    await endSoon(other);
  }
}

/** Ends a connection; one that is lost, and does not answer the good-bye, is dropped. */
export async function endSoon(client: pg.Client): Promise<void> {
  await inTime(client.end(), ANSWER_WITHIN_MS).catch(() => undefined);
  client.connection.stream.destroy();
}
