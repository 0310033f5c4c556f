import { hostname } from 'node:os';
import type { FastifyBaseLogger } from 'fastify';
import { type OperatorAccount, operatorOfKey } from './chains/evm/operator-account.ts';
import type { Config } from './config.ts';
import { openDatabase } from './db/database.ts';
import { type Listener, startListener } from './db/listen.ts';
import { createEvents, type Events } from './events/record.ts';
import { type Cost, createPasswords, type Passwords } from './identity/passwords.ts';
import { type Clock, createClock } from './lib/clock.ts';
import type { Db } from './lib/db-types.ts';
import { deriveSecret } from './lib/derive.ts';
import { createKeyRing, type KeyRing } from './lib/envelope.ts';
import { createOutbound, type Outbound } from './outbound/outbound.ts';
import type { Confirmations, Network } from './ports/chain.ts';
import { createSandboxClock } from './sandbox/clock.ts';
import {
  confirmationsOn,
  createSettings,
  defaultSettings,
  type Settings,
  type SettingsReader,
} from './settings/settings.ts';
import { fanOutToEndpoints } from './webhooks/fan-out.ts';

const POOL_MAX = 20;
/** For what is read in the middle of a transaction: from the main pool, a burst would wait for connections that only it could give back. */
const SIDE_POOL_MAX = 2;

/** What the world gives to a process: where things are, and the secrets. */
export type World = {
  readonly config: Config;
  readonly databaseUrl: string;
  readonly networks: readonly Network[];
  readonly masterKey: Buffer;
  /** Absent: this process charges nobody. */
  readonly operatorKey?: string | null;
  readonly logger: FastifyBaseLogger;
  /** Tests move time themselves. */
  readonly clock?: Clock;
  /** Tests log in thousands of times; what a hash costs is tested by itself. */
  readonly passwordCost?: Cost;
};

/** What every feature is built on, once a process. */
export type Platform = {
  readonly config: Config;
  readonly networks: readonly Network[];
  readonly db: Db;
  /** A small pool for settings and rates, which are read while a transaction is open. */
  readonly sideDb: Db;
  readonly listener: Listener;
  readonly clock: Clock;
  readonly settings: SettingsReader;
  /** What holds where the platform's owners have chosen nothing else. */
  readonly settingsDefaults: Settings;
  /** How deep a block of the network must lie to be counted on at present. */
  readonly confirmationsOn: (network: Network) => Promise<Confirmations>;
  readonly events: Events;
  readonly outbound: Outbound;
  readonly keyRing: KeyRing;
  readonly passwords: Passwords;
  /** 32 bytes for one purpose, derived from the master key (HKDF, RFC 5869). */
  readonly secretFor: (purpose: string) => Buffer;
  /** The account that charges subscriptions; null: this process charges nobody. */
  readonly operator: OperatorAccount | null;
  readonly livemode: boolean;
  readonly publicUrl: string;
  readonly checkoutUrl: string;
  /** Names this process among those that share the database. */
  readonly worker: string;
  readonly log: (error: unknown, message: string) => void;
  readonly close: () => Promise<void>;
};

/** The sandbox is for trying things out: everything that is counted is counted ten times as generously. */
const SANDBOX_SCALE = 10;

/** By how much every limit of a process is multiplied. */
export const limitScale = (platform: Platform): number => (platform.livemode ? 1 : SANDBOX_SCALE);

/** Opens the connections and builds the mechanisms. Nothing runs yet. */
export async function openPlatform(world: World): Promise<Platform> {
  const { config, logger, masterKey } = world;
  const log = (error: unknown, message: string): void => logger.error({ err: error }, message);
  const connectionLost = (error: Error): void => logger.warn({ err: error }, 'a connection to the database was lost');
  const open = (poolMax: number): Db =>
    openDatabase({ url: world.databaseUrl, poolMax, applicationName: 'kasi', onError: connectionLost });
  const [db, sideDb] = [open(POOL_MAX), open(SIDE_POOL_MAX)];
  const listener = await startListener(world.databaseUrl, connectionLost);
  const live = config.mode === 'live';
  const settingsDefaults = defaultSettings(
    live,
    world.networks.map(({ name }) => name),
  );
  const settings = createSettings(sideDb, settingsDefaults, listener.on);
  const outbound = createOutbound({ sandbox: !live, allowedPrivateCidrs: config.webhookAllowedPrivateCidrs });
  return {
    config,
    networks: world.networks,
    db,
    sideDb,
    listener,
    clock: world.clock ?? (live ? createClock() : await openSandboxClock(db, listener)),
    settings,
    settingsDefaults,
    confirmationsOn: async (network) => confirmationsOn(await settings.current(), network),
    events: createEvents({ livemode: live, fanOut: fanOutToEndpoints }),
    outbound,
    passwords: createPasswords(world.passwordCost),
    keyRing: createKeyRing(masterKey, config.masterKeysOld),
    secretFor: (purpose) => deriveSecret(masterKey, purpose),
    operator: world.operatorKey ? operatorOfKey(world.operatorKey) : null,
    livemode: live,
    publicUrl: config.publicUrl,
    checkoutUrl: config.checkoutUrl,
    worker: `${hostname()}:${process.pid}`,
    log,
    close: async () => {
      await outbound.close();
      await listener.stop();
      await Promise.all([db.destroy(), sideDb.destroy()]);
    },
  };
}

async function openSandboxClock(db: Db, listener: Listener): Promise<Clock> {
  const clock = await createSandboxClock(db, listener.on);
  // Whoever moved it while we could not hear will not tell again.
  listener.onGap(() => void clock.refresh().catch(() => undefined));
  return clock;
}
