import type pg from 'pg';
import { monotonicMs } from '../lib/clock.ts';
import type { Statement } from './described.ts';
import { onComplaint } from './in-use.ts';
import { isFarewell } from './losses.ts';
import { type PieceWire, pieceOf } from './pieces.ts';
import { isContended, isOutage } from './transaction.ts';

/** As many processes of PostgreSQL as keep two of its cores busy. */
export const LANES_MAX = 2;

/**
 * What a transaction on a lane may take, in milliseconds: others wait behind it. One that needs more goes over its own
 * connection, with the limits of all sessions.
 */
export const LANE_LIMITS = { lock_timeout: 50, statement_timeout: 1000 } as const;

/** So many go behind one another, so that none waits for long. */
const DEPTH_MAX = 4;
/** Nothing is sent behind what has had no answer for so long. */
const STALLED_MS = 20;
/** On a lane where one has waited for a lock too long, nothing goes behind another for so long. */
const ALONE_MS = 1000;
/** A lane without work goes back to its pool. */
const LINGER_MS = 1000;
/** After a connection that could not be had, none is asked for for so long. */
const REST_MS = 1000;
/** What a client emits when its connection is over. */
const LOSSES = ['error', 'end'] as const;

/** How one connection sends pieces. */
export type Way = {
  readonly wire: PieceWire;
  readonly query: (piece: object) => Promise<unknown>;
  /** Whether one piece is a transaction of the level that all code relies on (`askForLevel`). */
  readonly isDefault: () => boolean;
};

export type Lanes = {
  /**
   * Sends the statements of a whole transaction behind those of others. Undefined: no lane has room. Resolves with
   * false if it has changed nothing because it would have kept others waiting.
   */
  readonly send: (statements: readonly Statement[]) => Promise<boolean> | undefined;
  /** Ends the lanes, each after what it has to answer. The next transactions open others. */
  readonly leave: () => void;
  /** The same, and opens no others. */
  readonly close: () => void;
};

type Lane = Way & {
  readonly client: pg.PoolClient;
  /** Ends the lane once it has been without work for a while. */
  readonly idle: NodeJS.Timeout;
  readonly onLost: () => void;
  /** How many transactions have no answer yet. */
  out: number;
  /** Since when the first of them is what the server works on. */
  headSinceMs: number;
  /** Until when nothing goes behind another. */
  aloneUntilMs: number;
  isGone: boolean;
};

/**
 * Connections over which whole transactions of many callers go one behind the other, so that a process of PostgreSQL
 * finds the next when it has ended one. `pool` gives the connections, which pipeline. See decision db/lanes.
 */
export function openLanes(pool: pg.Pool, wayOf: (client: pg.ClientBase) => Way): Lanes {
  const lanes = new Set<Lane>();
  let opening = 0;
  let restUntilMs = 0;
  let isClosed = false;
  const release = (lane: Lane, isLost: boolean): void => {
    if (lane.isGone) return;
    lane.isGone = true;
    clearTimeout(lane.idle);
    for (const event of LOSSES) lane.client.off(event, lane.onLost);
    lanes.delete(lane);
    lane.client.release(isLost);
  };
  const retire = (lane: Lane): void => {
    lanes.delete(lane);
    if (lane.out === 0) release(lane, true);
  };
  const leave = (): void => {
    for (const lane of lanes) retire(lane);
  };
  hearFarewells(pool, lanes, retire);
  const open = async (): Promise<void> => {
    opening += 1;
    try {
      const client = await pool.connect();
      const onIdle = (): void => void (lane.out === 0 && release(lane, false));
      const lane = toLane(client, wayOf(client), { onIdle, onLost: () => retire(lane) });
      if (isClosed) release(lane, true);
      else lanes.add(lane);
    } catch {
      // Each transaction has a connection of its own, which says what is wrong.
      restUntilMs = monotonicMs() + REST_MS;
    } finally {
      opening -= 1;
    }
  };
  const end = (lane: Lane): void => {
    lane.out -= 1;
    if (lane.out > 0) return;
    if (lanes.has(lane)) lane.idle.refresh();
    else release(lane, true);
  };
  return {
    send: (statements) => {
      if (lanes.size + opening < LANES_MAX && !isClosed && monotonicMs() >= restUntilMs) void open();
      const lane = leastBusy([...lanes].filter((each) => hasRoom(each, statements)));
      return lane && sendOver(lane, statements, end, retire);
    },
    leave,
    close: () => {
      isClosed = true;
      leave();
    },
  };
}

function toLane(
  client: pg.PoolClient,
  way: Way,
  on: { readonly onIdle: () => void; readonly onLost: () => void },
): Lane {
  for (const event of LOSSES) client.once(event, on.onLost);
  return {
    ...way,
    client,
    idle: setTimeout(on.onIdle, LINGER_MS).unref(),
    onLost: on.onLost,
    ...{ out: 0, headSinceMs: 0, aloneUntilMs: 0, isGone: false },
  };
}

/** pg hears a farewell later (`losses.ts`), and nothing may be sent to a server that reads no more. */
const hearFarewells = (pool: pg.Pool, lanes: ReadonlySet<Lane>, retire: (lane: Lane) => void): void =>
  onComplaint(pool, (complaint, client) => {
    if (isFarewell(complaint)) for (const lane of lanes) if (lane.client === client) retire(lane);
  });

const leastBusy = (lanes: readonly Lane[]): Lane | undefined =>
  lanes.reduce<Lane | undefined>((least, lane) => (least && least.out <= lane.out ? least : lane), undefined);

/** Behind another goes only what needs nothing that the one before may fail to prepare. */
function hasRoom(lane: Lane, statements: readonly Statement[]): boolean {
  if (!lane.isDefault()) return false;
  if (lane.out === 0) return true;
  const nowMs = monotonicMs();
  return (
    lane.out < DEPTH_MAX &&
    nowMs - lane.headSinceMs < STALLED_MS &&
    nowMs >= lane.aloneUntilMs &&
    statements.every(({ exchange: { name } }) => name !== undefined && lane.wire.isPrepared(name))
  );
}

async function sendOver(
  lane: Lane,
  statements: readonly Statement[],
  end: (lane: Lane) => void,
  retire: (lane: Lane) => void,
): Promise<boolean> {
  if (lane.out === 0) lane.headSinceMs = monotonicMs();
  lane.out += 1;
  try {
    await lane.query(pieceOf(statements, lane.wire, { isForgiven: isContended }));
    return true;
  } catch (error) {
    if (isContended(error)) {
      lane.aloneUntilMs = monotonicMs() + ALONE_MS;
      return false;
    }
    if (isOutage(error)) retire(lane);
    throw error;
  } finally {
    lane.headSinceMs = monotonicMs();
    end(lane);
  }
}
