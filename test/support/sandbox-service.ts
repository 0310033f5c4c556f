import { pino } from 'pino';
import { expect, inject } from 'vitest';
import { type Client, createClient, type Payment, type PaymentStatus } from '../../clients/typescript/src/index.ts';
import { openShop, type Shop } from '../../scripts/lib/shop.ts';
import { MNEMONIC } from '../../src/chains/evm/dev-accounts.ts';
import { createFaucet, type Faucet } from '../../src/chains/evm/faucet.ts';
import type { EvmNetwork } from '../../src/chains/evm/network.ts';
import { compose, type Service } from '../../src/compose.ts';
import { parseConfig } from '../../src/config.ts';
import { inTransaction } from '../../src/db/transaction.ts';
import type { MerchantInput } from '../../src/merchants/merchant.ts';
import { changeMerchantStatus } from '../../src/merchants/status-changes.ts';
import { reconcile } from '../../src/reconcile/reconcile.ts';
import { type BitcoinNode, startBitcoinNode } from '../../src/sandbox/bitcoin-node.ts';
import { controlChain } from '../../src/sandbox/chain-control.ts';
import {
  prepareSandboxNetwork,
  sandboxBitcoinNetwork,
  sandboxOperatorKey,
  sandboxSweepKey,
} from '../../src/sandbox/network.ts';
import { wakeSubscriptions } from '../../src/subscriptions/merchants.ts';
import { CHEAP_PASSWORDS } from '../harness.ts';
import { type ContractMismatch, checkedFetch } from './answers.ts';
import { type Anvil, startAnvil } from './anvil.ts';
import { contract } from './contract.ts';
import { createTestDatabase, type TestDatabase } from './database.ts';
import { revokeKeysWith } from './merchants-moved.ts';
import { makeTestFolder } from './run-folder.ts';
import { hoursApart } from './test-clock.ts';

const PASSWORD = 'Str0ng-enough';
/** Not weak, so that a process of its own accepts it too. */
export const MASTER_KEY = Buffer.from(Array.from({ length: 32 }, (_, index) => index));

/** A merchant with a shop that receives its webhooks. */
export type Trader = {
  readonly id: string;
  readonly client: Client;
  readonly shop: Shop;
  /** Waits until the payment has this status. */
  readonly reaches: (paymentId: string, status: PaymentStatus) => Promise<Payment>;
  /** The types of a payment's events, without their prefix, once this many have arrived at the shop. */
  readonly eventTypes: (paymentId: string, events: number) => Promise<string[]>;
};

export type SandboxService = {
  readonly node: Anvil;
  readonly network: EvmNetwork;
  readonly database: TestDatabase;
  /** Null unless the options ask for one. */
  readonly bitcoin: BitcoinNode | null;
  /** Pays on the chain, without the service. */
  readonly faucet: Faucet;
  /** The current service: a restart replaces it. */
  readonly service: () => Service;
  readonly url: () => string;
  /** Without credentials; every response is checked against the contract. */
  readonly client: () => Client;
  /** Registers an active merchant. */
  readonly openTrader: () => Promise<Trader>;
  readonly decide: (merchantId: string, input: MerchantInput) => Promise<void>;
  /** Pays on the chain itself, without the service. */
  readonly transfer: (
    payment: Pick<Payment, 'cryptoAddress'>,
    token: 'USDT' | 'USDC',
    units: bigint,
  ) => Promise<string>;
  /** The logged errors, which `close` treats as faults; a test that expects one removes it. */
  readonly faults: string[];
  readonly stop: () => Promise<void>;
  /** Restarts the service on the same database and chain, at the same address; with another network if one is given. */
  readonly start: (changed?: EvmNetwork) => Promise<void>;
  /**
   * Stops everything; fails when a response broke the contract, an error was logged, or the ledger does not reconcile.
   */
  readonly close: () => Promise<void>;
};

export type SandboxOptions = {
  /** Differences from the sandbox's own network. */
  readonly network?: (network: EvmNetwork) => EvmNetwork;
  /** Whether there is a Bitcoin node, too. */
  readonly bitcoin?: boolean;
  /** The roles of the service; by default all. */
  readonly roles?: string;
  /** By default one of its own. */
  readonly database?: TestDatabase;
};

/** The whole service in this process, with every role, on a real chain, a real database and the sandbox's own clock. */
export async function startSandboxService(options: SandboxOptions = {}): Promise<SandboxService> {
  const [node, database, bitcoin] = await Promise.all([
    startAnvil(),
    options.database ?? createTestDatabase(),
    startBitcoin(options),
  ]);
  const prepared = await prepareSandboxNetwork({ rpcUrl: node.url });
  const network = options.network?.(prepared) ?? prepared;
  const { roles } = options;
  const faults: string[] = [];
  const mismatches: ContractMismatch[] = [];
  const fetch = checkedFetch((mismatch) => void mismatches.push(mismatch));
  const endings: (() => Promise<void>)[] = [];
  let { service, url } = await startOne({ database, node, network, bitcoin, faults, roles }, 0);
  const faucet = createFaucet(network, MNEMONIC);
  const client = (): Client => createClient({ baseUrl: url, fetch, maxRetries: 0 });

  return {
    ...{ node, network, database, bitcoin, faucet, client, faults },
    service: () => service,
    url: () => url,
    openTrader: async () => {
      const trader = await openTrader(client(), () => url);
      endings.push(trader.shop.close);
      await decide(service, trader.id, { kind: 'approve' });
      return trader;
    },
    decide: (merchantId, input) => decide(service, merchantId, input),
    transfer: async ({ cryptoAddress }, symbol, units) => {
      const token = network.tokens.find((each) => each.symbol === symbol);
      if (!token) throw new Error(`${network.name} has no ${symbol}`);
      return (await faucet.transfer({ token, to: cryptoAddress, units })).txHash;
    },
    stop: () => service.stop(),
    start: async (changed) => {
      const surroundings = { database, node, network: changed ?? network, bitcoin, faults, roles };
      ({ service, url } = await startOne(surroundings, Number(new URL(url).port)));
    },
    close: async () => {
      const { findings } = await reconcile(service.platform.db);
      await service.stop();
      for (const end of endings) await end();
      await Promise.all([database.drop(), node.stop(), bitcoin?.stop()]);
      if (mismatches[0]) throw mismatches[0];
      expect({ findings, faults }).toEqual({ findings: [], faults: [] });
    },
  };
}

type Surroundings = Pick<SandboxService, 'database' | 'node' | 'network'> & {
  readonly bitcoin: BitcoinNode | null;
  readonly faults: string[];
  readonly roles: string | undefined;
};

const startBitcoin = async ({ bitcoin = false }: SandboxOptions): Promise<BitcoinNode | null> =>
  bitcoin
    ? startBitcoinNode({ dataDir: makeTestFolder(inject('runFolder')), now: new Date(), log: () => undefined })
    : null;

async function startOne({ database, node, network, bitcoin, faults, roles }: Surroundings, port: number) {
  const config = parseConfig({
    PORT: String(port),
    METRICS_PORT: '0',
    KASI_DATA_DIR: inject('runFolder'),
    DATABASE_URL: database.url,
    EVM_RPC_URL: node.url,
    ...(roles && { KASI_ROLES: roles }),
  });
  // Without an error it only reports something unusual, such as a reorg.
  const write = (line: string): void => void ('err' in JSON.parse(line) && faults.push(line));
  const world = {
    config,
    databaseUrl: database.url,
    networks: [network, ...(bitcoin ? [sandboxBitcoinNetwork(bitcoin.rpcUrl)] : [])],
    masterKey: MASTER_KEY,
    operatorKey: sandboxOperatorKey(),
    sweepKey: sandboxSweepKey(),
    passwordCost: CHEAP_PASSWORDS,
    elapsedMs: hoursApart(),
    logger: pino({ level: 'error' }, { write }),
  };
  const service = await compose(world, contract, controlChain(node.url));
  return { service, url: await service.start() };
}

async function decide({ platform }: Service, merchantId: string, input: MerchantInput): Promise<void> {
  const { db, events, clock } = platform;
  const deps = {
    events,
    checkoutUrl: platform.checkoutUrl,
    forgetSessions: () => undefined,
    revokeKeys: revokeKeysWith(platform),
    followStatus: wakeSubscriptions,
  };
  await inTransaction(db, (trx) => changeMerchantStatus(trx, deps, merchantId, input, clock.now(), clock.real()));
}

let registered = 0;

async function openTrader(client: Client, url: () => string): Promise<Trader> {
  registered += 1;
  const { merchant } = await client.auth.register({
    businessName: 'Ceylon Tea House',
    email: `trader${registered}@example.com`,
    password: PASSWORD,
    phone: '+94771234567',
    businessType: 'company',
  });
  const { id } = merchant;
  const shop = await openShop(() => ({ baseUrl: url(), merchantId: id }));
  await client.merchants.update(id, { webhookUrl: shop.url });
  const heard = (paymentId: string): string[] =>
    shop.events
      .filter(({ data }) => data.id === paymentId)
      .toSorted((a, b) => a.sequence - b.sequence)
      .map(({ type }) => type.split('.').at(-1) as string);
  return {
    ...{ id, client, shop },
    reaches: async (paymentId, status) => {
      const read = (): Promise<Payment> => client.payments.get(paymentId);
      await expect.poll(async () => (await read()).status, { timeout: 60_000, interval: 50 }).toBe(status);
      return read();
    },
    eventTypes: async (paymentId, events) => {
      const options = { timeout: 60_000, interval: 20, message: `the shop heard ${heard(paymentId).join(', ')}` };
      await expect.poll(() => heard(paymentId).length, options).toBe(events);
      return heard(paymentId);
    },
  };
}
