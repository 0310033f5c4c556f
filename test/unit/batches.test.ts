import { describe, expect, test } from 'vitest';
import { type AloneWork, runAlone, runTogether } from '../../src/db/batches.ts';

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
