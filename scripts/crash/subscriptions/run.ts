import { operatorOfKey } from '../../../src/chains/evm/operator-account.ts';
import { openDatabase } from '../../../src/db/database.ts';
import { prepareSandboxNetwork, sandboxOperatorKey } from '../../../src/sandbox/network.ts';
import type { Endings } from '../stage.ts';
import { openCast } from './cast.ts';
import { startCluster } from './cluster.ts';
import { createDice } from './dice.ts';
import { readFigures, type SubscriptionCrashFigures } from './figures.ts';
import { newCounts, type World } from './life.ts';
import { createTime } from './time.ts';
import { judge } from './verdict.ts';
import { openWallets } from './wallets.ts';
import { createKiller, playYears, type SubscriptionCrashOptions, settleAll, walletsOf } from './years.ts';

/**
 * Lets subscriptions live for years on a moved clock while processes of the service are killed again and again, and
 * examines every period with code of its own. Rejects if the service does not come to rest.
 */
export async function runSubscriptionCrash(
  options: SubscriptionCrashOptions,
  endings: Endings,
): Promise<SubscriptionCrashFigures> {
  const startedAt = performance.now();
  const db = openDatabase({
    url: options.database.url,
    poolMax: 3,
    applicationName: 'kasi-crash',
    onError: () => undefined,
  });
  endings.push(() => db.destroy());
  const network = await prepareSandboxNetwork({ rpcUrl: options.chain.rpcUrl });
  const operator = operatorOfKey(sandboxOperatorKey()).address;
  const wallets = await openWallets(network, options.chain, { count: walletsOf(options), operator });
  const env = {
    DATABASE_URL: options.database.url,
    DATABASE_OWNER_URL: options.database.ownerUrl,
    EVM_RPC_URL: options.chain.rpcUrl,
    RATE_LIMITS: 'off,payment_start=1000000,login=1000000,registration=1000000',
    LOG_LEVEL: 'error',
  };
  const cluster = await startCluster(options.roles, { dataDir: options.dataDir, env, db }, endings);
  const cast = await openCast(cluster.baseUrl, db, options.sellers, endings);
  const time = await createTime(db, options.chain, endings);
  const dice = createDice(options.seed);
  const world: World = { cast, wallets, network, time, dice, customers: [], agenda: [], counts: newCounts() };
  const killer = createKiller(cluster);
  const faults: string[] = [];
  const court = { db, operator, killer, faults, startedAt };
  const passed = await playYears(options, world, cluster, court).catch((error: unknown) => {
    throw new Error([error instanceof Error ? error.message : error, ...faults].join('\n'), { cause: error });
  });
  await killer.peace();
  await cluster.ready();
  await settleAll(world);
  faults.push(...(await judge(world, db, operator)));
  return {
    ...{ kills: cluster.kills(), early: cluster.early(), ...passed },
    ...(await readFigures(db)),
    acts: world.counts,
    days: options.days,
    seconds: (performance.now() - startedAt) / 1000,
    faults: [...new Set(faults)],
  };
}
