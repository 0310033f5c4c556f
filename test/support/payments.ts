import { sql } from 'kysely';
import type { EvmNetwork } from '../../src/chains/evm/network.ts';
import { openDatabase } from '../../src/db/database.ts';
import { inTransaction } from '../../src/db/transaction.ts';
import { createEvents } from '../../src/events/record.ts';
import { openAccounts } from '../../src/ledger/accounts.ts';
import type { Db } from '../../src/lib/db-types.ts';
import { newId } from '../../src/lib/ids.ts';
import { parseUnits } from '../../src/lib/money.ts';
import { paymentMatcher } from '../../src/payments/observe.ts';
import type { Command } from '../../src/payments/payment.ts';
import { applyInput, createPayment, type PaymentDeps, type PaymentDraft } from '../../src/payments/service.ts';
import type { Payment } from '../../src/payments/types.ts';
import type { Asset, Network, Transfer } from '../../src/ports/chain.ts';
import { SANDBOX_DEFAULTS, type Settings } from '../../src/settings/settings.ts';
import { fanOutToEndpoints } from '../../src/webhooks/fan-out.ts';
import { chainsOf } from './chains.ts';
import { createTestDatabase, type TestDatabase } from './database.ts';

export const START = new Date('2026-01-01T10:00:00.000Z');
const MICRO_MINOR = 10_000n;

export const TEST_NETWORK: EvmNetwork = {
  kind: 'evm',
  name: 'devnet',
  chainId: 31337,
  onDemand: true,
  rpcUrl: 'http://127.0.0.1:1',
  tokens: [
    { symbol: 'USDT', contract: '0x00000000000000000000000000000000000000a1', decimals: 6 },
    {
      ...{ symbol: 'USDC', contract: '0x00000000000000000000000000000000000000a2', decimals: 18 },
      authorization: { name: 'USD Coin', version: '2' },
    },
  ],
  confirmations: 2,
  pollMs: 1000,
  gasPriceMaxGwei: 500,
  batchMax: 10,
  factory: '0x00000000000000000000000000000000000000f0',
  collector: '0x00000000000000000000000000000000000000f2',
  treasury: '0x00000000000000000000000000000000000000f1',
};

export type PaymentWorld = {
  readonly db: Db;
  readonly database: TestDatabase;
  readonly deps: PaymentDeps;
  readonly merchantId: string;
  readonly create: (draft?: Partial<PaymentDraft>, now?: Date) => Promise<Payment>;
  /** Puts a transfer into block `height`, as the watcher would, without applying it. */
  readonly arrive: (payment: Payment, units: bigint, at?: Partial<Arrival>) => Promise<void>;
  /** The same for many transfers of one transaction; `at.index` is the first's. */
  readonly arriveTogether: (payment: Payment, units: readonly bigint[], at: Partial<Arrival>) => Promise<void>;
  /** Moves the chain's head: everything two blocks deep is confirmed. */
  readonly head: (height: number, time?: Date) => Promise<void>;
  readonly orphan: (height: number) => Promise<void>;
  readonly apply: (payment: Pick<Payment, 'id'>, command?: Command | null, now?: Date) => Promise<Payment>;
  readonly balances: () => Promise<Record<string, bigint>>;
  readonly events: (payment: Payment) => Promise<string[]>;
  readonly close: () => Promise<void>;
};

type Arrival = {
  readonly height: number;
  readonly hash: string;
  readonly tx: string;
  readonly index: number;
  /** Place of the token in the network's list, or the network's own coin. */
  readonly token: 0 | 1 | 'coin';
  readonly time: Date;
  /** When the watcher saw it. */
  readonly seen: Date;
};

/** The coin that the network takes, and what it is worth by symbol, which a test may change; undefined: no rate. */
export type TestCoin = {
  readonly native: Asset;
  readonly dust?: bigint;
  readonly prices: Record<string, string | undefined>;
};

export const ETH: Asset = { symbol: 'ETH', contract: '0x0000000000000000000000000000000000000000', decimals: 18 };

/**
 * A merchant and everything that payments need, on a database of its own, with a chain scripted by the test, or with
 * payments on `network`, which the test watches itself.
 */
export async function createPaymentWorld(
  settings: Partial<Settings> = {},
  network: Network | null = null,
  coin: TestCoin | null = null,
): Promise<PaymentWorld> {
  const database = await createTestDatabase();
  const db = openDatabase({ url: database.url, poolMax: 4, applicationName: 'test', onError: () => {} });
  const merchantId = newId('merchant', START);
  const taken = coin && { native: coin.native, ...(coin.dust === undefined ? {} : { dust: coin.dust }) };
  const deps = depsOf(settings, network ?? { ...TEST_NETWORK, ...taken }, coin?.prices ?? {});
  await seedMerchant(db, merchantId);
  if (network === null) await seedCursor(db);
  const arrive = (payment: Payment, units: readonly bigint[], at: Partial<Arrival>): Promise<void> =>
    inTransaction(db, (trx) => {
      const transfers = units.map((each, n) =>
        transferTo(payment, each, { ...at, index: (at.index ?? 0) + n }, coin?.native),
      );
      return paymentMatcher.observe(trx, TEST_NETWORK, { transfers, collector: [], approvals: [] }, at.seen ?? START);
    });
  return {
    db,
    database,
    deps,
    merchantId,
    create: (draft, now = START) =>
      inTransaction(db, (trx) => createPayment(trx, deps, { ...draftOf(merchantId), ...draft }, now)),
    arrive: (payment, units, at = {}) => arrive(payment, [units], at),
    arriveTogether: (payment, units, at) => arrive(payment, units, at),
    head: async (height, time) =>
      void (await db
        .updateTable('chain_cursors')
        .set({ height: BigInt(height), confirmed_height: BigInt(height - 1), ...(time ? { block_time: time } : {}) })
        .execute()),
    orphan: (height) => inTransaction(db, (trx) => paymentMatcher.orphan(trx, TEST_NETWORK.name, height, START)),
    apply: (payment, command = null, now = START) =>
      inTransaction(db, (trx) => applyInput(trx, deps, { id: payment.id }, command, now)),
    balances: async () => {
      const { rows } = await sql<{ kind: string; balance: bigint }>`
        select kind, balance from ledger_balances where owner_id = ${merchantId}`.execute(db);
      return Object.fromEntries(rows.filter((row) => row.balance !== 0n).map((row) => [row.kind, row.balance]));
    },
    events: async (payment) => {
      const rows = await db
        .selectFrom('events')
        .select('type')
        .where('resource_id', '=', payment.id)
        .orderBy('sequence')
        .execute();
      return rows.map((row) => row.type.replace('payment.', ''));
    },
    close: async () => {
      await db.destroy();
      await database.drop();
    },
  };
}

function depsOf(settings: Partial<Settings>, network: Network, prices: TestCoin['prices']): PaymentDeps {
  return {
    events: createEvents({ livemode: false, fanOut: fanOutToEndpoints }),
    clock: { now: () => START },
    reach: { isClosed: () => false },
    settings: {
      current: async () => ({ ...SANDBOX_DEFAULTS, ...settings }),
      latest: () => ({ ...SANDBOX_DEFAULTS, ...settings }),
    },
    rates: {
      fiatRate: async () => null,
      coinRate: async (symbol) => {
        const price = prices[symbol];
        const valueE8 = price && parseUnits(price, 8).toString();
        return valueE8 ? { pair: `${symbol}/USD`, valueE8, source: 'test', quotedAt: START.toISOString() } : null;
      },
      lastCoinRate: async () => null,
      toMicro: async (minor) => ({
        rate: { pair: 'USD/USD', valueE8: '100000000', source: 'test', quotedAt: START.toISOString() },
        amountMicro: minor * MICRO_MINOR,
      }),
    },
    networks: [network],
    chains: chainsOf(network),
    listeners: [],
    checkoutUrl: 'http://localhost/checkout',
    publicUrl: 'http://localhost',
  };
}

/** A direct payment of 100 dollars. */
export const draftOf = (merchantId: string): PaymentDraft => ({
  merchantId,
  merchantToleranceBps: null,
  source: { kind: 'direct' },
  amountMinor: 10_000n,
  currency: 'USD',
  acceptedTokens: null,
  description: null,
  items: null,
  customerEmail: null,
  locale: null,
  metadata: { orderId: 'A-1' },
  expiresAt: null,
});

function transferTo(payment: Payment, units: bigint, at: Partial<Arrival>, coin: Asset | undefined): Transfer {
  const height = at.height ?? 10;
  const token = at.token === 'coin' ? coin : TEST_NETWORK.tokens[at.token ?? 0];
  if (!token) throw new Error('no such token');
  return {
    network: TEST_NETWORK.name,
    block: {
      network: TEST_NETWORK.name,
      height,
      hash: at.hash ?? `0xb${height}`,
      parentHash: `0xb${height - 1}`,
      time: at.time ?? START,
    },
    txHash: at.tx ?? `0x${height}`,
    index: at.index ?? 0,
    token,
    from: '0x00000000000000000000000000000000000000c1',
    to: payment.options[0]?.address.toLowerCase() ?? '',
    units,
  };
}

/** An active merchant with its accounts. */
export async function seedMerchant(db: Db, merchantId: string): Promise<void> {
  await inTransaction(db, async (trx) => {
    await trx
      .insertInto('merchants')
      .values({
        id: merchantId,
        business_name: 'Tea House',
        email: `${merchantId}@example.org`,
        password_hash: 'none',
        phone: '+94112345678',
        business_type: 'company',
        status: 'active',
        created_at: START,
        updated_at: START,
      })
      .execute();
    await openAccounts(trx, merchantId);
  });
}

const seedCursor = (db: Db): Promise<unknown> =>
  db
    .insertInto('chain_cursors')
    .values({
      network: TEST_NETWORK.name,
      genesis_hash: '0xg',
      height: 9n,
      hash: '0xb9',
      block_time: START,
      confirmed_height: 8n,
      head_height: 9n,
      scanned_at: START,
    })
    .execute();
