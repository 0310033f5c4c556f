import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openDatabase } from '../../src/db/database.ts';
import type { Db } from '../../src/lib/db-types.ts';
import { type PaymentFilter, readPayments } from '../../src/payments/list-queries.ts';
import { createPaymentWorld, type PaymentWorld } from '../support/payments.ts';

let world: PaymentWorld;
let owner: Db;
let template: string;
beforeAll(async () => {
  world = await createPaymentWorld();
  owner = openDatabase({ url: world.database.ownerUrl, poolMax: 2, applicationName: 'test', onError: () => {} });
  template = (await world.create()).id;
});
afterAll(async () => {
  await owner.destroy();
  await world.close();
});
const copy = (first: number, last: number, marks: Readonly<Record<string, string>>) =>
  sql`
  insert into payments select p.* from generate_series(${first}::int, ${last}::int) n cross join payments old
   cross join lateral jsonb_populate_record(null::payments, to_jsonb(old) || jsonb_build_object(${sql.raw(
     Object.entries(marks)
       .map(([name, value]) => `'${name}', ${value}`)
       .join(),
   )})) p where old.id = ${template}`.execute(owner);

test('what a search reads is bounded in a day of more than a hundred thousand, too', { timeout: 300_000 }, async () => {
  await sql`insert into merchants select m.* from merchants old
     cross join lateral jsonb_populate_record(null::merchants,
      to_jsonb(old) || jsonb_build_object('id', 'mer_day', 'email', 'day@example.org')) m
     where old.id = ${world.merchantId}`.execute(owner);
  await sql`alter table payments disable trigger user`.execute(owner);
  const OLD = 1000;
  const NEW = 101_000;
  for (let f = 1; f <= OLD + NEW; f += 5_000)
    await copy(f, Math.min(f + 4_999, OLD + NEW), {
      id: `'pay_' || lpad((1000000 + n)::text, 26, '0')`,
      merchant_id: `'mer_day'`,
      created_at: `case when n <= ${OLD} then '2025-02-20T00:00:00Z'::timestamptz + n * interval '1 minute'
                        else '2025-12-01T00:00:00Z'::timestamptz + n * interval '0.7 seconds' end`,
      description: `case when n <= ${OLD} then 'Tea ' || n || '.' end`,
    });
  await sql`alter table payments enable trigger user`.execute(owner);
  await sql`select rebuild_tallies('payments')`.execute(owner);
  await sql`select fill_payment_texts()`.execute(owner);
  const totalOf = async (filter: Omit<PaymentFilter, 'merchantId' | 'search'>, text: string) => {
    const asked: PaymentFilter = { merchantId: 'mer_day', ...filter, search: { kind: 'text', text } };
    return (await readPayments(world.db, asked, { offset: 0, limit: 20 })).total;
  };
  // The payments of that day alone are more than are searched.
  for (const to of [new Date('2025-12-01T23:00:00Z'), new Date('2025-12-02T00:00:00Z')]) {
    expect(await totalOf({ source: 'direct', to }, 'tea')).toBe(0);
  }
  expect(await totalOf({ source: 'direct', to: new Date('2025-12-01T03:00:00Z') }, 'tea')).toBe(OLD);
});
