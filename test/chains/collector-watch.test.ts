import pg from 'pg';
import { encodeFunctionData, type Hex } from 'viem';
import { sendTransaction } from 'viem/actions';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { COLLECT_REASONS } from '../../src/chains/collector.ts';
import { encodeCollectMany, type Mandate, mandateId, mandateRef } from '../../src/chains/evm/collector.ts';
import { createEvmReader } from '../../src/chains/evm/rpc.ts';
import { inTransaction } from '../../src/db/transaction.ts';
import type { Db } from '../../src/lib/db-types.ts';
import { subscriptionMatcher } from '../../src/subscriptions/settling/observe.ts';
import { buffersOf } from '../support/buffers.ts';
import { connectOwner } from '../support/database.ts';
import { invoke, STRANGER, UNIT } from './collector-fixture.ts';
import { type CollectorBench, noiseAbi, openCollectorBench } from './collector-watch-fixture.ts';

let bench: CollectorBench;
beforeAll(async () => {
  bench = await openCollectorBench();
  await bench.catchUp();
});
afterAll(() => bench.end());

const charge = (mandate: Mandate, number: number, amount = UNIT) => ({ mandate, amount, number });

test('events of our mandates are stored, in order and with all their parts', async () => {
  const [ours, theirs] = [await bench.agreed(true), await bench.agreed(false)];
  await bench.authorize(ours.payer, ours.mandate);
  await bench.authorize(theirs.payer, theirs.mandate);
  await bench.collectMany([
    charge(theirs.mandate, 1),
    charge(ours.mandate, 1, 3n * UNIT),
    charge(ours.mandate, 1),
    charge(ours.mandate, 500), // Not a charge of ours; anyone with the operator's key could send it.
  ]);
  await bench.call(bench.wallet, 'revoke', [ours.id]); // Anyone may call this for themselves.
  await bench.call(theirs.payer.wallet, 'revoke', [theirs.id]);
  const { transactionHash, blockHash, blockNumber } = await bench.call(ours.payer.wallet, 'revoke', [ours.id]);
  await bench.catchUp();
  const rows = await bench.stored([ours.id, theirs.id]);
  expect(rows.map(({ kind, place, number }) => [kind, place, number])).toEqual([
    ['authorized', 0, null],
    ['collected', 1, 1n],
    ['collect_failed', 2, 1n],
    ['collected', 3, 500n],
    ['revoked', 0, null],
  ]);
  // The transfer of the stranger's charge comes before ours.
  expect(rows[1]).toMatchObject({ units: 3n * UNIT, transfer_index: 1, recipient: bench.treasury.toLowerCase() });
  expect(COLLECT_REASONS[rows[2]?.reason ?? 0]).toBe('AlreadyCharged');
  expect(rows[4]).toMatchObject({ tx_hash: transactionHash, block_hash: blockHash, block_number: blockNumber });
  expect(new Set(rows.map((row) => row.subscription_id)).size).toBe(1);
  expect(rows.filter((row) => row.applied_at !== null)).toEqual([]);
});

test('a collection by an unknown mandate opens an incident, one per mandate', async () => {
  const [ours, theirs] = [await bench.agreed(true), await bench.agreed(false)];
  await bench.authorize(ours.payer, ours.mandate);
  await bench.authorize(theirs.payer, theirs.mandate);
  await bench.catchUp();
  const openedIncidents = async () =>
    (await bench.db.selectFrom('incidents').selectAll().where('kind', '=', 'subscription.unknown_mandate').execute())
      .filter(({ subject }) => subject === ours.id || subject === theirs.id)
      .map(({ subject, message }) => [subject, message]);
  expect(await openedIncidents()).toEqual([]);
  const { transactionHash } = await bench.collectMany([
    charge(ours.mandate, 1),
    charge(theirs.mandate, 1, 3n * UNIT),
    charge(theirs.mandate, 1), // Refused: nothing was moved.
  ]);
  await bench.catchUp();
  await bench.collectMany([charge(theirs.mandate, 4_294_967_295)]);
  await bench.catchUp();
  const said = `Transaction ${transactionHash} on devnet collected 3 USDC from ${theirs.payer.address.toLowerCase()}`;
  expect(await openedIncidents()).toEqual([
    [theirs.id, expect.stringContaining(`${said} as number 1 of mandate ${theirs.id},`)],
  ]);
  expect(await bench.stored([ours.id])).toMatchObject([{ kind: 'authorized' }, { kind: 'collected' }]);
});

test('the same terms given to another collector or on another network are not the mandate', async () => {
  const { payer, mandate, id } = await bench.agreed(true);
  await bench.authorize(payer, mandate);
  const head = await bench.deps.reader.getHead();
  const { collector: events } = await bench.deps.reader.listSightings([head]);
  const observe = (change: object) =>
    inTransaction(bench.db, (trx) => {
      const collector = events.map((event) => ({ ...event, ...change }));
      return subscriptionMatcher.observe(trx, bench.network, { transfers: [], approvals: [], collector }, new Date());
    });
  await observe({ collector: STRANGER.toLowerCase() });
  await observe({ network: 'elsewhere' });
  await observe({ payer: STRANGER.toLowerCase() });
  expect(await bench.stored([id])).toEqual([]);
  await observe({});
  await observe({});
  expect(await bench.stored([id])).toHaveLength(1);
});

test('storing events reads little beside many mandates that statistics do not know, as in a restored copy', async () => {
  const { payer, id } = await bench.agreed(true);
  const owner = await connectOwner(bench.database);
  await owner.query('alter table mandates set (autovacuum_enabled = false)');
  const { rows } = await owner.query<{ id: string }>(
    `insert into mandates
     select r.* from mandates m cross join generate_series(1, 5000) n
      cross join lateral jsonb_populate_record(null::mandates,
        to_jsonb(m) || jsonb_build_object('id', '0x' || lpad(to_hex(n), 64, '0'))) r
      where m.id = $1 returning id`,
    [id],
  );
  await owner.end();
  const block = await bench.deps.reader.getHead();
  const [network, collector] = [bench.network.name, bench.network.collector ?? ''];
  const events = rows.slice(-100).map(({ id: mandate }, place) => ({
    ...{ network, collector, block, place, txHash: block.hash, mandateId: mandate },
    ...{ kind: 'revoked' as const, payer: payer.address.toLowerCase() },
  }));
  // A copy that is older than the mandates does not know them.
  const unknown = events.map(({ mandateId: mandate, ...event }) => ({
    ...{ ...event, mandateId: mandate.replace('0x0', '0xf') },
    ...{ kind: 'collected' as const, number: 1, amountUnits: UNIT, transfer: null },
  }));
  const observe = (db: Db) =>
    inTransaction(db, (trx) => {
      const sightings = { transfers: [], approvals: [], collector: [...events, ...unknown] };
      return subscriptionMatcher.observe(trx, bench.network, sightings, new Date());
    });
  expect(await buffersOf(bench.database, observe)).toBeLessThan(3_000);
  expect(await bench.stored(rows.map((row) => row.id))).toHaveLength(100);
});

test('events dropped by a reorg are reverted, and count once when included again', async () => {
  const { payer, mandate, id } = await bench.agreed(true);
  await bench.authorize(payer, mandate);
  // Signed locally, so that the same transaction can be sent again.
  await bench.node.rpc('anvil_autoImpersonateAccount', [false]);
  const { transactionHash } = await bench.collectMany([charge(mandate, 1)]);
  await bench.node.rpc('anvil_autoImpersonateAccount', [true]);
  await bench.catchUp();
  await bench.db.updateTable('collector_events').set({ applied_at: new Date() }).execute();
  const before = await bench.stored([id]);
  expect(before.map(({ kind }) => kind)).toEqual(['authorized', 'collected']);

  const raw = await bench.node.rpc('eth_getRawTransactionByHash', [transactionHash]);
  await bench.node.rpc('anvil_reorg', [1, []]);
  await bench.catchUp();
  expect((await bench.stored([id])).map(({ kind, applied_at }) => [kind, applied_at !== null])).toEqual([
    ['authorized', true],
  ]);
  const dropped = await bench.db
    .selectFrom('collector_events')
    .selectAll()
    .where('id', '=', before[1]?.id ?? 0n)
    .executeTakeFirstOrThrow();
  expect(dropped).toMatchObject({ canonical: false, applied_at: null }); // To be reverted by whatever applied it.

  await bench.node.rpc('eth_sendRawTransaction', [raw]);
  // The node mines it at a time of its own choosing.
  await vi.waitUntil(() => bench.node.rpc('eth_getTransactionReceipt', [transactionHash]), 60_000);
  await bench.catchUp();
  const again = await bench.stored([id]);
  expect(again.map(({ kind, number }) => [kind, number])).toEqual([
    ['authorized', null],
    ['collected', 1n],
  ]);
  expect(again[1]).toMatchObject({ tx_hash: transactionHash, place: 0, applied_at: null });
  expect(again[1]?.block_hash).not.toBe(before[1]?.block_hash);
});

test('a returning block makes its events canonical again, and they wait to be applied again', async () => {
  const { payer, mandate, id } = await bench.agreed(true);
  await bench.authorize(payer, mandate);
  await bench.catchUp();
  const [row] = await bench.stored([id]);
  const block = await bench.deps.reader.getHead();
  const sightings = await createEvmReader(bench.network).listSightings([block]);
  await bench.db.updateTable('collector_events').set({ applied_at: new Date(), failure: 'x' }).execute();
  const run = (work: 'observe' | 'orphan') =>
    inTransaction(bench.db, (trx) =>
      work === 'observe'
        ? subscriptionMatcher.observe(trx, bench.network, sightings, new Date())
        : subscriptionMatcher.orphan(trx, 'devnet', block.height - 1, new Date()),
    );
  await run('observe'); // Known and canonical: nothing to do.
  expect((await bench.stored([id]))[0]?.applied_at).not.toBeNull();
  await run('orphan');
  expect(await bench.stored([id])).toEqual([]);
  await run('observe');
  expect(await bench.stored([id])).toMatchObject([{ id: row?.id, applied_at: null, failure: null }]);
});

test('funds or an allowance for a waiting subscription are signalled, and its job is woken', async () => {
  const listener = new pg.Client({ connectionString: bench.database.url });
  await listener.connect();
  const heard: string[] = [];
  listener.on('notification', ({ channel }) => heard.push(channel));
  await listener.query('listen kasi_subscriptions; listen kasi_deliveries');
  /** How often subscriptions were woken since the last call. Wakes are sent in order, so another one comes last. */
  const wakes = async (): Promise<number> => {
    bench.db.ring([{ channel: 'kasi_deliveries', payload: '' }]);
    await vi.waitUntil(() => heard.includes('kasi_deliveries'), 60_000);
    return heard.splice(0).length - 1;
  };
  await wakes(); // Those of the tests before.
  const [poor, shy, rich] = [await bench.payer(), await bench.payer(), await bench.payer()];
  const [first, second] = [await bench.open(poor.address, []), await bench.open(poor.address, [])];
  const third = await bench.open(shy.address, []);
  await bench.open(rich.address, []);
  const elsewhere = await bench.open(poor.address, [], 'USDT');
  await bench.catchUp();
  for (const id of [first, second, third, elsewhere]) await bench.shorten(id);

  await invoke(bench.wallet, bench.usdc, 'mint', [rich.address, 1n]); // Not short.
  await invoke(bench.wallet, bench.usdc, 'transfer', [poor.address, 0n]);
  await invoke(bench.wallet, bench.usdt, 'mint', [poor.address, 1n]); // Not listed here.
  await invoke(shy.wallet, bench.usdc, 'approve', [bench.collector, 0n]);
  await invoke(shy.wallet, bench.usdc, 'approve', [STRANGER, 1n]);
  await bench.catchUp();
  expect(await bench.signals()).toEqual([]);
  expect(await wakes()).toBe(0);

  await invoke(bench.wallet, bench.usdc, 'mint', [poor.address, 1n]);
  await bench.catchUp();
  expect(await bench.signals()).toEqual([`${first} funds`, `${second} funds`].toSorted());
  await invoke(bench.wallet, bench.usdc, 'mint', [poor.address, 1n]);
  await invoke(shy.wallet, bench.usdc, 'approve', [bench.collector, 1n]);
  await bench.catchUp();
  expect(await bench.signals()).toEqual([`${first} funds`, `${second} funds`, `${third} funds`].toSorted());
  expect(await wakes()).toBeGreaterThan(0);
  await listener.end();
});

test('a block with 2,000 transfers and 100 collections is stored completely', async () => {
  const payer = await bench.payer();
  const refs = Array.from({ length: 100 }, (_, i) => mandateRef(`sub_crowd${i}`, 1));
  const mandates: Mandate[] = [];
  for (const ref of refs) mandates.push(await bench.mandate(payer, { ref }));
  for (const mandate of mandates) await bench.authorize(payer, mandate);
  await bench.open(payer.address, mandates);
  const poor = await bench.open(STRANGER, [], 'USDT');
  await bench.shorten(poor);
  await bench.catchUp();

  await bench.node.rpc('evm_setAutomine', [false]);
  const noise = { abi: noiseAbi, functionName: 'transfers', args: [STRANGER, 2_000n] } as never;
  const sent = [
    [bench.wallet, bench.noise, encodeFunctionData(noise)],
    [bench.operator, bench.collector, encodeCollectMany(mandates.map((mandate) => charge(mandate, 1)))],
  ] as const;
  for (const [wallet, to, data] of sent) await submit(wallet, to, data);
  await bench.node.rpc('evm_mine');
  await bench.node.rpc('evm_setAutomine', [true]);
  await bench.catchUp();

  const rows = await bench.stored(mandates.map(mandateId));
  const collected = rows.filter(({ kind }) => kind === 'collected');
  expect([rows.length, collected.length]).toEqual([200, 100]);
  const { transfers } = await bench.deps.reader.listSightings([await bench.deps.reader.getHead()]);
  expect(transfers).toHaveLength(2_100);
  expect(collected.map((row) => row.mandate_id)).toEqual(mandates.map(mandateId));
  expect(collected.map((row) => row.transfer_index)).toEqual(collected.map((_, i) => i));
  expect(await bench.signals()).toContain(`${poor} funds`);
});

const submit = (wallet: CollectorBench['wallet'], to: Hex, data: Hex) =>
  sendTransaction(wallet, { to, data, gas: 16_000_000n, account: wallet.account, chain: null });
