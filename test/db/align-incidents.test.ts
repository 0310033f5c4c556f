import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { listen } from '../../scripts/bench/explain.ts';
import { alignIncidents } from '../../src/incidents/incidents.ts';
import { connectTestDatabase, type TestConnection } from '../support/connection.ts';

const NOW = new Date('2026-06-01T00:00:00.000Z');
const UNCONFIRMED = { kind: 'subscription.unconfirmed', message: 'It waits.' } as const;

let connection: TestConnection;
beforeAll(async () => {
  connection = await connectTestDatabase();
});
afterAll(() => connection.close());
beforeEach(() => sql`delete from incidents`.execute(connection.db));

/** A query of so many subjects from one on. */
const subjects = (from: number, to: number) => sql`select 'chg_' || n from generate_series(${from}::int, ${to}::int) n`;

const open = async (): Promise<string[]> => {
  const query = connection.db.selectFrom('incidents').select('subject').where('resolved_at', 'is', null);
  return (await query.orderBy('subject').execute()).map(({ subject }) => subject);
};

test('the open incidents become those of the subjects, some at a time', async () => {
  const { db } = connection;
  await alignIncidents(db, UNCONFIRMED, subjects(1, 3), NOW, 2);
  expect(await open()).toHaveLength(2);
  await alignIncidents(db, UNCONFIRMED, subjects(1, 3), NOW, 2);
  expect(await open()).toEqual(['chg_1', 'chg_2', 'chg_3']);
  await alignIncidents(db, UNCONFIRMED, subjects(3, 4), NOW, 1);
  expect(await open()).toHaveLength(3);
  await alignIncidents(db, UNCONFIRMED, subjects(3, 4), NOW, 1);
  expect(await open()).toEqual(['chg_3', 'chg_4']);
});

test('neither statement looks a subject up among all that there are, as not in does where they are too many', async () => {
  const { statementsOf, plansOf, end } = listen(connection.database.url);
  const heard = await statementsOf((db) => alignIncidents(db, UNCONFIRMED, subjects(1, 3), NOW));
  const plans = await plansOf(heard).finally(end);
  expect(plans).toHaveLength(2);
  expect(plans.filter((plan) => plan.includes('SubPlan'))).toEqual([]);
});
