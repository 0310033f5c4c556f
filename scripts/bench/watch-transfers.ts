import { randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import { type Address, encodeFunctionData } from 'viem';
import { testUsdt } from '../../generated/contracts.ts';
import type { EvmNetwork } from '../../src/chains/evm/network.ts';
import { createEvmReader } from '../../src/chains/evm/rpc.ts';
import { createWatcher } from '../../src/chains/watcher.ts';
import { openDatabase } from '../../src/db/database.ts';
import type { Db } from '../../src/lib/db-types.ts';
import { paymentMatcher } from '../../src/payments/observe.ts';
import { createRpc } from '../../src/sandbox/anvil.ts';
import { startDevChain } from '../../src/sandbox/dev-chain.ts';
import { prepareSandboxNetwork } from '../../src/sandbox/network.ts';
import { subscriptionMatcher } from '../../src/subscriptions/settling/observe.ts';
import { makeDataFolder, removeDataFolder } from '../lib/service-process.ts';
import { type Figure, median } from './figure.ts';
import { type BenchService, createBenchDatabase, type Endings } from './service.ts';

const BLOCKS = 12;
const TRANSFERS_A_BLOCK = 400;
/** The number of these that reach an open payment; the rest is other traffic of the chain. */
const OURS_A_BLOCK = 20;
const FEW = 1_000;
const MANY = 100_000;
const ROUNDS = 24;
/** Rows per statement, because statements time out. */
const BULK_MAX = 10_000;
/** Warm-up rounds, in which code is still being compiled. */
const WARM_UP = 4;

/**
 * Measures scanning the same full blocks with many open deposit addresses and as many subscriptions that wait for
 * money, against few: the cost depends on the blocks, not on what waits.
 */
export async function benchWatchTransfers(service: BenchService, endings: Endings): Promise<Figure[]> {
  const dataDir = makeDataFolder();
  endings.push(() => removeDataFolder(dataDir));
  const chain = await startDevChain({ dataDir, now: new Date(), log: () => {} });
  endings.push(() => chain.stop());
  const network = await prepareSandboxNetwork({ rpcUrl: chain.rpcUrl });
  const few = await openWorld(service, network, FEW, endings);
  const many = await openWorld(service, network, MANY, endings);
  await fillBlocks(network);
  const [fewMs, manyMs]: [number[], number[]] = [[], []];
  for (let round = 0; round < ROUNDS + WARM_UP; round += 1) {
    // Alternate the order, so that noise hits both sides.
    for (const [world, times] of round % 2 === 0
      ? [[few, fewMs] as const, [many, manyMs] as const]
      : [[many, manyMs] as const, [few, fewMs] as const]) {
      const took = await world.scan();
      if (round >= WARM_UP) times.push(took);
    }
  }
  const transfers = BLOCKS * TRANSFERS_A_BLOCK;
  const detail = `${transfers} transfers in ${BLOCKS} blocks, ${BLOCKS * OURS_A_BLOCK} of them ours`;
  return [
    {
      name: 'Transfers scanned, 100,000 open addresses and wallets',
      value: transfers / (median(manyMs) / 1000),
      unit: 'a second',
      limit: null,
      detail,
    },
    {
      name: 'Scan with 100,000 addresses and wallets, against 1,000',
      value: median(manyMs) / median(fewMs),
      limit: { atMost: 1.2 },
      detail: `${median(manyMs).toFixed(0)} ms to ${median(fewMs).toFixed(0)} ms`,
    },
  ];
}

/** Addresses of both worlds, so that the same blocks have as many matches in each. */
const oursAt = (index: number): Address => `0xbe${(index + 1).toString(16).padStart(38, '0')}`;

type World = { readonly scan: () => Promise<number> };

async function openWorld(
  service: BenchService,
  network: EvmNetwork,
  addresses: number,
  endings: Endings,
): Promise<World> {
  const ownerUrl = await createBenchDatabase(service, `kasi_watch_${addresses}`);
  const db = openDatabase({ url: ownerUrl, poolMax: 4, applicationName: 'bench', onError: () => {} });
  endings.push(() => db.destroy());
  await openPayments(db, addresses);
  const reader = createEvmReader(network);
  const deps = {
    db,
    network,
    reader,
    matchers: [paymentMatcher, subscriptionMatcher],
    confirmationsOn: async () => network.confirmations,
    now: () => new Date(),
    worker: 'bench',
    log: () => {},
  };
  const level = async (): Promise<void> => {
    const watcher = createWatcher(deps);
    for (;;) {
      const result = await watcher.look();
      if (result === 'level') break;
    }
    await watcher.release();
  };
  await level(); // The blocks from here on are about to be filled.
  const { height } = await db.selectFrom('chain_cursors').select('height').executeTakeFirstOrThrow();
  const start = await db.selectFrom('chain_cursors').selectAll().executeTakeFirstOrThrow();
  return {
    scan: async () => {
      await db.deleteFrom('credits').execute();
      await db.deleteFrom('subscription_signals').execute();
      await db.deleteFrom('chain_blocks').where('height', '>', height).execute();
      await db.updateTable('chain_cursors').set(start).execute();
      const began = performance.now();
      await level();
      const took = performance.now() - began;
      const { count } = await db
        .selectFrom('credits')
        .select((eb) => eb.fn.countAll<bigint>().as('count'))
        .executeTakeFirstOrThrow();
      if (Number(count) !== BLOCKS * OURS_A_BLOCK)
        throw new Error(`${count} transfers were found, not ${BLOCKS * OURS_A_BLOCK}`);
      return took;
    },
  };
}

/**
 * Inserts payments, each with an address, and subscriptions that wait for money. The first payments are the ones to be
 * paid.
 */
export async function openPayments(db: Db, count: number): Promise<void> {
  await sql`
    insert into merchants (id, business_name, email, password_hash, phone, business_type, status, created_at,
      updated_at)
    values ('mer_bench', 'Bench', 'bench@example.org', 'none', '+94112345678', 'company', 'active', now(),
      now())`.execute(db);
  await sql`
    insert into plans (id, merchant_id, name, amount_minor, currency, interval, token, network, created_at, updated_at)
    values ('plan_bench', 'mer_bench', 'Bench', 2500, 'USD', 'monthly', 'USDT', 'devnet', now(), now())`.execute(db);
  for (let from = 1; from <= count; from += BULK_MAX) {
    const to = Math.min(count, from + BULK_MAX - 1);
    await insertPayments(db, from, to);
    await insertSubscriptions(db, from, to);
  }
  await sql`analyze`.execute(db);
}

async function insertPayments(db: Db, from: number, to: number): Promise<void> {
  await sql`
    insert into payments (id, merchant_id, status, source, amount_minor, currency, amount_micro, tolerance_micro,
      late_window_ms,
      rate, options, factory_address, created_at, updated_at, expires_at)
    select 'pay_' || n, 'mer_bench', 'initiated', 'direct', 2500, 'USD', 25000000, 0, 0, '{}', '[{}]', '', now(),
      now(), now() + interval '1 hour'
      from generate_series(${from}::integer, ${to}::integer) n`.execute(db);
  await sql`
    insert into deposit_addresses (kind, address, payment_id)
    select 'evm', '0xbe' || lpad(to_hex(n), 38, '0'), 'pay_' || n
      from generate_series(${from}::integer, ${to}::integer) n`.execute(db);
}

async function insertSubscriptions(db: Db, from: number, to: number): Promise<void> {
  await sql`
    insert into subscriptions (id, merchant_id, plan_id, customer_email, customer_name, wallet, amount_minor, currency,
      interval, token,
      network, status, mandate_status, anchor_at, trial_reminder_sent, period_number, current_period_start,
        current_period_end,
      next_number, ever_charged, charge, failures, next_action_at, event_sequence, created_at, updated_at)
    select 'sub_' || n, 'mer_bench', 'plan_bench', '', '', '0xce' || lpad(to_hex(n), 38, '0'), 2500, 'USD', 'monthly',
      'USDT',
      'devnet', 'past_due', 'active', now(), true, 1, now(), now() + interval '30 days',
      2, true, 'none', 1, now(), 1, now(), now()
      from generate_series(${from}::integer, ${to}::integer) n`.execute(db);
}

async function fillBlocks(network: EvmNetwork): Promise<void> {
  const token = network.tokens.find(({ symbol }) => symbol === 'USDT')?.contract;
  if (!token) throw new Error('the sandbox has no USDT');
  const rpc = createRpc(network.rpcUrl);
  const [from] = await rpc<string[]>('eth_accounts');
  await rpc('evm_setAutomine', [false]);
  for (let block = 0; block < BLOCKS; block += 1) {
    for (let index = 0; index < TRANSFERS_A_BLOCK; index += 1) {
      const to =
        index < OURS_A_BLOCK ? oursAt(block * OURS_A_BLOCK + index) : (`0x${randomBytes(20).toString('hex')}` as const);
      const data = encodeFunctionData({ abi: testUsdt.abi, functionName: 'mint', args: [to, 1_000_000n] });
      await rpc('eth_sendTransaction', [{ from, to: token, data, gas: '0x186a0' }]);
    }
    await rpc('evm_mine');
  }
  await rpc('evm_setAutomine', [true]);
}
