import { setTimeout as sleep } from 'node:timers/promises';
import type { QueryResult, TransactionBuilder } from 'kysely';
import type { DB } from '../../generated/db.ts';
import type { Db, Sequence, TakenNumber, Trx, Wake } from '../lib/db-types.ts';
import { telling, WORK } from '../lib/work.ts';
import { takeNumber } from './numbers.ts';
import { NotSent } from './pieces.ts';

const RETRYABLE = new Set(['40001', '40P01']);
/** What of PostgreSQL finds a stale plan: its words are of the server's language, and its code says too little. */
const STALE_PLAN = 'RevalidateCachedQuery';
const ATTEMPTS_MAX = 5;
/** What `refuse_assumption` ends a transaction with. */
const REFUSED_ASSUMPTION = 'KA001';

/**
 * Runs `work` in one READ COMMITTED transaction, and again after a serialisation failure or deadlock, or when a
 * migration has changed a table under a prepared statement: at most five attempts. Sends its wakes after the commit;
 * see decision db/ring-after-commit.
 */
export async function inTransaction<T>(db: Db, work: (trx: Trx) => Promise<T>): Promise<T> {
  const run = (): Promise<T> => runTold(db, db.transaction().setIsolationLevel('read committed'), work);
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await (db.standbys ? db.standbys.write(run) : run());
    } catch (error) {
      if (attempt >= ATTEMPTS_MAX || !isRepeatable(error)) throw error;
      await sleep(attempt * 10 * (0.5 + Math.random()));
    }
  }
}

/** Whether something that a transaction assumed was not so. */
export const isRefusedAssumption = (error: unknown): boolean => sqlState(error) === REFUSED_ASSUMPTION;

const isRepeatable = (error: unknown): boolean =>
  RETRYABLE.has(sqlState(error) ?? '') || (error as { routine?: unknown } | null)?.routine === STALE_PLAN;

/** Runs `work` read-only on one snapshot of the database. */
export const inSnapshot = <T>(db: Db, work: (trx: Trx) => Promise<T>): Promise<T> =>
  runTold(db, db.transaction().setIsolationLevel('repeatable read').setAccessMode('read only'), work);

const runTold: typeof runOnce = (db, opening, work) =>
  telling(
    WORK.transaction,
    () => ({}),
    () => runOnce(db, opening, work),
  );

async function runOnce<T>(db: Db, opening: TransactionBuilder<DB>, work: (trx: Trx) => Promise<T>): Promise<T> {
  const wakes: Wake[] = [];
  const wake: Trx['wake'] = (channel, payload = '') => void wakes.push({ channel, payload });
  const late = lateStatements();
  const taken: { readonly sequence: Sequence; readonly next: TakenNumber }[] = [];
  const cause = firstCause();
  const result = await opening
    .execute(async (trx) => {
      // Of a transaction's connection Kysely takes one statement at a time.
      const connection = await trx.getExecutor().provideConnection(async (found) => found);
      const later: Trx['later'] = (query, then) => late.add(connection.executeQuery(query.compile(trx)), then);
      const checking = openChecks(later);
      const number: Trx['number'] = async (sequence) => {
        const next = await takeNumber(db, trx, sequence);
        taken.push({ sequence, next });
        return next;
      };
      const { check, isUnchecked } = checking;
      const all = Object.assign(trx, { wake, later, check, isUnchecked, number });
      const answer = await work(all).catch((error: unknown) => {
        checking.drop();
        return cause.note(error);
      });
      late.requireNone();
      checking.send();
      return answer;
    })
    .catch(cause.rethrow)
    .catch(late.rethrow)
    .catch((error: unknown) => {
      // A request that comes again under its key would use one up each time. PostgreSQL has stored nothing for sure.
      if (isRefusedAssumption(error)) for (const { sequence, next } of taken) db.giveBack(sequence, next);
      throw error;
    });
  await late.settled();
  db.ring(wakes);
  return result;
}

/** Checks wait until what comes with them is on the line, which is sent when no promise is left (`pieces.ts`). */
function openChecks(later: Trx['later']) {
  let waiting: (() => void)[] = [];
  const drop = (): void => {
    waiting = [];
  };
  const send = (): void => {
    const due = waiting;
    drop();
    for (const sendOne of due) sendOne();
  };
  const check: Trx['check'] = (query, then) => {
    const sendOne = (): void => later(query, then);
    waiting.push(sendOne);
    process.nextTick(send);
    return () => {
      const at = waiting.indexOf(sendOne);
      if (at >= 0) waiting.splice(at, 1);
      return at >= 0;
    };
  };
  return { check, send, drop, isUnchecked: () => waiting.length > 0 };
}

/** Where the connection is lost, the rollback fails as well, and Kysely would tell of that alone. */
function firstCause() {
  let first: { readonly error: unknown } | undefined;
  return {
    note: (error: unknown): never => {
      first = { error };
      throw error;
    },
    rethrow: (error: unknown): never => {
      throw first ? first.error : error;
    },
  };
}

/** The statements of a transaction that nobody waits for. The first that fails is why the transaction fails. */
function lateStatements() {
  const sent: Promise<void>[] = [];
  let failure: { readonly error: unknown } | undefined;
  const requireNone = (): void => {
    if (failure) throw failure.error;
  };
  const settled = async (): Promise<void> => {
    await Promise.all(sent);
    requireNone();
  };
  return {
    requireNone,
    settled,
    add: (result: Promise<QueryResult<unknown>>, then: (result: QueryResult<unknown>) => void = () => {}): void => {
      const isOver = result.then(then).catch((error: unknown) => {
        if (!(error instanceof NotSent)) failure ??= { error };
      });
      sent.push(isOver);
    },
    /** What was thrown meanwhile may only say that the transaction has failed. */
    rethrow: async (error: unknown): Promise<never> => {
      await settled();
      throw error;
    },
  };
}

/** PostgreSQL's five-character error code (SQLSTATE), or undefined for other errors, such as EPIPE of the system. */
export function sqlState(error: unknown): string | undefined {
  const code = (error as { code?: unknown } | null)?.code;
  return typeof code === 'string' && /^(?!E)[0-9A-Z]{5}$/.test(code) ? code : undefined;
}

/**
 * Error classes that pass by themselves: connection, a primary that has become a standby, a session that was ended
 * because its process slept within a transaction, a connection that is not let in, serialisation, resources, locks,
 * operator intervention, system errors.
 */
const PASSING = /^(08|25006|25P0[34]|28|3D000|40|53|55|57|58)/;
const CONNECTION_LOST =
  /connection (terminated|ended|error)|not queryable|timeout exceeded|read timeout|client was closed/i;
const SOCKET = /^(ECONN|EPIPE|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|ENOTFOUND|EAI_AGAIN)/;
/** What could not connect, for whatever reason: a server by a path has no socket while it starts, a process no file. */
const CONNECTING = 'connect';

/** Whether an error means that the database is unavailable for now, rather than that the statement is wrong. */
export function isUnavailable(error: unknown): boolean {
  const state = sqlState(error);
  if (state) return PASSING.test(state);
  const { code, message, syscall } = (error ?? {}) as { code?: unknown; message?: unknown; syscall?: unknown };
  return (
    syscall === CONNECTING ||
    (typeof code === 'string' && SOCKET.test(code)) ||
    (typeof message === 'string' && CONNECTION_LOST.test(message))
  );
}

/** Whether the database itself is away, and not only this statement's turn: what fails so fails for everybody. */
export function isOutage(error: unknown): boolean {
  const state = sqlState(error);
  return state ? /^(08|25006|57P)/.test(state) : isUnavailable(error);
}

/**
 * Another transaction has the lock, or one statement took too long: this piece of work has to wait, others need not.
 */
const CONTENDED = new Set(['40001', '40P01', '55P03', '57014']);

/** Whether a passing error concerns only this piece of work, and not the others of a batch. */
export const isContended = (error: unknown): boolean => CONTENDED.has(sqlState(error) ?? '');
