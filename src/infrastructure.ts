import { accessSync, constants, mkdtempSync, rmdirSync } from 'node:fs';
import { join } from 'node:path';
import type { FastifyBaseLogger } from 'fastify';
import { createIsFormer } from './audit/first-signed.ts';
import { createChains } from './chains/chains.ts';
import type { Config } from './config.ts';
import { withDatabase } from './db/database.ts';
import { type DatabaseUrls, startEmbeddedPostgres } from './db/embedded.ts';
import { migrate } from './db/migrate.ts';
import { requireNamedStatements } from './db/pooler.ts';
import { isOutage } from './db/transaction.ts';
import { listSealingKeys } from './deployment/evidence.ts';
import { type Claim, proveIdentity, requireIdentity } from './deployment/identity.ts';
import type { Mode } from './deployment/mode.ts';
import { proveNetworks } from './deployment/networks.ts';
import { DeploymentRefusal } from './deployment/refusal.ts';
import { KINDS } from './kinds.ts';
import { createKeyRing, type KeyRing } from './lib/envelope.ts';
import { messageOf, StartError } from './lib/errors.ts';
import { describeFileProblem } from './lib/file-problem.ts';
import { makeFolder } from './lib/folders.ts';
import { inParallel } from './lib/in-parallel.ts';
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
import { describeOutage, prepareSchema, requireWeakRole, roleOf, warnOfLosses } from './start-database.ts';
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

/**
 * Starts or finds everything beneath the service. If a later step fails, what was started is stopped again. Asks
 * nothing before the code is `read`: that takes the thread, on a busy machine for longer than an answer may take.
 */
export async function prepareInfrastructure(
  config: Config,
  logger: FastifyBaseLogger,
  read: Promise<unknown> = Promise.resolve(),
): Promise<Infrastructure> {
  const endings: (() => Promise<void>)[] = [];
  const stop = async (): Promise<void> => {
    for (const end of endings.reverse()) await end();
  };
  try {
    if (config.mode === 'sandbox') {
      const parts = await prepareSandbox(config, logger, endings, read).catch((error) => explainFile(config, error));
      return { ...parts, stop };
    }
    await read;
    return { ...(await prepareLive(config, logger).catch(explainOutage)), stop };
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
  await warnOfLosses(databaseUrl, (sentence) => logger.warn(sentence));
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

/** Said here, once: what is written there first would fail with a path of its own, and name no setting. */
function makeDataFolder({ dataDir, databaseUrl, evmRpcUrl }: Config): void {
  try {
    makeFolder(dataDir, 0o711);
    // A sandbox whose database and nodes are elsewhere only reads what it wrote there before.
    if (databaseUrl !== null && evmRpcUrl !== null) return;
    accessSync(dataDir, constants.W_OK);
    // Root may write everywhere by its rights, and yet some folders take nothing.
    rmdirSync(mkdtempSync(join(dataDir, 'trial-')));
  } catch (error) {
    throw new StartError(
      `KASI_DATA_DIR (${dataDir}) can not be written to: ${messageOf(error)}. Name a folder that can, or give this ` +
        'account the right to write there.',
    );
  }
}

/** Database and nodes start at once. See decision sandbox/starts-side-by-side. */
async function prepareSandbox(
  config: Config,
  logger: FastifyBaseLogger,
  endings: (() => Promise<void>)[],
  read: Promise<unknown>,
): Promise<Parts> {
  makeDataFolder(config);
  // Nothing ever moved the clock of a database that has yet to be made.
  const unmoved = Promise.withResolvers<number>();
  const started = startDatabase(config, logger, endings, () => unmoved.resolve(0));
  // What has begun to start must be known before a failure ends all, also that of code that can not be read.
  const opened = started.then(async (urls) => {
    await read;
    return openSandboxDatabase(config, urls);
  });
  const ahead = Promise.race([unmoved.promise, opened.then(({ url }) => readClockOffset(url))]);
  const [{ url, masterKey }, { chain, prepared, missing }] = await inParallel([
    opened.then(async (database) => {
      await migrate(database.ownerUrl, roleOf(database.url));
      await prove(database.url, database.claim);
      return database;
    }),
    Promise.all([ahead, read]).then(([offsetMs]) =>
      startNodes(config, new Date(Date.now() + offsetMs), logger, endings),
    ),
  ]);
  const networks = await nameNetworks(url, config.mode, prepared);
  const operatorKey = sandboxOperatorKey();
  return {
    databaseUrl: url,
    networks,
    masterKey,
    operatorKey,
    sweepKey: sandboxSweepKey(),
    chain,
    missing,
    networkChecks: await checkNetworks(networks, operatorKey, logger),
  };
}

type SandboxDatabase = DatabaseUrls & { readonly masterKey: Buffer; readonly claim: OwnClaim };

/** Makes sure that the database is no other deployment's. */
async function openSandboxDatabase(config: Config, { url, ownerUrl }: DatabaseUrls): Promise<SandboxDatabase> {
  if (config.databaseUrl) await requireNamedStatements(config.databaseUrl, 'DATABASE_URL');
  const masterKey = config.masterKey ?? loadMasterKey(config.dataDir);
  const claim = claimOf(config, masterKey);
  await refuseOthers(claim, [url, ownerUrl]);
  return { url, ownerUrl, masterKey, claim };
}

/** The sandbox's networks, with the contracts of the first, and those that could not start. */
async function startNodes(
  config: Config,
  now: Date,
  logger: FastifyBaseLogger,
  endings: (() => Promise<void>)[],
): Promise<{
  readonly chain: ChainControl;
  readonly prepared: readonly Network[];
  readonly missing: Parts['missing'];
}> {
  const log = (line: string): void => logger.info(line);
  const [{ chain, network }, bitcoin] = await inParallel([
    (async () => {
      const chain = config.evmRpcUrl ? controlChain(config.evmRpcUrl) : await startChain(config, now, log, endings);
      const endpoints = { rpcUrl: chain.rpcUrl, otherRpcUrls: config.otherEvmRpcUrls };
      return { chain, network: await prepareSandboxNetwork(endpoints) };
    })(),
    findBitcoin(config, now, logger, endings),
  ]);
  return { chain, prepared: [network, ...bitcoin.networks], missing: bitcoin.missing };
}

type OwnClaim = Claim & { readonly ring: KeyRing };

const claimOf = ({ mode, deploymentId, masterKeysOld }: Config, masterKey: Buffer): OwnClaim => ({
  mode,
  id: deploymentId,
  ring: createKeyRing(masterKey, masterKeysOld),
  isFormer: createIsFormer([masterKey, ...masterKeysOld]),
});

/** Refuses before any URL is used: one that was forgotten may lead to another deployment's database. */
async function refuseOthers(claim: OwnClaim, urls: readonly string[]): Promise<void> {
  for (const url of new Set(urls)) await withDatabase(url, 'kasi-identity', (db) => requireIdentity(db, claim));
}

function explainOutage(error: unknown): never {
  const isSaid = error instanceof StartError || error instanceof DeploymentRefusal;
  const outage = isSaid ? null : describeOutage(error);
  throw outage === null ? error : new StartError(outage);
}

/** Such as one in the data folder that a start as another account, perhaps as root, has left. */
function explainFile({ dataDir }: Config, error: unknown): never {
  const problem = describeFileProblem(error);
  throw problem === null
    ? error
    : new StartError(`${problem} What this sandbox keeps is in KASI_DATA_DIR (${dataDir}).`);
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

/** The configured database, or the embedded one. */
async function startDatabase(
  config: Config,
  logger: FastifyBaseLogger,
  endings: (() => Promise<void>)[],
  onNew: () => void,
): Promise<DatabaseUrls> {
  const { databaseUrl, databaseOwnerUrl } = config;
  if (databaseUrl) return { url: databaseUrl, ownerUrl: databaseOwnerUrl ?? databaseUrl };
  const server = await startEmbeddedPostgres({
    dataDir: config.dataDir,
    log: (line) => logger.info(line),
    warn: (line) => logger.warn(line),
    onNew,
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
