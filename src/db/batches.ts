import { messageOf } from '../lib/errors.ts';
import { isContended, isUnavailable } from './transaction.ts';

/**
 * The one way in which jobs work through due rows: a batch in one transaction; if that fails, each item in a
 * transaction of its own; what fails alone is parked with an incident, so that it holds up nothing else. While the
 * database is away nothing is parked: every function here throws, and the next run starts over.
 */

type Log = (error: unknown, message: string) => void;

/** Whether an error stops the run. Contention does not: it says something about one item only. */
const stopsRun = (error: unknown): boolean => isUnavailable(error) && !isContended(error);

/**
 * Runs a batch in one transaction. Returns null when it failed and its items should run alone. Throws what `stops` says
 * stops the run: by default an unavailable database.
 */
export async function runTogether<T>(
  run: () => Promise<T>,
  onFailure: (error: unknown) => void,
  stops: (error: unknown) => boolean = stopsRun,
): Promise<T | null> {
  try {
    return await run();
  } catch (error) {
    if (stops(error)) throw error;
    onFailure(error);
    return null;
  }
}

/** How one item runs alone. */
export type AloneWork<Item> = {
  /** Does the item in a transaction of its own. */
  readonly run: (item: Item) => Promise<unknown>;
  /** Takes an item out of the queue and opens an incident, in one transaction. */
  readonly park: (item: Item, failure: string) => Promise<void>;
  /**
   * What becomes of an item that another transaction has locked: it stays in the queue, is parked, or stops the run.
   */
  readonly whenBusy: 'leave' | 'park' | 'stop';
  /** Names the item in logs, as in "payment pay_… is busy". */
  readonly describe: (item: Item) => string;
  readonly log: Log;
};

/** Runs one item. `busy`: another transaction has it, and it stays in the queue. */
export async function runAlone<Item>(item: Item, work: AloneWork<Item>): Promise<'done' | 'busy' | 'parked'> {
  try {
    await work.run(item);
    return 'done';
  } catch (error) {
    if (stopsRun(error) || (work.whenBusy === 'stop' && isContended(error))) throw error;
    if (work.whenBusy === 'leave' && isContended(error)) {
      work.log(error, `${work.describe(item)} is busy; it stays in the queue`);
      return 'busy';
    }
    work.log(error, `${work.describe(item)} failed and is parked`);
    await work.park(item, messageOf(error));
    return 'parked';
  }
}

/** How items run one by one that need not be parked: none of them is in the way of those behind it. */
export type EachWork<Item> = {
  /** Does the item in a transaction of its own. */
  readonly run: (item: Item) => Promise<unknown>;
  /** What failed, for the log. */
  readonly failure: (item: Item) => string;
  readonly log: Log;
  /** Ends the run before the next item. */
  readonly signal: AbortSignal;
};

/** Runs items one by one until the run is to end. One that fails stays for the next run, and keeps no other waiting. */
export async function runEach<Item>(items: readonly Item[], work: EachWork<Item>): Promise<void> {
  for (const item of items) {
    if (work.signal.aborted) return;
    try {
      await work.run(item);
    } catch (error) {
      if (stopsRun(error)) throw error;
      work.log(error, work.failure(item));
    }
  }
}

/** What is due: the first so many, and what names one. What becomes due during a run must not be among them. */
export type Due<Item> = {
  readonly list: (limit: number) => Promise<readonly Item[]>;
  readonly idOf: (item: Item) => string;
};

/**
 * Pages of what is due, until there is no more: each item once, after the page before has had its turn. What is still
 * due after that is passed over.
 */
export async function* duePages<Item>({ list, idOf }: Due<Item>, pageMax: number): AsyncGenerator<readonly Item[]> {
  const had = new Set<string>();
  for (let limit = pageMax; ; ) {
    const due = await list(limit);
    const next = due.filter((item) => !had.has(idOf(item)));
    yield next;
    if (due.length < limit) return;
    for (const item of next) had.add(idOf(item));
    limit = pageMax + due.length - next.length;
  }
}

/** Runs all items that are due one by one, each once, until there is none left or the run is to end. */
export async function runDue<Item>(due: Due<Item>, pageMax: number, work: EachWork<Item>): Promise<void> {
  if (work.signal.aborted) return;
  for await (const page of duePages(due, pageMax)) {
    await runEach(page, work);
    if (work.signal.aborted) return;
  }
}
