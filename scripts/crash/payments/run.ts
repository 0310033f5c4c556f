import { randomInt } from 'node:crypto';
import { EventEmitter, once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { type Client, createClient } from '../../../clients/typescript/src/index.ts';
import { createFaucet } from '../../../src/chains/evm/faucet.ts';
import type { Db } from '../../../src/lib/db-types.ts';
import { prepareSandboxNetwork } from '../../../src/sandbox/network.ts';
import { openShop, type Shop } from '../../lib/shop.ts';
import type { Victim } from '../killer.ts';
import { type Endings, openStage, type StageOptions } from '../stage.ts';
import { openBitcoinMarket } from './bitcoin.ts';
import { type Bought, buy, type Market } from './customer.ts';
import { makePlan, type PaidIn } from './plan.ts';
import { judge } from './verdict.ts';

export type CrashOptions = StageOptions & {
  readonly kills: number;
  readonly payments: number;
  /** Ends leases of dead processes at once, instead of waiting for the minute for which they were taken. */
  readonly impatient?: boolean;
  readonly progress: (text: string) => void;
  /**
   * The EVM node itself, where the service is given another way to it; customers and the verdict ask this one, and pay
   * in dollar tokens only: such a service has no Bitcoin node.
   */
  readonly nodeUrl?: string;
  /**
   * Begins to do something else to the service once there is a market; what it returns is called after the kills, and
   * resolves with what was bought meanwhile.
   */
  readonly meanwhile?: (scene: CrashScene) => Promise<() => Promise<readonly Bought[]>>;
};

/** What takes place beside the kills can use. */
export type CrashScene = {
  readonly market: Market;
  readonly victim: Victim;
  readonly db: Db;
  readonly baseUrl: string;
};

export type CrashFigures = {
  readonly kills: number;
  /** Kills during a start. */
  readonly early: number;
  readonly payments: number;
  /** Payments made while their answer was lost: no customer knows or pays them. */
  readonly lost: number;
  readonly transfers: number;
  /** Transfers in bitcoins that were replaced while they waited. */
  readonly replaced: number;
  readonly events: number;
  /** Webhooks received, repeats included. */
  readonly deliveries: number;
  readonly repeats: number;
  readonly seconds: number;
  /** The faults, in words; empty if all is well. */
  readonly faults: readonly string[];
};

const SETTLED_WITHIN_MS = 180_000;
const LOOK_EVERY_MS = 500;
const ANSWER_MAX_MS = 400;
/** A payment arrives within this time, or none is about to. */
const TRANSFER_WITHIN_MS = 2_000;
const DOLLARS: readonly PaidIn[] = ['USDT', 'USDC'];
const ALL: readonly PaidIn[] = [...DOLLARS, 'ETH', 'BTC'];
const PASSWORD = 'Str0ng-enough';

/**
 * Kills the service with SIGKILL at random moments while payments are requested and paid on its chain, and restarts it
 * each time. Resolves with the figures once nothing is pending; throws if that does not happen.
 */
export async function runCrash(options: CrashOptions, endings: Endings): Promise<CrashFigures> {
  let keys: string[] = [];
  // Slow, so that many kills come between what the shop has received and what the service knows of it.
  const shop = await openShop(
    () => ({ keys }),
    () => randomInt(ANSWER_MAX_MS),
  );
  endings.push(shop.close);
  const { victim, db, baseUrl } = await openStage(options, endings);
  const merchant = await openAccount(baseUrl, shop);
  keys = (await merchant.webhooks.keys.list()).data.map(({ publicKey }) => publicKey);
  return live(options, { victim, merchant, shop, db, baseUrl }, endings);
}

type World = Omit<CrashScene, 'market'> & { readonly merchant: Client; readonly shop: Shop };

async function live(
  options: CrashOptions,
  { merchant, shop, ...stage }: World,
  endings: Endings,
): Promise<CrashFigures> {
  const { victim, db } = stage;
  const startedAt = performance.now();
  const { market, endKills } = await openMarket(options, merchant, endings);
  const end = await options.meanwhile?.({ ...stage, market });
  const among = await buyAmongKills(options, victim, market, endKills);
  const bought = [...among, ...((await end?.()) ?? [])];
  await untilSettled(db, bought, options.impatient ?? false);
  const { pagination } = await merchant.payments.list({ limit: 1 });
  return {
    kills: options.kills,
    early: victim.early(),
    payments: bought.length,
    lost: pagination.total - bought.length,
    transfers: bought.reduce((sum, { plan }) => sum + plan.parts.length, 0),
    replaced: market.bitcoin?.replaced() ?? 0,
    events: shop.events.length,
    deliveries: shop.events.length + shop.repeats(),
    repeats: shop.repeats(),
    seconds: (performance.now() - startedAt) / 1000,
    faults: await judge(market, db, shop, bought),
  };
}

async function openAccount(baseUrl: string, shop: Shop): Promise<Client> {
  const email = 'crash@example.com';
  // No retries by the client: the customers retry themselves, and sooner.
  const client = createClient({ baseUrl, email, password: PASSWORD, timeoutMs: 5_000, maxRetries: 0 });
  const account = { businessName: 'Phoenix Tea', email, password: PASSWORD, phone: '+94771234567' };
  const { merchant } = await client.auth.register({ ...account, businessType: 'company' });
  await client.merchants.update(merchant.id, { webhookUrl: shop.url });
  return client;
}

async function openMarket({ nodeUrl, dataDir }: CrashOptions, merchant: Client, endings: Endings) {
  const { networks, mnemonic } = await merchant.sandbox.get();
  const network = await prepareSandboxNetwork({ rpcUrl: nodeUrl ?? networks[0]?.rpcUrl ?? '' });
  const { promise: peace, resolve: endKills } = Promise.withResolvers<void>();
  const bell = new EventEmitter();
  const bitcoin = nodeUrl === undefined ? openBitcoinMarket(dataDir, endings) : undefined;
  const market: Market = {
    ...{ merchant, network, faucet: createFaucet(network, mnemonic), bell, peace },
    ...(bitcoin ? { bitcoin, tokens: ALL } : { tokens: DOLLARS }),
  };
  return { market, endKills };
}

/** Lets some customers in before each kill. Resolves when the last of them has paid. */
async function buyAmongKills(
  options: CrashOptions,
  victim: Victim,
  market: Market,
  endKills: () => void,
): Promise<Bought[]> {
  const { kills, payments, progress } = options;
  const { bell } = market;
  const nextTransfer = (): Promise<unknown> => Promise.race([once(bell, 'transfer'), sleep(TRANSFER_WITHIN_MS)]);
  const customers: Promise<Bought>[] = [];
  for (let kill = 1; kill <= kills; kill += 1) {
    while (customers.length < (payments * kill) / kills) {
      customers.push(buy(market, makePlan(customers.length, options.aliveMaxMs, market.tokens)));
    }
    for (const customer of customers) customer.catch(() => undefined); // Its failure is thrown below.
    await victim.killSoon(nextTransfer);
    progress(`killed ${kill} of ${kills} times`);
  }
  await victim.ready();
  endKills();
  return Promise.all(customers);
}

/** Waits until every bought payment is paid, every webhook delivered, and every event in its feed. */
async function untilSettled(db: Db, bought: readonly Bought[], impatient: boolean): Promise<void> {
  const ids = bought.map(({ id }) => id);
  for (const until = performance.now() + SETTLED_WITHIN_MS; ; await sleep(LOOK_EVERY_MS)) {
    const open = await sql<{ payments: bigint; deliveries: bigint; unsealed: bigint }>`
      select (select count(*) from payments where id = any (${ids}::text[]) and status <> 'paid') as payments,
             (select count(*) from webhook_deliveries where status = 'pending') as deliveries,
             (select count(*) from unsealed_events) as unsealed`.execute(db);
    const { payments = 0n, deliveries = 0n, unsealed = 0n } = open.rows[0] ?? {};
    if (payments + deliveries + unsealed === 0n) return;
    if (performance.now() > until)
      throw new Error(`${payments} payments, ${deliveries} webhooks and ${unsealed} events are still open`);
    if (impatient && payments === 0n) await endLeases(db);
  }
}

/** Ends the delivery leases of dead processes, which last a minute. */
export const endLeases = (db: Db): Promise<unknown> =>
  sql`update webhook_slots set ends_at = clock_timestamp() where ends_at > clock_timestamp()`.execute(db);
