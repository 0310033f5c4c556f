import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { openDatabase } from '../../src/db/database.ts';
import { inTransaction } from '../../src/db/transaction.ts';
import { incidentJobs } from '../../src/incidents/jobs.ts';
import type { Clock } from '../../src/lib/clock.ts';
import type { Db } from '../../src/lib/db-types.ts';
import type { FetchJson, HttpSource } from '../../src/rates/http-source.ts';
import { rateJobs } from '../../src/rates/jobs.ts';
import { saveRate } from '../../src/rates/queries.ts';
import { createRates, SANDBOX_RATES } from '../../src/rates/reader.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { listOpenIncidents } from '../support/incidents.ts';

const REAL = new Date('2026-03-01T12:00:00.000Z');
const later = (seconds: number): Date => new Date(REAL.getTime() + seconds * 1000);

let database: TestDatabase;
let db: Db;
let real = REAL;
const clock: Clock = { now: () => later(86_400), real: () => real };

beforeAll(async () => {
  database = await createTestDatabase();
  db = openDatabase({ url: database.url, poolMax: 2, applicationName: 'rates-test', onError: () => {} });
});
afterAll(async () => {
  await db.destroy();
  await database.drop();
});
beforeEach(async () => {
  real = REAL;
  await db.deleteFrom('rates').execute();
  await db.deleteFrom('incidents').execute();
});

const sources: HttpSource[] = ['a', 'b', 'c'].map((name) => ({
  name,
  pair: 'USD/LKR',
  url: `https://${name}.example`,
  value: 'rate',
}));

const answering =
  (answers: Record<string, unknown>): FetchJson =>
  async (url) => {
    const answer = answers[new URL(url).hostname.charAt(0)];
    if (answer instanceof Error) throw answer;
    return { rate: answer };
  };

async function refresh(answers: Record<string, unknown>): Promise<void> {
  const [job] = rateJobs({ db, sources, fetchJson: answering(answers) });
  await job?.run({ now: clock.now(), real, signal: new AbortController().signal });
}

const live = () => createRates({ clock, origin: { kind: 'table', db } });
const openIncidents = () => listOpenIncidents(db);

test('a dollar is a dollar by definition, whatever sources and settings say', async () => {
  const quote = await live().toMicro(1999n, 'USD', { 'USD/USD': '2' });
  expect(quote).toEqual({
    rate: { pair: 'USD/USD', valueE8: '100000000', source: 'definition', quotedAt: clock.now().toISOString() },
    amountMicro: 19_990_000n,
  });
});

test('the sandbox has a fixed rate, rounded up to the millionth of a dollar', async () => {
  const sandbox = createRates({ clock, origin: { kind: 'fixed', rates: SANDBOX_RATES } });
  expect(await sandbox.toMicro(150_000n, 'LKR', {})).toMatchObject({
    rate: { pair: 'USD/LKR', valueE8: '30000000000', source: 'fixed' },
    amountMicro: 5_000_000n,
  });
  expect((await sandbox.toMicro(1n, 'LKR', {})).amountMicro).toBe(34n);
});

test("the platform's manual rate wins over every source", async () => {
  await refresh({ a: 300, b: 300, c: 300 });
  expect(await live().toMicro(250_00n, 'LKR', { 'USD/LKR': '250' })).toMatchObject({
    rate: { source: 'manual', valueE8: '25000000000' },
    amountMicro: 1_000_000n,
  });
});

test("the price of a chain's coin is the manual one or that of its sources, and null without either", async () => {
  const price = (manual = {}) => live().coinPrice('ETH', manual);
  expect(await price()).toBeNull();
  expect(await price({ 'ETH/USD': '2500.5' })).toBe(250_050_000_000n);
  const sandbox = createRates({ clock, origin: { kind: 'fixed', rates: SANDBOX_RATES } });
  // There, gas costs nothing; payers are quoted a price all the same.
  expect(await sandbox.coinPrice('ETH', {})).toBeNull();
  expect(await sandbox.coinRate('ETH', {})).toMatchObject({
    pair: 'ETH/USD',
    valueE8: '300000000000',
    source: 'fixed',
  });
  expect(await sandbox.coinRate('BTC', { 'BTC/USD': '70000' })).toMatchObject({ source: 'manual' });
  expect(await live().coinRate('ETH', {})).toBeNull();
  await inTransaction(db, (trx) =>
    saveRate(trx, 'ETH/USD', { source: 'a', valueE8: 300_000_000_000n, quotedAt: REAL }),
  );
  expect(await price()).toBe(300_000_000_000n);
  real = later(601);
  expect(await price()).toBeNull();
});

test('an amount is shown in rupees by a rate that is usable, and by no other', async () => {
  const shown = (manual: Record<string, string> = {}) => live().fiatRate('LKR', manual);
  await refresh({ a: 300, b: 300, c: 300 });
  expect(await shown()).toMatchObject({ pair: 'USD/LKR', valueE8: '30000000000' });
  expect(await shown({ 'USD/LKR': '310' })).toMatchObject({ valueE8: '31000000000', source: 'manual' });
  expect(await shown({ 'USD/LKR': 'abc' })).toBeNull();
  real = later(601);
  expect(await shown()).toBeNull();
});

test.each(['0', '-1', 'abc', '', '1.123456789'])('a manual rate of %j quotes nothing', async (rate) => {
  await refresh({ a: 300, b: 300, c: 300 });
  await expect(live().toMicro(100n, 'LKR', { 'USD/LKR': rate })).rejects.toMatchObject({ code: 'RATE_UNAVAILABLE' });
});

test('the job stores the median of its sources, leaving out one that fails', async () => {
  await refresh({ a: 300, b: 302, c: new Error('connection refused') });
  expect(await live().toMicro(301_00n, 'LKR', {})).toEqual({
    rate: { pair: 'USD/LKR', valueE8: '30100000000', source: 'median of a, b', quotedAt: REAL.toISOString() },
    amountMicro: 1_000_000n,
  });
  expect(await openIncidents()).toEqual([]);
});

test('the last good rate is valid for ten minutes of real time', async () => {
  await refresh({ a: 300, b: 300, c: 300 });
  real = later(600);
  await refresh({ a: 300, b: 330, c: new Error('away') });
  expect((await live().toMicro(300_00n, 'LKR', {})).rate.quotedAt).toBe(REAL.toISOString());
  real = later(600.001);
  await expect(live().toMicro(300_00n, 'LKR', {})).rejects.toMatchObject({
    code: 'RATE_UNAVAILABLE',
    retryAfterSeconds: 60,
  });
});

test('without a rate, rupees cannot be quoted', async () => {
  await expect(live().toMicro(1n, 'LKR', {})).rejects.toMatchObject({ code: 'RATE_UNAVAILABLE' });
});

test('a pair without a good rate has one open incident with the reason, until the next good rate', async () => {
  const broken = { a: 300, b: 330, c: new Error('away') };
  await refresh(broken);
  await refresh(broken);
  expect(await openIncidents()).toEqual([
    {
      kind: 'rates.refused',
      subject: 'USD/LKR',
      message:
        'c: away; a is more than 2 % off the median; b is more than 2 % off the median; 0 usable sources, 2 are needed',
    },
  ]);
  await refresh({ a: 300, b: 301, c: 302 });
  expect(await openIncidents()).toEqual([]);
});

test('a rate is as fresh where the clock of the database is behind ours as where it is right', async () => {
  // Seen from a database that is a quarter of an hour behind.
  real = new Date(Date.now() + 900_000);
  await refresh({ a: 300, b: 300, c: 300 });
  expect((await live().toMicro(300_00n, 'LKR', {})).rate.valueE8).toBe('30000000000');
  await sql`update rates set quoted_at = quoted_at - interval '601 seconds'`.execute(db);
  await expect(live().toMicro(300_00n, 'LKR', {})).rejects.toMatchObject({ code: 'RATE_UNAVAILABLE' });
});

test('a source whose answer holds control characters opens an incident of one line', async () => {
  const answer = (text: string) => new Error(`Unexpected token in "${text}"`);
  await refresh({ a: 300, b: answer('\u0000\u001b[2J\n'), c: answer('x'.repeat(70_000)) });
  const [incident] = await openIncidents();
  expect(incident?.message).toMatch(/^b: Unexpected token in " \[2J "; c: Unexpected token in "x+…$/);
});

test('the incident says what is wrong now, not what was wrong first', async () => {
  await refresh({ a: 300, b: 330, c: new Error('away') });
  await refresh({ a: 300, b: 330, c: new Error('forbidden') });
  expect(await openIncidents()).toEqual([
    expect.objectContaining({ kind: 'rates.refused', message: expect.stringMatching(/^c: forbidden; a is more than/) }),
  ]);
  const { count } = await db.selectFrom('incidents').select('count').executeTakeFirstOrThrow();
  expect(count).toBe(2);
});

test('the incident of a pair that no source is asked for any more ends once it was not seen for an hour', async () => {
  await refresh({ a: 300, b: 330, c: new Error('away') });
  const jobs = incidentJobs({ db, note: () => undefined, post: null, worker: 'w', log: () => undefined });
  const prune = jobs.find(({ name }) => name === 'incidents.prune');
  const pruneAt = (minutes: number) =>
    prune?.run({ now: new Date(clock.now().getTime() + minutes * 60_000), real, signal: new AbortController().signal });
  await pruneAt(59);
  expect(await openIncidents()).toHaveLength(1);
  await pruneAt(61);
  expect(await openIncidents()).toEqual([]);
});

test('a rate is never replaced by an older one', async () => {
  real = later(60);
  await refresh({ a: 300, b: 300, c: 300 });
  real = REAL;
  await refresh({ a: 301, b: 301, c: 301 });
  const { rows } = await sql<{ value_e8: bigint }>`select value_e8 from rates`.execute(db);
  expect(rows).toEqual([{ value_e8: 30_000_000_000n }]);
});

test('a rate that a clock a day ahead has stored is replaced at once by one of a right clock', async () => {
  const now = Date.now();
  real = new Date(now + 86_400_000);
  await refresh({ a: 300, b: 300, c: 300 });
  real = new Date(now + 30_000);
  await refresh({ a: 310, b: 310, c: 310 });
  expect((await live().toMicro(310_00n, 'LKR', {})).rate.valueE8).toBe('31000000000');
  // Nor is it fresh for a day if no source answers any more.
  real = new Date(now + 86_400_000);
  await refresh({ a: 320, b: 320, c: 320 });
  real = new Date(now + 3_600_000);
  // That hour has passed for the database, too.
  await sql`update rates set quoted_at = quoted_at - interval '1 hour'`.execute(db);
  await expect(live().toMicro(310_00n, 'LKR', {})).rejects.toMatchObject({ code: 'RATE_UNAVAILABLE' });
});

test('without sources there is no job', () => {
  expect(rateJobs({ db, sources: [], fetchJson: answering({}) })).toEqual([]);
});
