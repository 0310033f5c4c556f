import { expect, test } from 'vitest';
import { nameStatement } from '../../src/tracing/statement-name.ts';

test.each([
  ['select * from "payments" where id = $1', 'select payments', false],
  ['insert into "events" ("id") values ($1)', 'insert events', false],
  ['update "payments" set "status" = $1 where id in (select id from x for update)', 'update payments', false],
  ['delete from limit_buckets where at < $1', 'delete limit_buckets', false],
  ['select seal_events($1)', 'select seal_events', true],
  ['select * from take_idempotency_key($1, $2)', 'select take_idempotency_key', true],
  ['select (select id from unsealed_events order by id limit 1) is not null as due', 'select', false],
  [
    'with made as (insert into "deposit_addresses" ("a") values ($1) returning a) insert into "payments" select a from made',
    'insert payments',
    false,
  ],
  ['with due as (select id from credits) select id from due join "credits" using (id)', 'select due', false],
  ['commit', 'commit', false],
  ['select pg_notify(channel, payload) from unnest($1::text[]) as wake (channel)', 'select unnest', false],
  ['', 'statement', false],
])('%s', (text, summary, calls) => {
  expect(nameStatement(text)).toMatchObject({ summary, calls });
});
