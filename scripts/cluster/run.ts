import { setTimeout as sleep } from 'node:timers/promises';
import { createClient } from '../../clients/typescript/src/index.ts';
import { MNEMONIC } from '../../src/chains/evm/dev-accounts.ts';
import { createFaucet } from '../../src/chains/evm/faucet.ts';
import { openDatabase } from '../../src/db/database.ts';
import type { Endings } from '../crash/stage.ts';
import { openShop, type Shop } from '../lib/shop.ts';
import { type DatabaseCluster, startDatabaseCluster } from './database.ts';
import { startLoad, type Tally } from './load.ts';
import type { Loss } from './machines.ts';
import type { Programs } from './programs.ts';
import { type Services, startServices } from './services.ts';
import { judge } from './verdict.ts';

export type ClusterOptions = {
  readonly programs: Programs;
  /** How often the primary is lost, in each of these ways in turn. */
  readonly kills: number;
  readonly losses: readonly Loss[];
  /** A folder that the account of PostgreSQL may enter. */
  readonly folder: string;
  readonly progress: (text: string) => void;
};

/** One failover: from the kill to the first acknowledged payment that was asked for after it. */
type Failover = { readonly loss: Loss; readonly ms: number };

export type ClusterFigures = {
  readonly failovers: readonly Failover[];
  readonly tallies: readonly Tally[];
  readonly acknowledged: number;
  readonly paid: number;
  readonly unanswered: number;
  readonly doneUnseen: number;
  readonly seconds: number;
  readonly faults: readonly string[];
};

const LOGIN = { email: 'cluster@example.com', password: 'Str0ng-enough' };
const SHOPPERS_OF_EACH = 2;
/** Load between one failover and the next kill. */
const BETWEEN_MS = 3_000;
const LATEST_MS = 120_000;

/** Kills the primary of a cluster again and again under load, and then compares what was acknowledged with what is. */
export async function runCluster(options: ClusterOptions, endings: Endings): Promise<ClusterFigures> {
  const { programs, kills, losses, folder, progress } = options;
  const startedAt = performance.now();
  const database = await startDatabaseCluster(programs, folder, endings);
  progress('three servers are one cluster');
  const services = await startServices(programs, database, folder, endings);
  progress('two processes of each role run');
  const shop = await openAccount(services, endings);
  const faucet = createFaucet(services.network, MNEMONIC);
  const load = startLoad({ ...services, login: LOGIN, faucet, shoppersOfEach: SHOPPERS_OF_EACH });
  const failovers: Failover[] = [];
  for (let kill = 0; kill < kills; kill += 1) {
    await sleep(BETWEEN_MS);
    const loss = losses[kill % losses.length] as Loss;
    const ms = await killOnce(database, loss, load.untilAcknowledged);
    failovers.push({ loss, ms });
    progress(`lost ${kill + 1} of ${kills}: ${loss}; acknowledged again after ${(ms / 1000).toFixed(1)} s`);
  }
  await sleep(BETWEEN_MS);
  const result = await load.end();
  progress('the load has ended; comparing');
  const db = openDatabase({
    url: services.databaseUrl,
    poolMax: 2,
    applicationName: 'judge',
    onError: () => undefined,
  });
  endings.push(() => db.destroy());
  const { doneUnseen, faults } = await judge(result, services, { db, shop, login: LOGIN });
  return {
    ...{ failovers, tallies: result.tallies, doneUnseen, faults },
    acknowledged: result.acknowledged.length,
    paid: result.paid.length,
    unanswered: result.unanswered.length,
    seconds: (performance.now() - startedAt) / 1000,
  };
}

/** Resolves once the cluster is whole again, so that the next kill meets a standby that may be promoted. */
async function killOnce(
  database: DatabaseCluster,
  loss: Loss,
  untilAcknowledged: () => Promise<number>,
): Promise<number> {
  const bringBack = await database.lose(loss);
  const late = sleep(LATEST_MS).then(() => Promise.reject(new Error('nothing is acknowledged any more')));
  late.catch(() => undefined);
  const ms = await Promise.race([untilAcknowledged(), late]);
  // What was frozen or cut off comes back to a primary that has gone on.
  await sleep(BETWEEN_MS);
  bringBack();
  await database.whole();
  return ms;
}

async function openAccount({ baseUrl }: Services, endings: Endings): Promise<Shop> {
  let keys: string[] = [];
  const shop = await openShop(() => ({ keys }));
  endings.push(shop.close);
  const client = createClient({ baseUrl, ...LOGIN });
  const business = { businessName: 'Clustered Tea', phone: '+94771234567', businessType: 'company' } as const;
  const { merchant } = await client.auth.register({ ...LOGIN, ...business });
  await client.merchants.update(merchant.id, { webhookUrl: shop.url });
  keys = (await client.webhooks.keys.list()).data.map(({ publicKey }) => publicKey);
  return shop;
}
