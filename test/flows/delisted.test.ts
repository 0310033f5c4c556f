import { sql } from 'kysely';
import { expect, vi } from 'vitest';
import { createChains } from '../../src/chains/chains.ts';
import { noteList } from '../../src/deployment/delisted.ts';
import { createListBeat } from '../../src/deployment/list-beat.ts';
import { proveNetworks } from '../../src/deployment/networks.ts';
import { listSealingOtherwise } from '../../src/deployment/sealing-keys.ts';
import { openIncident } from '../../src/incidents/incidents.ts';
import { KINDS } from '../../src/kinds.ts';
import { DAY_MS, HOUR_MS } from '../../src/lib/clock.ts';
import type { Network } from '../../src/ports/chain.ts';
import { serviceTest } from '../fixture.ts';
import type { TestService } from '../harness.ts';
import { TEST_NETWORK } from '../support/payments.ts';
import { customer, put, TEA_CLUB } from '../support/subscriptions.ts';
import { fund, hold, withdrawalOf } from '../support/withdrawals.ts';

const GONE = { ...TEST_NETWORK, name: 'gone', chainId: 5 };
const NETWORKS = [TEST_NETWORK, GONE];
const test = serviceTest({ composed: { kinds: KINDS, networks: NETWORKS } });

/** What the checks of a start with this list record, before any of them may refuse it. */
const prove = ({ db }: TestService, networks: readonly Network[]) =>
  proveNetworks(db, networks, { chains: createChains(KINDS, networks), mode: 'sandbox' });
/** What a start with this list records. */
async function startWith(service: TestService, networks: readonly Network[]): Promise<void> {
  await prove(service, networks);
  await noteList(service.db, networks);
}
/** As if no process had listed it for so long. */
const wait = ({ db }: TestService, time = '2 hours') =>
  sql`update delisted set since = since - ${time}::interval`.execute(db);
const incidents = ({ db }: TestService) =>
  db
    .selectFrom('incidents')
    .select(['subject', 'message', 'resolved_at'])
    .where('kind', '=', 'network.delisted')
    .orderBy('opened_at')
    .orderBy('id')
    .execute();

async function cursorAt({ db }: TestService, network: string, time: Date): Promise<void> {
  await sql`
    insert into chain_cursors
      (network, genesis_hash, height, hash, block_time, confirmed_height, head_height, scanned_at)
    values (${network}, ${`0x${network}`}, 9, '0x9', ${time}, 8, 9, ${time})
    on conflict (network) do update set block_time = ${time}, scanned_at = ${time}`.execute(db);
}

test('what depends on a network that is no longer listed comes to an end, and goes on when it is listed again', async ({
  service,
  merchant,
}) => {
  const { db, clock } = service;
  await startWith(service, NETWORKS);
  await cursorAt(service, 'devnet', clock.now());
  await cursorAt(service, 'gone', clock.now());
  const payment = await merchant.client.payments.create({ amount: 25, currency: 'USD' });
  const plan = await merchant.client.plans.create({ ...TEA_CLUB, network: 'gone' });
  const { id } = await merchant.client.plans.subscribe(plan.id, customer());
  await put(db, id, { mandateStatus: 'active', nextActionAt: clock.now() });
  await fund(db, merchant.id, 10_000n);
  const withdrawal = await hold(db, withdrawalOf({ merchantId: merchant.id, network: 'gone' }));
  const pausedSince = async () =>
    (await db.selectFrom('subscriptions').selectAll().where('id', '=', id).executeTakeFirstOrThrow()).paused_since;
  const statusOf = async () => (await merchant.client.payments.get(payment.id)).status;

  await startWith(service, [TEST_NETWORK]);
  await wait(service, '4 minutes');
  await service.runJob('deployment.delisted');
  expect(await incidents(service)).toEqual([
    {
      subject: 'gone',
      message: expect.stringContaining('1 payments that are not over, 1 withdrawals, 1 subscriptions'),
      resolved_at: null,
    },
  ]);
  // Nobody reads the chain any more. Within the hour the list may still be mended.
  clock.advance(2 * HOUR_MS);
  await cursorAt(service, 'devnet', clock.now());
  await service.runJob('payments.expire');
  expect(await statusOf()).toBe('initiated');

  await wait(service);
  await service.runJob('payments.expire');
  expect(await statusOf()).toBe('expired');
  await put(db, id, { nextActionAt: clock.now() });
  await service.runJob('subscriptions.sweep');
  expect(await pausedSince()).toEqual(clock.now());
  expect((await merchant.client.subscriptions.get(id)).nextChargeAt).toBeNull();
  const paused = () =>
    db
      .selectFrom('events')
      .select('type')
      .where('resource_id', '=', id)
      .where('type', '=', 'subscription.paused')
      .execute();
  expect(await paused()).toHaveLength(1);
  await put(db, id, { nextActionAt: clock.now() });
  await service.runJob('subscriptions.sweep');
  expect(await paused()).toHaveLength(1);

  await startWith(service, NETWORKS);
  await service.runJob('deployment.delisted');
  expect((await incidents(service)).map(({ resolved_at }) => resolved_at)).toEqual([clock.now()]);
  await service.runJob('subscriptions.sweep');
  expect(await pausedSince()).toBeNull();
  await merchant.client.withdrawals.cancel(withdrawal.id);
});

test('a start with a shorter list ends nothing that a running process lists or watches', async ({
  service,
  merchant,
}) => {
  const { db, clock } = service;
  await startWith(service, NETWORKS);
  await cursorAt(service, 'devnet', clock.now());
  await cursorAt(service, 'gone', clock.now());
  const plan = await merchant.client.plans.create({ ...TEA_CLUB, network: 'gone' });
  const { id } = await merchant.client.plans.subscribe(plan.id, customer());
  await put(db, id, { mandateStatus: 'active', nextActionAt: clock.now() });
  const listDelisted = () => db.selectFrom('delisted').select(['network', 'contract']).execute();
  const sweep = async () => {
    await put(db, id, { nextActionAt: clock.now() });
    await service.runJob('subscriptions.sweep');
    const charges = db.selectFrom('charges').select(['status', 'void_reason']).where('subscription_id', '=', id);
    return charges.execute();
  };
  expect(await sweep()).toEqual([{ status: 'due', void_reason: null }]);

  // A later check refuses this start.
  await prove(service, [TEST_NETWORK]);
  expect(await listDelisted()).toEqual([]);

  // This one ran for a moment, beside a process that notes its list from time to time.
  await startWith(service, [TEST_NETWORK]);
  expect(await listDelisted()).toEqual([{ network: 'gone', contract: '' }]);
  await service.runJob('deployment.delisted');
  expect((await incidents(service)).filter(({ resolved_at }) => resolved_at === null)).toEqual([]);
  const beat = createListBeat({
    ...{ db, networks: NETWORKS, log: () => undefined, everyMs: 5 },
    sealing: { worker: 'beat', key: 'aa' },
  });
  await beat.start();
  try {
    expect(await listSealingOtherwise(db, 'bb')).toContainEqual({ worker: 'beat', key: 'aa' });
    expect(await listSealingOtherwise(db, 'aa')).not.toContainEqual({ worker: 'beat', key: 'aa' });
    await noteList(db, [TEST_NETWORK]);
    await wait(service);
    await vi.waitFor(async () => expect(await listDelisted()).toEqual([]), 60_000);
  } finally {
    await beat.stop();
  }
  expect(await listSealingOtherwise(db, 'bb')).not.toContainEqual({ worker: 'beat', key: 'aa' });

  // Processes of the release before note nothing, and one of them watches the network.
  await startWith(service, [TEST_NETWORK]);
  await wait(service);
  const watched = (ago: string) =>
    sql`update chain_cursors set watched_at = clock_timestamp() - ${ago}::interval where network = 'gone'`.execute(db);
  await watched('0');
  expect(await sweep()).toEqual([{ status: 'due', void_reason: null }]);
  await watched('2 hours');
  expect(await sweep()).toEqual([{ status: 'void', void_reason: 'paused' }]);
});

test('a token with a successor on its network is not missed by withdrawals and subscriptions', async ({
  service,
  merchant,
}) => {
  const [usdt, usdc] = TEST_NETWORK.tokens;
  const successor = { ...usdt!, contract: '0x00000000000000000000000000000000000000b1' };
  const payment = await merchant.client.payments.create({ amount: 25, currency: 'USD' });
  await startWith(service, [{ ...TEST_NETWORK, tokens: [successor, usdc!] } as Network, GONE]);
  await wait(service);
  await service.runJob('deployment.delisted');
  expect((await incidents(service)).at(-1)).toEqual({
    subject: `devnet ${usdt!.contract}`,
    message: expect.stringContaining('and this depends on it: 1 payments that are not over.'),
    resolved_at: null,
  });
  // The network is still read for it, so the payment waits for the chain as ever.
  service.clock.advance(DAY_MS);
  await service.runJob('payments.expire');
  expect((await merchant.client.payments.get(payment.id)).status).toBe('initiated');
  await cursorAt(service, 'devnet', service.clock.now());
  await cursorAt(service, 'gone', service.clock.now());
  await service.runJob('payments.expire');
  await service.runJob('deployment.delisted');
  expect((await incidents(service)).every(({ resolved_at }) => resolved_at !== null)).toBe(true);
});

test('nobody is shown where to pay on a network that is no longer listed', async ({ service, merchant }) => {
  const read = (id: string) => service.client().public.payments.get(id);
  const rename = (id: string, from: string, to: string) =>
    sql`
      update payments set options = replace(options::text, ${`"${from}"`}, ${`"${to}"`})::jsonb
       where id = ${id}`.execute(service.db);
  const create = () => merchant.client.payments.create({ amount: 25, currency: 'USD' });
  const { id } = await create();
  await service.client().public.payments.select(id, { token: 'USDC', network: 'devnet' });
  await rename(id, 'devnet', 'nowhere');
  // The choice and the first option are gone: what is left first is asked for.
  const left = await read(id);
  expect(left).toMatchObject({ token: 'USDT', network: 'gone', tokenAmountDue: '25.000000' });
  expect(left.options.map(({ network }) => network)).toEqual(['gone', 'gone']);
  expect(left.cryptoAddress).toBe(left.options[0]!.address);
  expect(left.paymentUri).toBe(left.options[0]!.paymentUri);
  // A merchant passes on what it reads, so it is told the same while the payment is open.
  expect(await merchant.client.payments.get(id)).toMatchObject({ network: 'gone', options: left.options });

  await rename(id, 'gone', 'nowhere');
  const none = { network: 'nowhere', cryptoAddress: '', paymentUri: '', options: [] };
  expect(await read(id)).toMatchObject(none);
  expect(await merchant.client.payments.get(id)).toMatchObject(none);
  for (const image of ['qrSvg', 'qrPng'] as const) {
    await expect(service.client().public.payments[image](id)).rejects.toMatchObject({
      status: 409,
      message: expect.stringContaining('no longer taken on nowhere'),
    });
  }
  const { text: page } = await service.send('GET', `/checkout/payment/${id}`);
  expect(page).toContain('This payment can no longer be made');
  expect(page).not.toContain(left.cryptoAddress);

  // Once it is over, its merchant reads in full what was offered, and payers are still kept away.
  await merchant.client.payments.cancel(id);
  expect(await read(id)).toMatchObject({ ...none, status: 'expired' });
  const record = await merchant.client.payments.get(id);
  expect(record).toMatchObject({ token: 'USDC', network: 'nowhere', cryptoAddress: left.cryptoAddress });
  expect(record.options).toHaveLength(4);
});

test('a payer cannot choose a network that is no longer listed', async ({ service, merchant }) => {
  const { id } = await merchant.client.payments.create({ amount: 25, currency: 'USD' });
  await sql`
    update payments set options = replace(options::text, '"gone"', '"nowhere"')::jsonb
     where id = ${id}`.execute(service.db);
  const choice = service.client().public.payments.select(id, { token: 'USDT', network: 'nowhere' });
  await expect(choice).rejects.toMatchObject({ status: 409, message: expect.stringContaining('nowhere') });
});

test('the incidents of a network that is no longer listed end once everything there is over or was told', async ({
  service,
  merchant,
}) => {
  const { db, clock } = service;
  await startWith(service, NETWORKS);
  const plan = await merchant.client.plans.create({ ...TEA_CLUB, network: 'gone' });
  const { id } = await merchant.client.plans.subscribe(plan.id, customer());
  await put(db, id, { mandateStatus: 'active', nextActionAt: clock.now() });
  // Those that the tests before have left there.
  await sql`update subscriptions set next_action_at = ${clock.now()} where network = 'gone'`.execute(db);
  for (const network of ['devnet', 'gone']) {
    await openIncident(db, { kind: 'network.closed', subject: network, message: 'It is silent.' }, clock.now());
    const subject = `${network} 0xaccount`;
    await openIncident(db, { kind: 'operator.funds', subject, network, message: 'It is poor.' }, clock.now());
    await openIncident(db, { kind: 'chain.unexplained', subject: network, message: 'It has more.' }, clock.now());
  }
  const open = async () => {
    const rows = await db
      .selectFrom('incidents')
      .select(['kind', 'network'])
      .where('resolved_at', 'is', null)
      .execute();
    return rows.map(({ kind, network }) => `${kind} ${network}`).sort();
  };
  const ofMoney = ['chain.unexplained devnet', 'chain.unexplained gone'];
  const ofDevnet = ['network.closed devnet', 'operator.funds devnet'];
  const ofGone = ['network.closed gone', 'network.delisted gone', 'operator.funds gone'];

  await startWith(service, [TEST_NETWORK]);
  await wait(service, '4 minutes');
  await service.runJob('deployment.delisted');
  expect(await open()).toEqual([...ofMoney, ...ofDevnet, ...ofGone].sort());

  await wait(service);
  await service.runJob('deployment.delisted');
  expect(await open()).toEqual([...ofMoney, 'network.delisted gone', ...ofDevnet].sort());

  await service.runJob('subscriptions.sweep');
  await service.runJob('deployment.delisted');
  expect(await open()).toEqual([...ofMoney, ...ofDevnet].sort());
});

test('what was paused goes on within minutes where pending merchants may collect, and of none that was rejected', async ({
  service,
  merchant,
}) => {
  const { db, clock } = service;
  const later = new Date(clock.now().getTime() + DAY_MS);
  /** When a paused subscription is looked at after its merchant has come to this. */
  const lookOf = async ({ id: merchantId, client }: typeof merchant, standing: ReturnType<typeof sql>) => {
    const { id: planId } = await client.plans.create({ ...TEA_CLUB, network: 'devnet' });
    const { id } = await client.plans.subscribe(planId, customer());
    await put(db, id, { mandateStatus: 'active', pausedSince: clock.now(), nextActionAt: later });
    await sql`update merchants set ${standing} where id = ${merchantId}`.execute(db);
    await service.runJob('deployment.delisted');
    const row = await db.selectFrom('subscriptions').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
    return row.next_action_at;
  };
  expect(await lookOf(await service.registerMerchant(), sql`status = 'pending_verification'`)).toEqual(clock.now());
  expect(await lookOf(await service.registerMerchant(), sql`rejected_at = ${clock.now()}`)).toEqual(later);
  expect(await lookOf(await service.registerMerchant(), sql`status = 'terminated'`)).toEqual(later);
  expect(await lookOf(merchant, sql`status = 'frozen'`)).toEqual(later);
});

test('in the hour in which the list may be mended nothing is asked for or ended, and there is a day to agree', async ({
  service,
}) => {
  const { db, clock } = service;
  const { client } = await service.activeMerchant();
  const { id: planId } = await client.plans.create({ ...TEA_CLUB, network: 'gone' });
  const [awaited, owing, active] = await Promise.all(
    [1, 2, 3].map(async (wallet) => (await client.plans.subscribe(planId, customer(wallet))).id),
  );
  const due = { nextActionAt: clock.now() };
  await put(db, awaited!, { ...due, authorizeBy: clock.now() });
  const firstFailedAt = new Date(clock.now().getTime() - 20 * DAY_MS);
  await put(db, owing!, { ...due, status: 'past_due', mandateStatus: 'revoked', firstFailedAt, failures: 8 });
  await put(db, active!, { ...due, mandateStatus: 'active' });
  const look = async () => {
    await service.runJob('subscriptions.sweep');
    const { rows } = await sql<Record<string, unknown>>`
      select s.status, s.charge, s.paused_since, s.authorize_by, s.next_action_at from subscriptions s
       where plan_id = ${planId} order by array_position(${[awaited, owing, active]}::text[], id)`.execute(db);
    return rows;
  };
  await startWith(service, NETWORKS);
  await startWith(service, [TEST_NETWORK]);
  const waits = { charge: 'none', paused_since: null };
  const soon = new Date(clock.now().getTime() + HOUR_MS / 12);
  const tomorrow = new Date(clock.now().getTime() + DAY_MS);
  expect(await look()).toMatchObject([
    { ...waits, status: 'active', authorize_by: tomorrow, next_action_at: tomorrow },
    { ...waits, status: 'past_due', next_action_at: soon },
    { ...waits, status: 'active', next_action_at: soon },
  ]);
  clock.advance(HOUR_MS / 12);
  await startWith(service, NETWORKS);
  // Who owed for weeks could do nothing about it in that hour, so the retries start over.
  expect((await look()).map(({ status, charge }) => [status, charge])).toEqual([
    ['active', 'none'],
    ['past_due', 'none'],
    ['active', 'due'],
  ]);
});
