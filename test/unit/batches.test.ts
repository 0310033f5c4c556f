import { describe, expect, test } from 'vitest';
import { type AloneWork, runAlone, runDue, runEach, runTogether } from '../../src/db/batches.ts';

const databaseError = (code: string): Error => Object.assign(new Error(`state ${code}`), { code });
const AWAY = databaseError('57P01');
const BUSY = databaseError('55P03');
const BROKEN = new Error('it is broken');

describe('a batch', () => {
  const run = async (error?: Error, stops?: (error: unknown) => boolean) => {
    const failures: unknown[] = [];
    const work = () => (error ? Promise.reject(error) : Promise.resolve(7));
    const result = await runTogether(work, (failure) => void failures.push(failure), stops);
    return { result, failures };
  };

  test('returns what its transaction returned', async () => {
    expect(await run()).toEqual({ result: 7, failures: [] });
  });

  test.each([BROKEN, BUSY])('that fails ($message) returns null, so that its items run alone', async (error) => {
    expect(await run(error)).toEqual({ result: null, failures: [error] });
  });

  test('throws while the database is away, and what the caller says stops the run', async () => {
    await expect(run(AWAY)).rejects.toBe(AWAY);
    await expect(run(BUSY, () => true)).rejects.toBe(BUSY);
  });
});

describe('an item alone', () => {
  const run = async (error: Error | undefined, whenBusy: AloneWork<string>['whenBusy']) => {
    const calls: string[] = [];
    const end = await runAlone<string>('pay_1', {
      run: () => (error ? Promise.reject(error) : Promise.resolve()),
      park: async (id, failure) => void calls.push(`park ${id}: ${failure}`),
      whenBusy,
      describe: (id) => `payment ${id}`,
      log: (_error, message) => void calls.push(message),
    });
    return [end, ...calls];
  };

  test('is done', async () => {
    expect(await run(undefined, 'leave')).toEqual(['done']);
  });

  test('that fails is parked with what went wrong', async () => {
    const parked = ['parked', 'payment pay_1 failed and is parked', 'park pay_1: it is broken'];
    expect(await run(BROKEN, 'leave')).toEqual(parked);
  });

  test('that another transaction has locked stays in the queue, is parked, or stops the run', async () => {
    expect(await run(BUSY, 'leave')).toEqual(['busy', 'payment pay_1 is busy; it stays in the queue']);
    expect(await run(BUSY, 'park')).toEqual([
      'parked',
      'payment pay_1 failed and is parked',
      'park pay_1: state 55P03',
    ]);
    await expect(run(BUSY, 'stop')).rejects.toBe(BUSY);
  });

  test('is never parked while the database is away', async () => {
    await expect(run(AWAY, 'park')).rejects.toBe(AWAY);
  });
});

describe('items one by one', () => {
  const run = async (error: Error, signal = new AbortController().signal) => {
    const calls: string[] = [];
    const end = await runEach(['a', 'b', 'c'], {
      run: async (item) => {
        calls.push(item);
        if (item === 'b') throw error;
      },
      failure: (item) => `${item} failed`,
      log: (_error, message) => void calls.push(message),
      signal,
    }).catch((thrown: unknown) => thrown);
    return { calls, end };
  };

  test.each([BROKEN, BUSY])('that fail ($message) are logged and keep no other waiting', async (error) => {
    expect(await run(error)).toEqual({ calls: ['a', 'b', 'b failed', 'c'], end: undefined });
  });

  test('stop while the database is away, and when the run is to end', async () => {
    expect(await run(AWAY)).toEqual({ calls: ['a', 'b'], end: AWAY });
    expect(await run(BROKEN, AbortSignal.abort())).toEqual({ calls: [], end: undefined });
  });
});

describe('all that is due', () => {
  /** Runs these in pages of two; those that fail stay due. */
  const run = async (items: string, fails: string, signal = new AbortController().signal) => {
    let due = [...items];
    const limits: number[] = [];
    const had: string[] = [];
    const list = async (limit: number) => {
      limits.push(limit);
      return due.slice(0, limit);
    };
    await runDue({ list, idOf: (item) => item }, 2, {
      run: async (item) => {
        had.push(item);
        if (fails.includes(item)) throw BROKEN;
        due = due.filter((each) => each !== item);
      },
      failure: (item) => `${item} failed`,
      log: () => undefined,
      signal,
    });
    return { had: had.join(''), limits, left: due.join('') };
  };

  test.each([
    ['', '', [2]],
    ['abcde', '', [2, 2, 2]],
    ['abcde', 'bd', [2, 2, 3, 3]],
    ['abcd', 'abcd', [2, 2, 4, 4, 6]],
  ])('of %j runs once each, also those behind what fails (%j)', async (items, fails, limits) => {
    expect(await run(items, fails)).toEqual({ had: items, limits, left: fails });
  });

  test('is left alone once the run is to end', async () => {
    expect(await run('ab', '', AbortSignal.abort())).toEqual({ had: '', limits: [], left: 'ab' });
  });
});
