import pg from 'pg';
import { expect, inject } from 'vitest';
import { test as base } from '../fixture.ts';
import { type Answer, startService, type TestMerchant, type TestService } from '../harness.ts';
import { withDatabase } from '../support/database.ts';
import { effectsOf, NEVER, newKey, ONCE } from '../support/idempotency.ts';

const test = base
  // The faults are logged, which the file must not fail for.
  .extend('service', { scope: 'file' }, async ({ startOptions }, { onCleanup }) => {
    const service = await startService(startOptions);
    onCleanup(() =>
      service.close().catch((error: Error) => expect(error.message).toMatch(/The service logged errors/)),
    );
    return service;
  })
  /** Makes the faults, as the owner of the database. */
  .extend('owner', { scope: 'file' }, async ({ service }, { onCleanup }) => {
    const database = new URL(service.service.platform.config.databaseUrl ?? '').pathname.slice(1);
    const owner = new pg.Client({ connectionString: withDatabase(inject('postgres').ownerUrl, database) });
    await owner.connect();
    onCleanup(() => owner.end());
    await owner.query('create sequence faults; grant usage on sequence faults to public');
    return owner;
  });

/** Makes the next inserts of an event run `fault`, a PL/pgSQL statement; later ones don't. */
const fault = (owner: pg.Client, times: number, statement: string) =>
  owner.query(`
    alter sequence faults restart;
    create or replace function make_fault() returns trigger language plpgsql as $$
    begin if nextval('faults') <= ${times} then ${statement}; end if; return new; end $$;
    create or replace trigger make_fault after insert on events for each row execute function make_fault()`);
/** A lock that is unavailable on a connection that others share is asked for once more. */
const ALWAYS = 1_000_000;
const raise = (sqlState: string): string => `raise exception 'a fault' using errcode = '${sqlState}'`;

const pay = (service: TestService, merchant: TestMerchant, key: string): Promise<Answer> =>
  service.send('POST', '/v1/payments', {
    token: merchant.token,
    headers: { 'idempotency-key': key },
    body: { amount: 25, currency: 'USD', metadata: { order: key } },
  });

const effects = (service: TestService, order: string) => effectsOf(service.db, order);

test.for([
  ['a backend that dies', 'perform pg_terminate_backend(pg_backend_pid())'],
  ['a lock that is unavailable', raise('55P03')],
] as const)(
  '%s in the middle of the work leaves nothing, and the retry does it once',
  async ([_what, statement], { service, merchant, owner }) => {
    const key = newKey();
    await fault(owner, ALWAYS, statement);
    expect((await pay(service, merchant, key)).status).toBe(503);
    expect(await effects(service, key)).toEqual(NEVER);
    await fault(owner, 0, statement);
    const made = await pay(service, merchant, key);
    expect([made.status, made.headers.get('idempotent-replayed')]).toEqual([201, null]);
    expect((await pay(service, merchant, key)).text).toBe(made.text);
    expect(await effects(service, key)).toEqual(ONCE);
  },
);

test('a repetition is answered although its work would wait too long for a lock', async ({ service, merchant }) => {
  const key = newKey();
  const made = await pay(service, merchant, key);
  await service.db.transaction().execute(async (trx) => {
    await trx.selectFrom('merchants').select('id').where('id', '=', merchant.id).forUpdate().execute();
    const again = await pay(service, merchant, key);
    expect([again.status, again.text, again.headers.get('idempotent-replayed')]).toEqual([201, made.text, 'true']);
    expect((await pay(service, merchant, newKey())).status).toBe(503);
  });
  expect(await effects(service, key)).toEqual(ONCE);
});

test.for(['40001', '40P01'])(
  'retries the whole transaction after %s, invisibly to the caller',
  async (sqlState, { service, merchant, owner }) => {
    const key = newKey();
    await fault(owner, 1, raise(sqlState));
    const made = await pay(service, merchant, key);
    expect([made.status, made.headers.get('idempotent-replayed')]).toEqual([201, null]);
    expect((await pay(service, merchant, key)).text).toBe(made.text);
    expect(await effects(service, key)).toEqual(ONCE);
  },
);

test('rolls back what preceded a constraint violation, and a repetition does it once', async ({
  service,
  merchant,
  owner,
}) => {
  const key = newKey();
  // The work is done twice: as the caller that is assumed, then as the one that is read.
  await fault(owner, 2, raise('23505'));
  const refused = await pay(service, merchant, key);
  expect(refused).toMatchObject({ status: 409, body: { error: { code: 'CONFLICT' } } });
  expect(await effects(service, key)).toEqual(NEVER);
  const made = await pay(service, merchant, key);
  expect([made.status, made.headers.get('idempotent-replayed')]).toEqual([201, null]);
  expect(await effects(service, key)).toEqual(ONCE);
});
