import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { buffersOf } from '../support/buffers.ts';
import { connectOwner } from '../support/database.ts';
import { useWebhooks } from './fixture.ts';
import { growQueue } from './plan-fixture.ts';

const URL = 'http://127.0.0.1:9/hooks';
const { hooks } = useWebhooks('webhook_endpoints');

const statusesOf = async (merchantId: string) =>
  (await hooks.deliveriesOf(merchantId)).map(({ status, failure }) => [status, failure]);

const countOf = async (merchantId: string) => {
  const { rows } = await sql<{ status: string; n: number }>`
    select status, count(*)::int as n from webhook_deliveries
     where merchant_id = ${merchantId} group by status order by status`.execute(hooks.db);
  return rows;
};

const forget = (merchantId: string) =>
  hooks.db.deleteFrom('webhook_endpoints').where('merchant_id', '=', merchantId).execute();

/** So many merchants like one, with a delivery each, and no endpoint. */
async function makeDeaf(like: string, count: number): Promise<void> {
  const owner = await connectOwner(hooks.database);
  await owner.query(
    `insert into merchants
     select r.* from merchants m cross join generate_series(1, ${count}) n
      cross join lateral jsonb_populate_record(null::merchants,
        to_jsonb(m) || jsonb_build_object('id', 'mer_deaf' || n, 'email', 'deaf-' || n || '@example.org')) r
      where m.id = $1`,
    [like],
  );
  await owner.query(
    `insert into webhook_deliveries (id, event_id, merchant_id, event_type, url, created_at, next_attempt_at)
     select 'whd_deaf' || n, (select id from events where merchant_id = $1 limit 1), 'mer_deaf' || n,
            'payment.completed', '${URL}', $2, $2 from generate_series(1, ${count}) n`,
    [like, hooks.clock.now()],
  );
  await owner.end();
}

const countDeaf = async (status: string): Promise<number> => {
  const { rows } = await sql<{ n: number }>`
    select count(*)::int as n from webhook_deliveries
     where status = ${status} and starts_with(merchant_id, 'mer_deaf')`.execute(hooks.db);
  return rows[0]?.n ?? 0;
};

test('what is due and has no enabled endpoint fails, and nothing else', async () => {
  const [heard, forgotten, disabled] = [
    await hooks.makeMerchant(URL),
    await hooks.makeMerchant(URL),
    await hooks.makeMerchant(URL),
  ];
  for (const id of [heard, forgotten, disabled]) await hooks.announce(id, 2);
  await forget(forgotten);
  const off = { status: 'disabled', disabled_reason: 'gone' };
  await hooks.db.updateTable('webhook_endpoints').set(off).where('merchant_id', '=', disabled).execute();
  await hooks.makeWorker().drop();
  expect(await statusesOf(heard)).toEqual(Array(2).fill(['pending', null]));
  for (const id of [forgotten, disabled])
    expect(await statusesOf(id)).toEqual(Array(2).fill(['failed', 'endpoint_disabled']));
});

test('a run leaves merchants behind the two thousandth to the next, which begins with them', async () => {
  const like = await hooks.makeMerchant(URL);
  await hooks.announce(like, 1);
  await makeDeaf(like, 2_050);
  const { drop } = hooks.makeWorker();
  await drop();
  // The first, by its name, may have been the one that can hear.
  expect(await countDeaf('failed')).toBeGreaterThanOrEqual(1_990);
  expect(await countDeaf('pending')).toBeGreaterThan(0);
  await drop();
  expect(await countDeaf('pending')).toBe(0);
});

test('it reads little beside many that are due and will be sent', async () => {
  const busy = await hooks.makeMerchant(URL);
  await hooks.announce(busy, 1);
  await growQueue(hooks.database, busy);
  // What the tests before have left dead is among it.
  expect(await buffersOf(hooks.database, (db) => hooks.makeWorker({ db }).drop())).toBeLessThan(5_000);
  expect(await countOf(busy)).toEqual([
    { status: 'pending', n: 50_001 },
    { status: 'success', n: 100_000 },
  ]);
});
