import { expect, test } from 'vitest';
import { conflict } from '../../src/lib/errors.ts';
import { forEachPayout } from '../../src/payouts/batch.ts';

/** What PostgreSQL says when a lock takes too long. */
const lockTimeout = () => Object.assign(new Error('canceling statement due to lock timeout'), { code: '55P03' });

test('a payout that waits too long for its lock is tried again, and no other', async () => {
  const tries = new Map<string, number>();
  const batch = await forEachPayout(['rf_1', 'rf_2', 'rf_3'], async (id) => {
    const tried = (tries.get(id) ?? 0) + 1;
    tries.set(id, tried);
    if (id === 'rf_2' && tried < 3) throw lockTimeout();
    if (id === 'rf_3') throw conflict('Not now.', 'payout_not_found');
  });
  expect(batch).toMatchObject({ done: ['rf_1', 'rf_2'], refused: [{ id: 'rf_3' }] });
  expect([...tries.values()]).toEqual([1, 3, 1]);
});

test('one whose lock is never free fails the batch once all others have ended', async () => {
  const done: string[] = [];
  const work = async (id: string) => {
    if (id === 'wd_1') throw lockTimeout();
    done.push(id);
  };
  await expect(forEachPayout(['wd_1', 'wd_2'], work)).rejects.toMatchObject({ code: '55P03' });
  expect(done).toEqual(['wd_2']);
});
