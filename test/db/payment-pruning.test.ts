import { sql } from 'kysely';
import { expect } from 'vitest';
import { CHECKPOINT_PURPOSE } from '../../src/audit/chain.ts';
import { verifyAudit } from '../../src/audit/verify.ts';
import * as filled from '../../src/db/migrations/0170-payment-texts-filled.ts';
import * as awaited from '../../src/db/migrations/0171-payment-texts-awaited.ts';
import * as left from '../../src/db/migrations/0172-payment-texts-left.ts';
import { inTransaction } from '../../src/db/transaction.ts';
import { DAY_MS } from '../../src/lib/clock.ts';
import type { Trx } from '../../src/lib/db-types.ts';
import { firstIdAt, newId } from '../../src/lib/ids.ts';
import { signingKey } from '../../src/lib/standard-webhooks.ts';
import { prunePayments } from '../../src/payments/prune.ts';
import { reconcile } from '../../src/reconcile/reconcile.ts';
import { readMerchantFigures } from '../../src/settlements/merchant-figures.ts';
import { test as base } from '../fixture.ts';
import type { TestMerchant, TestService } from '../harness.ts';
import { connectOwner, urlsOf } from '../support/database.ts';
import { countWaitingFor } from '../support/waiting.ts';

const test = base.extend('slug', { scope: 'file' }, async ({ merchant }) => {
  const { slug } = await merchant.client.paymentLinks.create({ title: 'Tea', amount: 25 });
  return slug;
});

const begin = (service: TestService, slug: string) =>
  service.client().public.paymentLinks.startPayment(slug, { customerEmail: 'nimal@example.org' });

/** Lets the open payments of links expire, and what follows become old enough to be pruned. */
async function age(service: TestService): Promise<void> {
  await pass(service, 1);
  await pass(service, 31);
}

/** Lets the business clock go on, and the chain with it; payments expire and events are sealed. */
async function pass(service: TestService, days: number): Promise<void> {
  service.clock.advance(days * DAY_MS);
  await service.chain.mine(1);
  await service.runPaymentJobs();
  await service.runJob('events.seal');
  await service.runJob('webhooks.deliver');
}

const prune = (service: TestService) => service.runJob('payments.prune');

/** What one run takes away behind a payment. */
const pruneFrom = (
  { db, clock }: TestService,
  afterId: string,
  { batch = 100, batches = 1, ...other }: { db?: Trx; batch?: number; batches?: number } = {},
) => {
  const run = { now: clock.now(), signal: new AbortController().signal };
  return prunePayments(other.db ?? db, run, { afterId, batch, batches });
};

const isStored = async ({ db }: TestService, id: string): Promise<boolean> =>
  (await db.selectFrom('payments').select('id').where('id', '=', id).executeTakeFirst()) !== undefined;

const incidents = ({ db }: TestService, subject: string) =>
  db.selectFrom('incidents').select(['kind', 'resolved_at']).where('subject', '=', subject).execute();

/** Whether another transaction holds the payment's row. */
const isLocked = async ({ db }: TestService, id: string): Promise<boolean> => {
  const { rows } = await sql`select id from payments where id = ${id} for update skip locked`.execute(db);
  return rows.length === 0;
};

/** A transfer to a payment as a watcher stores it. */
const creditOf = (payment: { readonly id: string; readonly cryptoAddress: string }, { clock }: TestService) => ({
  ...{
    id: newId('credit', clock.now()),
    payment_id: payment.id,
    network: 'devnet',
    tx_hash: '0xabc',
    transfer_index: 0,
  },
  ...{ block_hash: '0xdef', block_number: 1n, block_time: clock.now(), token: 'USDT', contract: '0xa1', sender: '0x1' },
  ...{ recipient: payment.cryptoAddress, amount_units: 1n, decimals: 6, value_e18: 10n ** 12n, seen_at: clock.now() },
});

/** What `npx kasi audit verify` would say. */
async function findAuditFault({ db, runJob, service }: TestService) {
  await runJob('audit.seal');
  const { publicKey } = signingKey(service.platform.secretFor(CHECKPOINT_PURPOSE));
  return (await verifyAudit(db, { keys: [publicKey] })).finding;
}

/** What a reader of the whole feed handles, having proven it. */
async function handled(merchant: TestMerchant): Promise<string[]> {
  const seen: string[] = [];
  await merchant.client.events.sync(0, (event) => seen.push((event.data as { id: string }).id));
  return seen;
}

test('takes a payment of a link away 30 days after it ended unpaid, with what hangs on it', async ({
  service,
  merchant,
  receiver,
  slug,
}) => {
  await merchant.client.webhooks.endpoint.update({ url: receiver.url });
  const { id, cryptoAddress } = await begin(service, slug);
  await service.runJob('webhooks.deliver');
  await pass(service, 1);
  await service.runJob('webhooks.deliver');
  const before = await readMerchantFigures(service.db, merchant.id, service.clock.real());
  await pass(service, 29.9);
  await prune(service);
  expect(await isStored(service, id)).toBe(true);
  await pass(service, 0.2);
  await prune(service);
  expect(await isStored(service, id)).toBe(false);

  const removed = { status: 404, code: 'NOT_FOUND', reason: 'payment_removed' };
  await expect(merchant.client.payments.get(id)).rejects.toMatchObject(removed);
  await expect(merchant.client.payments.timeline(id)).rejects.toMatchObject(removed);
  await expect(merchant.client.payments.cancel(id)).rejects.toMatchObject(removed);
  await expect(service.client().public.payments.get(id)).rejects.toMatchObject(removed);
  const stranger = await service.activeMerchant();
  await expect(stranger.client.payments.get(id)).rejects.not.toMatchObject({ reason: 'payment_removed' });
  const page = await service.send('GET', `/checkout/payment/${id}`);
  expect(page.status).toBe(404);
  expect(page.text).toContain('It was not paid in time and has been removed.');

  const rows = await sql<Record<string, bigint>>`
    select (select count(*) from webhook_deliveries d join events e on e.id = d.event_id
             where e.resource_id = ${id}) as d,
           (select count(*) from events where resource_id = ${id} and length(body) > 0) as bodies,
           (select count(*) from events where resource_id = ${id}) as events,
           (select count(*) from deposit_addresses where payment_id = ${id}) as addresses`.execute(service.db);
  expect(rows.rows[0]).toEqual({ d: 0n, bodies: 0n, events: 2n, addresses: 1n });
  const { rows: stored } = await sql<{ text: string }>`
    select row_then::text as text from pruned_payments where payment_id = ${id}`.execute(service.db);
  expect(stored[0]?.text).toContain(cryptoAddress);
  expect(stored[0]?.text).not.toContain('nimal@example.org');

  // The feed goes on without a gap, totals of lists leave it out, counts of ever do not, and the books agree.
  const { data } = await merchant.client.events.list({ limit: 100 });
  expect(data.filter(({ pruned }) => pruned)).toHaveLength(2);
  expect(await handled(merchant)).not.toContain(id);
  const event = data.find(({ pruned }) => pruned)!;
  expect(await merchant.client.events.get(event.id)).toMatchObject({ pruned: true, body: '', hash: event.hash });
  expect((await merchant.client.payments.list({})).pagination.total).toBe(0);
  expect(await readMerchantFigures(service.db, merchant.id, service.clock.real())).toMatchObject({
    paymentCount: before.paymentCount,
  });
  expect((await reconcile(service.db)).findings).toEqual([]);
  expect(await findAuditFault(service)).toBeNull();
  const started = await service.db.selectFrom('audit_log').select('action').where('resource_id', '=', id).execute();
  expect(started).toEqual([{ action: 'payment.start' }]);
  const { recovered } = await merchant.client.webhooks.recover({ since: '2026-01-01T00:00:00.000Z' });
  expect(recovered).toBeLessThan(data.length - 1);
});

test('takes nothing away to which anything was ever sent, nor what is not due, nor what others made', async ({
  service,
  merchant,
  slug,
}) => {
  const [wrong, reverted, unconfirmed, watched] = await Promise.all([1, 2, 3, 4].map(() => begin(service, slug)));
  const direct = await merchant.client.payments.create({ amount: 5, currency: 'USD' });
  await service.runJob('events.seal');
  const apart = await merchant.client.paymentLinks.create({ title: 'USDC only', amount: 5, acceptedTokens: ['USDC'] });
  const dusty = await begin(service, apart.slug);
  await service.chain.transfer(dusty, { token: 'USDT', amount: '0.000001' });
  await service.chain.transfer(wrong!, { token: 'USDC', amount: '0.000001' });
  await service.runPaymentJobs();
  await service.chain.transfer(reverted!, { amount: '1', confirmed: false });
  await service.runPaymentJobs();
  await service.chain.drop(1);
  await service.runPaymentJobs();
  await service.db
    .insertInto('incidents')
    .values({ kind: 'payment.parked', subject: watched!.id, message: 'Look.', opened_at: service.clock.now() })
    .execute();
  await pass(service, 1);
  await service.chain.transfer(unconfirmed!, { amount: '0.000001', confirmed: false });
  await pass(service, 1.5);
  const late = await begin(service, slug);
  const due = await begin(service, slug);
  await pass(service, 29);
  await pass(service, 31);
  // As if it had ended less than 30 days ago.
  await sql`update payments set updated_at = ${service.clock.now()} where id = ${late.id}`.execute(service.db);
  await prune(service);
  for (const { id } of [wrong!, reverted!, unconfirmed!, watched!, direct, dusty, late]) {
    expect([id, await isStored(service, id)]).toEqual([id, true]);
  }
  expect(await isStored(service, due.id)).toBe(false);
});

test.for([
  ['the whole amount', 'USDT', '25', 'late'],
  ['a token that it did not offer', 'USDC', '3', 'wrong_token'],
] as const)('money that comes after that is found: %s', async ([, token, amount, exception], { service, merchant }) => {
  const link = await merchant.client.paymentLinks.create({ title: 'Tea', amount: 25, acceptedTokens: ['USDT'] });
  const asked = await begin(service, link.slug);
  await age(service);
  const then = await merchant.client.payments.get(asked.id);
  await prune(service);
  expect(await isStored(service, asked.id)).toBe(false);

  const { availableBalance } = await merchant.client.settlements.balance();
  await service.chain.transfer(asked, { token, amount });
  expect((await merchant.client.payments.get(asked.id)).status).toBe('expired');
  await service.runPaymentJobs();
  const back = await merchant.client.payments.get(asked.id);
  expect(back).toMatchObject({
    ...{ status: 'expired', exception, amount: 25, customerEmail: null, description: then.description },
    ...{ options: then.options, rate: then.rate, createdAt: then.createdAt, expiresAt: then.expiresAt },
  });
  expect((await merchant.client.settlements.balance()).availableBalance).toBe(availableBalance);
  expect(await incidents(service, asked.id)).toEqual([{ kind: 'payment.revived', resolved_at: null }]);
  const { data } = await merchant.client.payments.timeline(asked.id);
  expect(data.map(({ type }) => type)).toEqual(['transfer.seen', 'transfer.confirmed', 'payment.exception']);

  // It stays for ever now, and the merchant decides.
  await pass(service, 40);
  await prune(service);
  await merchant.client.payments.resolve(asked.id, { action: 'accept' });
  expect((await merchant.client.settlements.balance()).availableBalance).toBe(availableBalance + Number(amount));
  expect(await incidents(service, asked.id)).toMatchObject([{ resolved_at: expect.any(Date) }]);
  expect((await reconcile(service.db)).findings).toEqual([]);
  await service.runJob('events.seal');
  expect(await handled(merchant)).toContain(asked.id);
});

test.for([
  ['dust of which nothing is booked opens no incident; what is booked then does', 1n],
  ['half a micro is dust, too', 5n * 10n ** 11n],
] as const)('%s', async ([, value], { service, slug }) => {
  const asked = await begin(service, slug);
  await age(service);
  await prune(service);
  expect(await isStored(service, asked.id)).toBe(false);
  const dust = { ...creditOf(asked, service), tx_hash: `0xd${value}`, decimals: 18, value_e18: value };
  await service.db.insertInto('credits').values(dust).execute();
  await service.chain.mine(1);
  await service.runPaymentJobs();
  expect(await isStored(service, asked.id)).toBe(true);
  expect(await incidents(service, asked.id)).toEqual([]);

  await service.chain.transfer(asked, { amount: '3' });
  await service.runPaymentJobs();
  expect(await incidents(service, asked.id)).toEqual([{ kind: 'payment.revived', resolved_at: null }]);
});

test('a run goes on behind what it left, looks at no more than it may, and the next run goes on there', async ({
  service,
  slug,
}) => {
  await pass(service, 1);
  const first = firstIdAt('payment', service.clock.now());
  const started = await Promise.all([1, 2, 3].map(() => begin(service, slug)));
  const [held, second, third] = started.map(({ id }) => id).sort() as [string, string, string];
  const incident = { kind: 'payment.parked', subject: held, message: 'Look.', opened_at: service.clock.now() };
  await service.db.insertInto('incidents').values(incident).execute();
  await age(service);
  expect(await pruneFrom(service, first, { batch: 1, batches: 2 })).toEqual({ pruned: 1, afterId: second });
  expect(await Promise.all([held, second, third].map((id) => isStored(service, id)))).toEqual([true, false, true]);
  expect(await pruneFrom(service, second, { batch: 1, batches: 9 })).toEqual({ pruned: 1, afterId: '' });
});

/** A connection of the owner of the service's tables. */
const ownerOf = async ({ db }: TestService) => connectOwner(await urlsOf(db));

/** Runs `work` as that owner, in a transaction that is rolled back. */
async function asOwner(service: TestService, work: (query: (text: string) => Promise<unknown[]>) => Promise<void>) {
  const owner = await ownerOf(service);
  try {
    await owner.query('begin');
    await work(async (text) => (await owner.query<object>(text)).rows);
  } finally {
    await owner.end();
  }
}

test('a live database believes no date and no number of its caller, and waits while the last release may run', async ({
  service,
  slug,
}) => {
  const { id } = await begin(service, slug);
  await age(service);
  await asOwner(service, async (query) => {
    const call = (): Promise<unknown[]> =>
      query(`select pruned, looked_at from prune_payments('infinity', 1000000, '', 'q')`);
    const endedSince = (days: number): Promise<unknown[]> =>
      query(`update payments set expires_at = clock_timestamp() - interval '90 days',
        updated_at = clock_timestamp() - interval '${days} days'`);
    const migratedSince = (days: number): Promise<unknown[]> =>
      query(`update kysely_migration set timestamp = clock_timestamp() - interval '${days} days'`);
    await query(`insert into deployment (id, mode, sealed_canary) values ('shop-live', 'live', '')`);
    await endedSince(31);
    await migratedSince(6);
    expect(await call()).toEqual([{ pruned: 0, looked_at: 0 }]);
    await migratedSince(8);
    await endedSince(29);
    expect(await call()).toEqual([{ pruned: 0, looked_at: 0 }]);
    await endedSince(31);
    await query(`insert into payments select (jsonb_populate_record(p, jsonb_build_object('id', p.id || n))).*
      from payments p, generate_series(1, 1001) as n where p.id = '${id}'`);
    expect(await call()).toMatchObject([{ looked_at: 1000 }]);
  });
  const { rows } = await sql`
    select has_function_privilege('public', f, 'execute') as anybody, has_function_privilege(f, 'execute') as us
      from (values ('prune_payments(timestamptz, integer, text, text)')) as v (f)`.execute(service.db);
  expect(rows).toEqual([{ anybody: false, us: true }]);
});

/** Whether a transaction of this database waits for another. */
async function isAnyWaiting({ db }: TestService): Promise<boolean> {
  const { rows } = await sql`
    select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`.execute(db);
  return rows.length > 0;
}

test('a transfer that comes while its payment is being pruned brings it back', async ({ service, slug }) => {
  const asked = await begin(service, slug);
  await age(service);
  const pruning = Promise.withResolvers<void>();
  const pruned = inTransaction(service.db, async (trx) => {
    expect((await pruneFrom(service, '', { db: trx })).pruned).toBeGreaterThan(0);
    await pruning.promise;
  });
  await expect.poll(() => isLocked(service, asked.id)).toBe(true);
  const arrived = service.chain.transfer(asked);
  await expect.poll(() => isAnyWaiting(service)).toBe(true);
  pruning.resolve();
  await Promise.all([pruned, arrived]);
  await service.runPaymentJobs();
  expect(await isStored(service, asked.id)).toBe(true);
  expect(await incidents(service, asked.id)).toEqual([{ kind: 'payment.revived', resolved_at: null }]);
});

test('a payment to which a transfer is just being stored is left alone', async ({ service, slug }) => {
  const asked = await begin(service, slug);
  const storing = Promise.withResolvers<void>();
  await age(service);
  const stored = inTransaction(service.db, async (trx) => {
    await trx.insertInto('credits').values(creditOf(asked, service)).execute();
    await storing.promise;
  });
  await expect.poll(() => isLocked(service, asked.id)).toBe(true);
  await prune(service);
  storing.resolve();
  await stored;
  await prune(service);
  expect(await isStored(service, asked.id)).toBe(true);
});

test('a process that dies in the middle has pruned nothing', async ({ service, merchant, slug }) => {
  const asked = await begin(service, slug);
  await age(service);
  const died = inTransaction(service.db, async (trx) => {
    await pruneFrom(service, '', { db: trx });
    throw new Error('killed');
  });
  await expect(died).rejects.toThrow('killed');
  expect(await merchant.client.payments.get(asked.id)).toMatchObject({ status: 'expired' });
  expect((await merchant.client.payments.timeline(asked.id)).data).toHaveLength(2);
  await prune(service);
  await prune(service);
  expect(await isStored(service, asked.id)).toBe(false);
});

test('nothing but the function empties an event, and nothing takes a tombstone away', async ({ service, slug }) => {
  const { id } = await begin(service, slug);
  const run = (text: string) => sql.raw(text).execute(service.db);
  await expect(run(`update events set body = 'x' where resource_id = '${id}'`)).rejects.toThrow();
  await expect(run(`update events set body = '' where resource_id = '${id}'`)).rejects.toThrow();
  await expect(run(`delete from payments where id = '${id}'`)).rejects.toThrow();
  await expect(run(`update events set type = 'x', body = '' where resource_id = '${id}'`)).rejects.toThrow();
  await expect(run(`delete from events where resource_id = '${id}'`)).rejects.toThrow();
  await expect(run('delete from pruned_payments')).rejects.toThrow();
});

test('what a payer answered goes with a payment that nobody paid, and does not come back', async ({
  service,
  merchant,
}) => {
  const customFields = [{ key: 'name', label: 'Your name', kind: 'text' as const }];
  const { slug } = await merchant.client.paymentLinks.create({ title: 'Tea', amount: 25, customFields });
  const answers = { customFields: { name: 'Nimal Perera' } };
  const payment = await service.client().public.paymentLinks.startPayment(slug, answers);
  expect(await merchant.client.payments.get(payment.id)).toMatchObject({ customFields: [{ answer: 'Nimal Perera' }] });
  await age(service);
  await prune(service);
  expect(await isStored(service, payment.id)).toBe(false);
  const rows = await sql`select row_then::text as kept from pruned_payments where payment_id = ${payment.id}`.execute(
    service.db,
  );
  expect(rows.rows).toEqual([{ kept: expect.not.stringContaining('Nimal') }]);
  await service.db
    .insertInto('credits')
    .values({ ...creditOf(payment, service), tx_hash: '0xabd' })
    .execute();
  expect(await merchant.client.payments.get(payment.id)).toMatchObject({ status: 'expired', customFields: [] });
});

test('a payment that is pruned while its text is noted by an upgrade leaves none', async ({ service, slug }) => {
  const { id } = await begin(service, slug);
  await age(service);
  const owner = await ownerOf(service);
  const upgrade = await ownerOf(service);
  try {
    await owner.query('delete from payment_texts'); // As none is there before the upgrade.
    let rest: Promise<unknown> | undefined;
    await inTransaction(service.db, async (trx) => {
      await pruneFrom(service, '', { db: trx });
      await upgrade.query(filled.up);
      rest = upgrade.query(`begin; ${awaited.up} commit`).then(() => upgrade.query(left.up));
      await expect.poll(() => countWaitingFor(service.db, 'payment_texts')).toBe(1);
    });
    await rest;
    expect(await isStored(service, id)).toBe(false);
    expect((await owner.query('select from payment_texts where payment_id = $1', [id])).rowCount).toBe(0);
  } finally {
    await upgrade.end();
    await owner.end();
  }
});

test('a payment that takes longer than a statement may keeps none of those behind it', async ({ service, slug }) => {
  const ids: string[] = [];
  for (let made = 0; made < 5; made += 1) ids.push((await begin(service, slug)).id);
  const [, , heavy = ''] = ids;
  await age(service);
  // As one whose merchant has had its events sent again a hundred thousand times.
  const owner = await connectOwner(await urlsOf(service.db));
  await owner.query(`
    create function too_long() returns trigger language plpgsql as $$ begin
      raise exception 'canceling statement due to statement timeout' using errcode = '57014';
    end $$;
    create trigger too_long before delete on payments for each row when (old.id = '${heavy}') execute function too_long()`);
  const stored = async () => (await Promise.all(ids.map((id) => isStored(service, id)))).map(Number).join('');
  await prune(service);
  expect(await stored()).toBe('00100');
  await owner.query('drop trigger too_long on payments; drop function too_long()');
  await owner.end();
  await prune(service);
  expect(await stored()).toBe('00000');
});
