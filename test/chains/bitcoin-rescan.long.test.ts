import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { type Call, type LiarProxy, type Lie, startLiar } from '../../scripts/liars/proxy.ts';
import { bitcoin } from '../../src/chains/bitcoin/kind.ts';
import { proveIdentity } from '../../src/deployment/identity.ts';
import { createKeyRing } from '../../src/lib/envelope.ts';
import { type BitcoinWorld, openBitcoinWorld } from '../flows/bitcoin-fixture.ts';
import { urlsOf } from '../support/database.ts';
import { ONLY_PROGRESS, runScript } from '../support/run-script.ts';

let world: BitcoinWorld;
let proxy: LiarProxy;
let databaseUrl: string;
beforeAll(async () => {
  world = await openBitcoinWorld();
  proxy = await startLiar(world.network.rpcUrl);
  const { db } = world.service;
  await proveIdentity(db, { mode: 'sandbox', id: null, ring: createKeyRing(Buffer.alloc(32, 7), []) });
  databaseUrl = (await urlsOf(db)).url;
});
afterEach(() => proxy.honest());
afterAll(async () => {
  await proxy?.close();
  await world.reconcile();
  await world.close();
});

const headOf = async (): Promise<number> => (await world.node.readHead()).height;
const again = (from: number, to: number) =>
  runScript('rescan.ts', [world.network.name, String(from), String(to)], {
    DATABASE_URL: databaseUrl,
    BITCOIN_RPC_URL: proxy.url,
  });

/** What a defect of any kind would have done: the cursor stands at the head, and nothing was stored on the way. */
async function skipToHead(): Promise<void> {
  const { db } = world.service;
  const { network, height, hash, time } = await bitcoin.openReader(world.network).getHead();
  await sql`insert into chain_blocks (network, height, hash, block_time)
    values (${network}, ${height}, ${hash}, ${time})`.execute(db);
  await sql`update chain_cursors set height = ${height}, hash = ${hash}, block_time = ${time}, head_height = ${height},
    confirmed_height = ${height}`.execute(db);
}

test('a payment that was passed over is credited once, also when its block is read again and again', async () => {
  await world.look();
  const payment = await world.ask();
  await world.wallet.pay([await payment.due(0.5), await payment.due(0.5)]);
  const from = (await headOf()) + 1;
  await world.node.mine(2);
  await skipToHead();
  await world.restart();
  await world.look();
  expect(await payment.rows()).toEqual([]);
  const first = await again(from, from + 1);
  expect(first).toMatchObject({ code: 0, err: ONLY_PROGRESS });
  expect(first.out).toContain('2 transfers to deposit addresses seen, 0 known already, 2 credited now');
  await world.look();
  expect(await payment.state()).toBe('paid 100');
  expect((await again(from, from + 1)).out).toContain('2 known already, 0 credited now');
  await world.look();
  expect(await payment.rows()).toHaveLength(2);
  expect(await payment.events()).toMatch(/^created( confirming)? completed$/);
});

test('a transfer that waited in the pool when it was passed over in its block is the one that waited', async () => {
  await world.look();
  const payment = await world.ask();
  const { txid } = await world.wallet.pay([await payment.due()]);
  await world.look();
  expect(await payment.state()).toBe('confirming 100');
  const from = (await headOf()) + 1;
  await world.node.mine(1);
  await skipToHead();
  await world.restart();
  expect(await again(from, from)).toMatchObject({ code: 0, err: ONLY_PROGRESS });
  await world.look();
  expect(await payment.state()).toBe('paid 100');
  expect(await payment.rows()).toMatchObject([{ tx_hash: txid, canonical: true, gone_because: null }]);
});

test('it is a rescan of the coin: an unfinished one for another list of what is watched is another one', async () => {
  const to = await headOf();
  const { out } = await again(to - 1, to);
  expect(out).toContain('2 blocks were read again');
  const { watched } = await world.service.db
    .selectFrom('rescans')
    .select('watched')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirstOrThrow();
  expect(watched.split(' ')).toContain('btc');
});

test('a pruned node’s refusal is told with what it still has, and what to do', async () => {
  const lies: Record<string, Lie> = {
    getblock: { error: { code: -1, message: 'Block not available (pruned data)' } },
    getblockchaininfo: { change: (info) => ({ ...(info as object), pruned: true, pruneheight: 5 }) },
  };
  proxy.lie(({ method }: Call) => lies[method]);
  const { code, err } = await again(2, 2);
  expect(code).toBe(1);
  expect(err).toMatch(
    /is pruned and has no block 2 any more; it goes back to block 5\. Add an endpoint that has it to rpcUrls/,
  );
  // No stack: it is for an operator to mend.
  expect(err).not.toContain('    at ');
});

test('a block that is not confirmed, and a node of another chain, are refused in a sentence', async () => {
  const to = await headOf();
  expect((await again(to, to + 1)).err).toContain(`Block ${to + 1} of regtest is not confirmed yet`);
  proxy.lie(({ method }) => (method === 'getblockhash' ? { result: 'ab'.repeat(32) } : undefined));
  const { code, err } = await again(to, to);
  expect([code, err]).toEqual([1, expect.stringMatching(/regtest/)]);
  expect(err).not.toContain('    at ');
});
