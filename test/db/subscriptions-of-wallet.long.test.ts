import { expect } from 'vitest';
import { trialDaysFor } from '../../src/subscriptions/first-trial.ts';
import { listOfWallet } from '../../src/subscriptions/queries.ts';
import { test } from '../fixture.ts';
import { buffersOf } from '../support/buffers.ts';
import { beginSession } from '../support/customers.ts';
import { connectOwner, urlsOf } from '../support/database.ts';
import { customerWallet, put, subscribe } from '../support/subscriptions.ts';

/** More than a list counts. */
const MANY = 12_000;

test('a wallet that a merchant has subscribed to its plan again and again costs no more than another', async ({
  service,
  merchant,
}) => {
  const { db } = service;
  const agreed = await subscribe(merchant.client);
  await put(db, agreed.id, { mandateStatus: 'active' });
  const hostile = await service.activeMerchant();
  const subscribed = await subscribe(hostile.client, { trialDays: 7 });
  const database = await urlsOf(db);
  const owner = await connectOwner(database);
  const copy = (sub: string, change: string, count: number) =>
    owner.query(
      `with again as (
         insert into subscriptions
         select row.* from generate_series(1, $2::int) n cross join subscriptions old
          cross join lateral jsonb_populate_record(null::subscriptions, to_jsonb(old) || jsonb_build_object(
            'id', '${sub}_' || lpad(n::text, 24, '0'), 'status', 'cancelled', 'cancel_reason', 'requested',
            'cancelled_at', old.created_at, 'created_at', old.created_at - n * interval '1 second'${change})) row
          where old.id = $1 returning id)
       insert into mandates
       select row.* from again cross join mandates old
        cross join lateral jsonb_populate_record(null::mandates, to_jsonb(old) || jsonb_build_object(
          'id', '0x' || md5(again.id) || md5(again.id), 'subscription_id', again.id)) row
        where old.subscription_id = $1`,
      [subscribed.id, count],
    );
  // As the database knows wallets: each has one.
  await copy('sub_a', `, 'wallet', '0x' || lpad(n::text, 40, '0')`, 2000);
  await owner.query('vacuum analyze subscriptions, mandates');
  await copy('sub_b', '', MANY);

  const wallet = customerWallet().address.toLowerCase();
  const page = { offset: 0, limit: 20 };
  const networks = ['devnet'];
  const plan = { id: subscribed.planId, trialDays: 7 };
  for (const learn of ['', 'analyze subscriptions, mandates']) {
    await owner.query(learn);
    expect(await buffersOf(database, (on) => listOfWallet(on, { wallet, networks }, page))).toBeLessThan(100);
    expect(await buffersOf(database, (on) => trialDaysFor(on, plan, wallet))).toBeLessThan(100);
  }
  expect(await trialDaysFor(db, plan, wallet)).toBe(7);
  await owner.end();

  const { token } = await beginSession(service.client());
  const { subscriptions, pagination } = await service.client().public.customers.subscriptions.list(token);
  expect(subscriptions[0]?.id).toBe(agreed.id);
  expect(pagination).toMatchObject({ total: 10_000, totalIsMinimum: true });
});
