import pg from 'pg';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { type Answer, startService, type TestMerchant, type TestService } from '../harness.ts';
import { withDatabase } from '../support/database.ts';
import { effectsOf, NEVER, newKey, ONCE } from '../support/idempotency.ts';

let service: TestService;
let merchant: TestMerchant;
let owner: pg.Client;

beforeAll(async () => {
  service = await startService();
  merchant = await service.activeMerchant();
  const database = new URL(service.service.platform.config.databaseUrl ?? '').pathname.slice(1);
  owner = new pg.Client({ connectionString: withDatabase(inject('postgres').ownerUrl, database) });
  await owner.connect();
  await owner.query('create sequence faults; grant usage on sequence faults to public');
});
afterAll(async () => {
  await owner.end();
  await service.close().catch((error: Error) => expect(error.message).toMatch(/The service logged errors/));
});

/** The next event that is stored meets with `fault`, a statement of PL/pgSQL; those after it do not. */
const faultOnce = (fault: string) =>
  owner.query(`
    alter sequence faults restart;
    create or replace function fault_once() returns trigger language plpgsql as $$
    begin if nextval('faults') = 1 then ${fault}; end if; return new; end $$;
    create or replace trigger fault_once after insert on events for each row execute function fault_once()`);
const raise = (sqlState: string): string => `raise exception 'a fault' using errcode = '${sqlState}'`;

const pay = (key: string): Promise<Answer> =>
  service.send('POST', '/v1/payments', {
    token: merchant.token,
    headers: { 'idempotency-key': key },
    body: { amount: 25, currency: 'USD', metadata: { order: key } },
  });

const effects = (order: string) => effectsOf(service.db, order);

test.each([
  ['a backend that dies', 'perform pg_terminate_backend(pg_backend_pid())'],
  ['a lock that is not to be had', raise('55P03')],
])(
  '%s in the middle of the work leaves nothing, and the request that comes again does it once',
  async (_what, fault) => {
    const key = newKey();
    await faultOnce(fault);
    expect((await pay(key)).status).toBe(503);
    expect(await effects(key)).toEqual(NEVER);
    const made = await pay(key);
    expect([made.status, made.headers.get('idempotent-replayed')]).toEqual([201, null]);
    expect((await pay(key)).text).toBe(made.text);
    expect(await effects(key)).toEqual(ONCE);
  },
);

test.each(['40001', '40P01'])('the whole transaction is run again after %s, and nobody notices', async (sqlState) => {
  const key = newKey();
  await faultOnce(raise(sqlState));
  const made = await pay(key);
  expect([made.status, made.headers.get('idempotent-replayed')]).toEqual([201, null]);
  expect((await pay(key)).text).toBe(made.text);
  expect(await effects(key)).toEqual(ONCE);
});

test('what was done before a constraint refused the rest is undone, while the refusal is kept', async () => {
  const key = newKey();
  await faultOnce(raise('23505'));
  const refused = await pay(key);
  expect(refused).toMatchObject({ status: 409, body: { error: { code: 'CONFLICT' } } });
  const again = await pay(key);
  expect([again.text, again.headers.get('idempotent-replayed')]).toEqual([refused.text, 'true']);
  expect(await effects(key)).toEqual(NEVER);
});
