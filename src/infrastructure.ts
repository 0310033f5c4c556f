import { mkdirSync } from 'node:fs';
import type { FastifyBaseLogger } from 'fastify';
import { createChains } from './chains/chains.ts';
import type { Config } from './config.ts';
import { withDatabase } from './db/database.ts';
import { startEmbeddedPostgres } from './db/embedded.ts';
import { migrate } from './db/migrate.ts';
import { requireNamedStatements } from './db/pooler.ts';
import { isOutage } from './db/transaction.ts';
import { listSealingKeys } from './deployment/evidence.ts';
import { type Claim, proveIdentity, requireIdentity } from './deployment/identity.ts';
import type { Mode } from './deployment/mode.ts';
import { proveNetworks } from './deployment/networks.ts';
import { KINDS } from './kinds.ts';
import { createKeyRing, type KeyRing } from './lib/envelope.ts';
import { messageOf } from './lib/errors.ts';
import type { Network } from './ports/chain.ts';
import { controlBitcoin, fund } from './sandbox/bitcoin-control.ts';
import { startBitcoinNode } from './sandbox/bitcoin-node.ts';
import { type ChainControl, controlChain } from './sandbox/chain-control.ts';
import { readClockOffset } from './sandbox/clock.ts';
import { startDevChain } from './sandbox/dev-chain.ts';
import {
  BITCOIN_NETWORK,
  type MissingNetwork,
  prepareSandboxNetwork,
  sandboxBitcoinNetwork,
  sandboxOperatorKey,
  sandboxSweepKey,
} from './sandbox/network.ts';
import { loadMasterKey } from './sandbox/secrets.ts';
import { prepareSchema, requireWeakRole, roleOf } from './start-database.ts';
import { checkNetworks, type NetworkChecks } from './start-networks.ts';

/** What is in place before the service is built: a migrated database, checked networks, and the master key. */
export type Infrastructure = {
  readonly databaseUrl: string;
  readonly networks: readonly Network[];
  readonly masterKey: Buffer;
  /** The private key that charges subscriptions; null where no network collects any. */
  readonly operatorKey: string | null;
  /** The private key that pays for sweeping deposits; null: this process sweeps none. */
  readonly sweepKey: string | null;
  readonly chain: ChainControl | null;
  /** The sandbox's networks that could not start. */
  readonly missing: readonly MissingNetwork[];
  readonly networkChecks: NetworkChecks;
  /** Stops what was started here, in reverse order. */
  readonly stop: () => Promise<void>;
};

/** Starts or finds everything beneath the service. If a later step fails, what was started is stopped again. */
export async function prepareInfrastructure(config: Config, logger: FastifyBaseLogger): Promise<Infrastructure> {
  const endings: (() => Promise<void>)[] = [];
  const stop = async (): Promise<void> => {
    for (const end of endings.reverse()) await end();
  };
  try {
    const parts =
      config.mode === 'live' ? await prepareLive(config, logger) : await prepareSandbox(config, logger, endings);
    return { ...parts, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

type Parts = Omit<Infrastructure, 'stop'>;

/** Each step relies on those before it. */
async function prepareLive(config: Config, logger: FastifyBaseLogger): Promise<Parts> {
  const { databaseUrl, databaseOwnerUrl, masterKey, operatorKey, sweepKey, networks } = config;
  if (!databaseUrl || !masterKey) throw new Error('the configuration let a live mode without its settings through');
  const claim = claimOf(config, masterKey);
  const others = [config.databaseListenUrl, config.migrate ? databaseOwnerUrl : null].filter((url) => url !== null);
  await requireNamedStatements(databaseUrl, 'DATABASE_URL');
  await refuseOthers(claim, [databaseUrl, ...others]);
  // A standby may be away at a start: the primary answers then. It must not be another deployment's.
  if (config.databaseReadUrl) await refuseOthers(claim, [config.databaseReadUrl]).catch(passOutage);
  await prepareSchema({ ...config, databaseUrl });
  if (config.databaseListenUrl) await requireWeakRole(config.databaseListenUrl, 'DATABASE_LISTEN_URL');
  if (config.databaseReadUrl) {
    await requireNamedStatements(config.databaseReadUrl, 'DATABASE_READ_URL').catch(passOutage);
    await requireWeakRole(config.databaseReadUrl, 'DATABASE_READ_URL').catch(passOutage);
  }
  await prove(databaseUrl, claim);
  await noteFormerKeys(databaseUrl, claim, logger);
  const known = await nameNetworks(databaseUrl, config.mode, networks);
  for (const [i, { name }] of networks.entries()) {
    const kept = known[i]?.name;
    if (kept !== name)
      logger.warn(`KASI_NETWORKS calls a network "${name}"; its rows, and merchants, call it "${kept}".`);
  }
  const networkChecks = await checkNetworks(known, operatorKey, logger);
  return { databaseUrl, networks: known, masterKey, operatorKey, sweepKey, chain: null, missing: [], networkChecks };
}

async function prepareSandbox(
  config: Config,
  logger: FastifyBaseLogger,
  endings: (() => Promise<void>)[],
): Promise<Parts> {
  mkdirSync(config.dataDir, { recursive: true, mode: 0o711 });
  const log = (line: string): void => logger.info(line);
  const { url, ownerUrl } = config.databaseUrl
    ? { url: config.databaseUrl, ownerUrl: config.databaseOwnerUrl ?? config.databaseUrl }
    : await startDatabase(config, logger, endings);
  if (config.databaseUrl) await requireNamedStatements(config.databaseUrl, 'DATABASE_URL');
  const masterKey = config.masterKey ?? loadMasterKey(config.dataDir);
  const claim = claimOf(config, masterKey);
  await refuseOthers(claim, [url, ownerUrl]);
  await migrate(ownerUrl, roleOf(url));
  await prove(url, claim);
  const now = new Date(Date.now() + (await readClockOffset(url)));
  const [chain, bitcoin] = await inParallel([
    config.evmRpcUrl ? Promise.resolve(controlChain(config.evmRpcUrl)) : startChain(config, now, log, endings),
    findBitcoin(config, now, logger, endings),
  ]);
  const endpoints = { rpcUrl: chain.rpcUrl, otherRpcUrls: config.otherEvmRpcUrls };
  const prepared = [await prepareSandboxNetwork(endpoints), ...bitcoin.networks];
  const networks = await nameNetworks(url, config.mode, prepared);
  const operatorKey = sandboxOperatorKey();
  return {
    databaseUrl: url,
    networks,
    masterKey,
    operatorKey,
    sweepKey: sandboxSweepKey(),
    chain,
    missing: bitcoin.missing,
    networkChecks: await checkNetworks(networks, operatorKey, logger),
  };
}

type OwnClaim = Claim & { readonly ring: KeyRing };

const claimOf = ({ mode, deploymentId, masterKeysOld }: Config, masterKey: Buffer): OwnClaim => ({
  mode,
  id: deploymentId,
  ring: createKeyRing(masterKey, masterKeysOld),
});

/** Refuses before any URL is used: one that was forgotten may lead to another deployment's database. */
async function refuseOthers(claim: OwnClaim, urls: readonly string[]): Promise<void> {
  for (const url of new Set(urls)) await withDatabase(url, 'kasi-identity', (db) => requireIdentity(db, claim));
}

function passOutage(error: unknown): void {
  if (!isOutage(error)) throw error;
}

const prove = (url: string, claim: OwnClaim) => withDatabase(url, 'kasi-identity', (db) => proveIdentity(db, claim));

/** Says which former keys no stored value needs any more. Says nothing where counting takes too long. */
async function noteFormerKeys(url: string, { ring }: OwnClaim, logger: FastifyBaseLogger): Promise<void> {
  if (ring.keys.size < 2) return;
  const needed = await withDatabase(url, 'kasi-identity', listSealingKeys).catch(() => null);
  const current = ring.current.id.toString('hex');
  const former = [...ring.keys.keys()].filter((id) => id !== current && needed !== null && !needed.includes(id));
  if (former.length === 0) return;
  logger.info(
    `MASTER_KEYS_OLD lists keys that nothing stored needs any more: ${former.join(', ')}. Take them off a day after every process got the new key, because answers to repeated requests are kept so long; keep them for npx kasi audit verify.`,
  );
}

/** The networks under the names that this database, which is proven to be this deployment's, knows them by. */
const nameNetworks = (url: string, mode: Mode, networks: readonly Network[]): Promise<Network[]> =>
  withDatabase(url, 'kasi-identity', (db) =>
    proveNetworks(db, networks, { chains: createChains(KINDS, networks), mode }),
  );

async function startDatabase(config: Config, logger: FastifyBaseLogger, endings: (() => Promise<void>)[]) {
  const server = await startEmbeddedPostgres({
    dataDir: config.dataDir,
    log: (line) => logger.info(line),
    warn: (line) => logger.warn(line),
  });
  endings.push(() => server.stop());
  return server;
}

async function startChain(config: Config, now: Date, log: (line: string) => void, endings: (() => Promise<void>)[]) {
  const chain = await startDevChain({
    dataDir: config.dataDir,
    now,
    log,
    allowOrigin: new URL(config.publicUrl).origin,
  });
  endings.push(() => chain.stop());
  return chain;
}

/** Waits for both even if one fails, so that what was started is known and can be stopped. */
async function inParallel<A, B>(work: readonly [Promise<A>, Promise<B>]): Promise<[A, B]> {
  await Promise.allSettled(work);
  return Promise.all(work);
}

type BitcoinParts = { readonly networks: readonly Network[]; readonly missing: readonly MissingNetwork[] };

/**
 * The sandbox's Bitcoin network: on the configured node, or on its own. It has none where the EVM node is given and a
 * Bitcoin node is not: several processes may share what is given. One that can not start is no reason to fail.
 */
async function findBitcoin(
  config: Config,
  now: Date,
  logger: FastifyBaseLogger,
  endings: (() => Promise<void>)[],
): Promise<BitcoinParts> {
  if (config.evmRpcUrl && !config.bitcoinRpcUrl) return { networks: [], missing: [] };
  try {
    const rpcUrl = config.bitcoinRpcUrl
      ? await openBitcoin(config.bitcoinRpcUrl, now)
      : await startBitcoin(config, now, logger, endings);
    return { networks: [sandboxBitcoinNetwork(rpcUrl)], missing: [] };
  } catch (error) {
    const message = messageOf(error);
    logger.warn(`The sandbox goes on without Bitcoin: ${message}`);
    return { networks: [], missing: [{ network: BITCOIN_NETWORK, message }] };
  }
}

async function openBitcoin(rpcUrl: string, now: Date): Promise<string> {
  await fund(controlBitcoin(rpcUrl).rpc, now);
  return rpcUrl;
}

async function startBitcoin(
  { dataDir }: Config,
  now: Date,
  logger: FastifyBaseLogger,
  endings: (() => Promise<void>)[],
): Promise<string> {
  const node = await startBitcoinNode({ dataDir, now, log: (line) => logger.info(line) });
  endings.push(() => node.stop());
  return node.rpcUrl;
}
