import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { createClient } from '../../clients/typescript/src/index.ts';
import { createFaucet } from '../../src/chains/evm/faucet.ts';
import { findFreePort } from '../../src/db/daemon.ts';
import { openDatabase } from '../../src/db/database.ts';
import { startEmbeddedPostgres } from '../../src/db/embedded.ts';
import type { Db } from '../../src/lib/db-types.ts';
import { reconcile } from '../../src/reconcile/reconcile.ts';
import { startDevChain } from '../../src/sandbox/dev-chain.ts';
import { prepareSandboxNetwork } from '../../src/sandbox/network.ts';
import type { Endings } from '../crash/stage.ts';
import { makeDataFolder, removeDataFolder, type ServiceProcess, startServiceProcess } from '../lib/service-process.ts';
import { openShop, type Shop } from '../lib/shop.ts';
import { type Load, startLoad } from './load.ts';

export type UpgradeOptions = {
  /** Folders of the checkouts of the former and the next release. */
  readonly from: string;
  readonly to: string;
  /** A migration that only the next release has; null: the schema stays. */
  readonly newest: string | null;
  /** How long each stage of the upgrade lasts. */
  readonly stageMs: number;
  readonly progress: (text: string) => void;
};

export type UpgradeFigures = Omit<Load, 'failures' | 'paid'> & {
  readonly paid: number;
  readonly events: number;
  readonly seconds: number;
  readonly faults: readonly string[];
};

const SHOPPERS = 4;
const SETTLED_WITHIN_MS = 120_000;
const PASSWORD = 'Str0ng-enough';

/**
 * Upgrades two processes on one database one after the other, under load, and lets one of the former release restart in
 * the middle of it, on the new schema. The figures' faults say what was refused, lost or booked wrongly.
 */
export async function runUpgrade(options: UpgradeOptions, endings: Endings): Promise<UpgradeFigures> {
  const startedAt = performance.now();
  const { from, to, stageMs, progress } = options;
  const world = await openWorld(endings);
  const first = await world.startProcess(from);
  const second = await world.startProcess(from);
  const { token, shop } = await openAccount(first.url(), endings);
  const load = startLoad({ ...world, token, shoppers: SHOPPERS, baseUrls: [first.url(), second.url()] });
  const stages: readonly (readonly [string, () => Promise<void>])[] = [
    ['both processes are of the former release', async () => undefined],
    ['the first process is of the next release, and has migrated', () => first.replace(to)],
    ['the second process, of the former release, has restarted on the new schema', () => second.replace(from)],
    ['both processes are of the next release', () => second.replace(to)],
    ['the first process is of the former release again: the code was rolled back', () => first.replace(from)],
  ];
  for (const [name, begin] of stages) {
    await begin();
    progress(name);
    await sleep(stageMs);
  }
  const { failures, paid, ...figures } = await load.end();
  const told = failures.map((failure) => explain(failure, world.printed()));
  await untilSettled(world.db, paid, shop);
  return {
    ...figures,
    paid: paid.length,
    events: shop.events.length,
    seconds: (performance.now() - startedAt) / 1000,
    faults: [...told, ...(await judge(options, world.db, paid, shop))],
  };
}

/** A failure with what a process logged about it. */
function explain(failure: string, printed: string): string {
  const id = /req_[\w-]+/.exec(failure)?.[0];
  const line = printed.split('\n').find((each) => id !== undefined && each.includes(id));
  return line ? `${failure}\n  ${line}` : failure;
}

/** A database, a chain, and what it takes to run processes on them. */
async function openWorld(endings: Endings) {
  const dataDir = makeDataFolder();
  endings.push(() => removeDataFolder(dataDir));
  const log = (): void => undefined;
  const postgres = await startEmbeddedPostgres({ dataDir, durable: false, log });
  endings.push(() => postgres.stop());
  const chain = await startDevChain({ dataDir, now: new Date(), log, allowOrigin: 'http://localhost' });
  endings.push(() => chain.stop());
  const db = openDatabase({ url: postgres.url, poolMax: 2, applicationName: 'kasi-upgrade', onError: log });
  endings.push(() => db.destroy());
  const network = await prepareSandboxNetwork({ rpcUrl: chain.rpcUrl });
  const env = {
    DATABASE_URL: postgres.url,
    DATABASE_OWNER_URL: postgres.ownerUrl,
    EVM_RPC_URL: chain.rpcUrl,
    MASTER_KEY: randomBytes(32).toString('hex'),
    RATE_LIMITS: 'off',
  };
  const mnemonic = 'test test test test test test test test test test test junk';
  const said: (() => string)[] = [];
  const startProcess = async (root: string) => {
    const folder = makeDataFolder();
    endings.push(() => removeDataFolder(folder));
    const port = await findFreePort();
    const start = async (release: string): Promise<ServiceProcess> => {
      const begun = await startServiceProcess({ dataDir: folder, port, env, root: release });
      await begun.ready();
      return begun;
    };
    let process = await start(root);
    said.push(() => process.printed());
    endings.push(() => process.stop());
    return {
      url: () => process.url,
      replace: async (release: string) => {
        await process.stop();
        const text = process.printed();
        said.push(() => text);
        process = await start(release);
      },
    };
  };
  const printed = (): string => said.map((each) => each()).join('\n');
  return { db, network, faucet: createFaucet(network, mnemonic), startProcess, printed };
}

async function openAccount(baseUrl: string, endings: Endings): Promise<{ token: string; shop: Shop }> {
  let keys: string[] = [];
  const shop = await openShop(() => ({ keys }));
  endings.push(shop.close);
  const client = createClient({ baseUrl });
  const account = { businessName: 'Upgraded Tea', email: 'upgrade@example.com', password: PASSWORD };
  const { merchant, token } = await client.auth.register({
    ...account,
    phone: '+94771234567',
    businessType: 'company',
  });
  await client.merchants.update(merchant.id, { webhookUrl: shop.url });
  keys = (await client.webhooks.keys.list()).data.map(({ publicKey }) => publicKey);
  return { token, shop };
}

const completed = (shop: Shop): ReadonlySet<string> =>
  new Set(shop.events.flatMap(({ type, data }) => (type === 'payment.completed' ? [data.id] : [])));

async function untilSettled(db: Db, paid: readonly string[], shop: Shop): Promise<void> {
  for (const until = performance.now() + SETTLED_WITHIN_MS; performance.now() < until; await sleep(500)) {
    const { rows } = await sql<{ open: bigint }>`
      select count(*) as open from payments where id = any (${[...paid]}::text[]) and status <> 'paid'`.execute(db);
    const heard = completed(shop);
    if (rows[0]?.open === 0n && paid.every((id) => heard.has(id))) return;
  }
}

async function judge(
  { newest }: UpgradeOptions,
  db: Db,
  paid: readonly string[],
  shop: Shop,
): Promise<readonly string[]> {
  const { rows } = await sql<{ id: string; status: string }>`
    select id, status from payments where id = any (${[...paid]}::text[]) and status <> 'paid'`.execute(db);
  const heard = completed(shop);
  const { rows: made } = await sql<{ name: string }>`
    select name from kysely_migration where name = ${newest}`.execute(db);
  const { findings } = await reconcile(db);
  return [
    ...rows.map(({ id, status }) => `${id} was paid and is ${status}`),
    ...paid.filter((id) => !heard.has(id)).map((id) => `the shop did not hear that ${id} was paid`),
    ...shop.refusals.map((reason) => `a webhook was refused: ${reason}`),
    ...findings.map(({ rule, subject, message }) => `${rule}: ${subject}: ${message}`),
    ...(newest !== null && made.length === 0 ? [`the migration ${newest} was not run`] : []),
    ...(paid.length === 0 ? ['nothing was bought'] : []),
  ];
}
