import { afterAll, beforeAll, expect, test } from 'vitest';
import { openDatabase } from '../../src/db/database.ts';
import { followIncident, openIncident } from '../../src/incidents/incidents.ts';
import { incidentJobs } from '../../src/incidents/jobs.ts';
import type { Db } from '../../src/lib/db-types.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';

let database: TestDatabase;
let db: Db;
beforeAll(async () => {
  database = await createTestDatabase();
  db = openDatabase({ url: database.url, poolMax: 3, applicationName: 'incident-log-test', onError: () => {} });
});
afterAll(async () => {
  await db.destroy();
  await database.drop();
});

const NOW = new Date('2026-01-01T10:00:00Z');
const run = { now: NOW, real: NOW, signal: new AbortController().signal };

test('each incident is logged once as one line, also when the process dies before it can say that it has', async () => {
  const lines: unknown[] = [];
  let dies = true;
  const note = (fields: object, message: string): void => {
    if (dies) throw new Error('killed');
    lines.push({ ...fields, message });
  };
  const [log] = incidentJobs({ db, note, post: null, worker: 'a', log: () => undefined });
  await openIncident(db, { kind: 'watcher.blind', subject: 'base', message: 'Nothing new.' }, NOW);
  await expect(log?.run(run)).rejects.toThrow('killed');
  dies = false;
  await Promise.all([log?.run(run), log?.run(run)]);
  await log?.run(run);
  expect(lines).toEqual([
    {
      message: 'incident watcher.blind: Nothing new.',
      incident: expect.objectContaining({
        kind: 'watcher.blind',
        subject: 'base',
        network: 'base',
        severity: 'critical',
      }),
    },
  ]);
});

test('what lasts is not written again for a figure that changes with each look, but for other words, or after a minute', async () => {
  const subject = 'base';
  const follow = (message: string, afterMs: number): Promise<void> =>
    followIncident(db, { kind: 'subscription.network', subject, message }, new Date(NOW.getTime() + afterMs));
  const read = () =>
    db
      .selectFrom('incidents')
      .select(['message', 'count'])
      .where('kind', '=', 'subscription.network')
      .executeTakeFirstOrThrow();
  await follow('gas costs 31000000007 wei, and the limit is 30000000000', 0);
  for (let second = 1; second < 50; second += 1)
    await follow(`gas costs 3${second} wei, and the limit is 3`, second * 1000);
  expect(await read()).toEqual({ message: 'gas costs 31000000007 wei, and the limit is 30000000000', count: 1 });
  await follow('gas costs 5 wei, and the limit is 3', 61_000);
  expect(await read()).toEqual({ message: 'gas costs 5 wei, and the limit is 3', count: 2 });
  await follow('the collector is paused', 62_000);
  expect(await read()).toEqual({ message: 'the collector is paused', count: 3 });
});
