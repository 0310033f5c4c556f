import { type RawBuilder, sql } from 'kysely';
import { expect, test } from 'vitest';
import type { Db } from '../../src/lib/db-types.ts';
import { asOwner } from '../support/database.ts';
import { openSubscriber } from './renewal-fixture.ts';
import { openRevoker, useStepwise } from './stepwise-fixture.ts';

const { world, trader } = useStepwise();

const ORDINARY = 5000;
const REVOKED = 8000;

/** A mandate of each of these subscriptions, like a revoked one of `id`, that was authorised and revoked. */
const withRevoked = (id: string, subs: RawBuilder<unknown>) => sql`
  with subs (id, n) as (${subs}), made as (
    insert into mandates
    select copy.* from (select m from mandates m where subscription_id = ${id} and revoked_at is not null) m (m)
     cross join subs cross join lateral jsonb_populate_record(m.m, jsonb_build_object('subscription_id', subs.id,
       'id', '0x' || encode(sha256((subs.id || '-' || n)::bytea), 'hex'))) copy
    returning id, subscription_id
  )
  insert into collector_events (subscription_id, mandate_id, kind, network, tx_hash, place, block_hash, block_number,
    block_time, seen_at, applied_at, canonical)
  select made.subscription_id, made.id, what, e.network, '0x' || encode(sha256((made.id || what)::bytea), 'hex'), 1,
         e.block_hash, e.block_number, e.block_time, e.seen_at, e.applied_at, true
    from made cross join unnest(array['authorized', 'revoked']) what
   cross join (select * from collector_events where kind = 'revoked' and subscription_id = ${id}) e`;

/** As in a large shop: by far most subscriptions have one mandate, and the planner knows. */
async function fill(db: Db, id: string): Promise<void> {
  const others = sql`
    insert into subscriptions
    select copy.* from (select s from subscriptions s where id = ${id}) s (s)
     cross join generate_series(1, ${ORDINARY}::integer) n
     cross join lateral jsonb_populate_record(s.s, jsonb_build_object('id', (s.s).id || n,
       'next_action_at', '2100-01-01', 'wallet', '0x' || left(encode(sha256(n::text::bytea), 'hex'), 40))) copy
    returning id, 0`;
  await asOwner(db, withRevoked(id, others));
  for (const table of ['mandates', 'subscriptions', 'collector_events']) {
    await asOwner(db, sql`analyze ${sql.raw(table)}`);
  }
  await asOwner(db, withRevoked(id, sql`select ${id}, n from generate_series(1, ${REVOKED}::integer) n`));
}

test('a wallet that has revoked thousands of mandates has no charge of others wait', async () => {
  const revoker = await openRevoker(world, trader, 1);
  await world.confirm();
  await fill(world.db(), revoker.id);
  const plain = await openSubscriber(world, trader);
  await world.authorize();
  await world.play('advance', 'tick', 'collect');
  expect((await plain.charges())[0]).toMatchObject({ status: 'sending' });
  expect((await revoker.charges())[0], 'while its mandates are read').toMatchObject({ status: 'due', attempts: [] });
});
