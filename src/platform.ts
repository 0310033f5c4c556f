import type { FastifyBaseLogger } from 'fastify';
import { createChains } from './chains/chains.ts';
import { createReach, type Reach } from './chains/reach.ts';
import type { Config } from './config.ts';
import { type DatabaseOptions, openDatabase } from './db/database.ts';
import { createEcho, type Echo } from './db/echo.ts';
import { type Listener, startListener } from './db/listen.ts';
import { createEvents, type Events } from './events/record.ts';
import { type Cost, createPasswords, type Passwords } from './identity/passwords.ts';
import { type Clock, createClock, monotonicMs } from './lib/clock.ts';
import type { Db } from './lib/db-types.ts';
import { deriveSecret } from './lib/derive.ts';
import { createKeyRing, type KeyRing } from './lib/envelope.ts';
import type { JsonObject } from './lib/json.ts';
import { nameProcess } from './lib/process-name.ts';
import { limitsInForce } from './limits/settings.ts';
import type { MailServer } from './mail/smtp.ts';
import { withMails } from './mailing.ts';
import { createMeters, type Meters } from './metrics/meters.ts';
import { createFailureLog } from './outage-log.ts';
import { createOutbound, type Outbound } from './outbound/outbound.ts';
import type { Confirmations, Network } from './ports/chain.ts';
import type { ChainKind, Chains } from './ports/chain-kind.ts';
import type { OperatorAccount } from './ports/operator.ts';
import type { LimitRules } from './ports/security.ts';
import { createSandboxClock } from './sandbox/clock.ts';
import {
  confirmationsOn,
  createSettings,
  defaultSettings,
  type Settings,
  type SettingsReader,
} from './settings/settings.ts';
import type { NetworkChecks } from './start-networks.ts';
import { fanOutToEndpoints } from './webhooks/fan-out.ts';

const POOL_MAX = 20;
/** See decision db/two-pools. */
const SIDE_POOL_MAX = 2;
/** One for readiness and one for a scrape. See decision db/readiness-has-its-own-connection. */
const PROBES = { poolMax: 2, connectWithinMs: 2000 };

/** What a process is given: its configuration, the places of things, and the secrets. */
export type World = {
  readonly config: Config;
  readonly databaseUrl: string;
  readonly networks: readonly Network[];
  readonly masterKey: Buffer;
  /** Absent or null: this process charges no subscriptions. */
  readonly operatorKey?: string | null;
  /** Absent or null: this process sweeps no deposits. */
  readonly sweepKey?: string | null;
  /** Absent: every network passed, and is taken to be in reach; for tests without nodes. */
  readonly networkChecks?: NetworkChecks;
  /** Of the sandbox: the networks that could not start. */
  readonly missing?: readonly { readonly network: string; readonly message: string }[];
  readonly logger: FastifyBaseLogger;
  /** What this process is called in leases. Absent: it gets a name. */
  readonly worker?: string;
  /** For tests, which move time themselves. */
  readonly clock?: Clock;
  /** Milliseconds by which repeated failures are folded in the log; for tests, which want to see every one. */
  readonly elapsedMs?: () => number;
  /** For tests, which log in thousands of times; one test of its own covers the real cost. */
  readonly passwordCost?: Cost;
};

/**
 * The mechanisms that features are built on, one set per process. `features.ts` hands each feature only what it needs.
 */
export type Platform = {
  readonly config: Config;
  readonly networks: readonly Network[];
  readonly chains: Chains;
  readonly reach: Reach;
  readonly db: Db;
  /** A small pool for settings and rates, which are read while a transaction is open. See decision db/two-pools. */
  readonly sideDb: Db;
  /** What readiness and metrics ask, also while all other connections are in use. */
  readonly probeDb: Db;
  readonly listener: Listener;
  /** Whether this process hears what processes tell each other. */
  readonly echo: Echo;
  readonly clock: Clock;
  readonly settings: SettingsReader;
  /** The settings where the platform's owners have chosen nothing else. */
  readonly settingsDefaults: Settings;
  /** How deep a block of the network must lie to be counted on at present. */
  readonly confirmationsOn: (network: Network) => Promise<Confirmations>;
  readonly events: Events;
  readonly outbound: Outbound;
  /** null: no mail is queued or sent. */
  readonly mailServer: MailServer | null;
  readonly keyRing: KeyRing;
  readonly passwords: Passwords;
  /** 32 bytes for one purpose, derived from the master key (HKDF, RFC 5869). */
  readonly secretFor: (purpose: string) => Buffer;
  /** The account that charges subscriptions; null: this process charges none. */
  readonly operator: OperatorAccount | null;
  /** The account that pays for sweeping deposits into the treasury; null: this process sweeps none. */
  readonly sweeper: OperatorAccount | null;
  readonly livemode: boolean;
  readonly publicUrl: string;
  readonly checkoutUrl: string;
  /** Identifies this process among those that share the database. */
  readonly worker: string;
  readonly log: (error: unknown, message: string) => void;
  /** Writes one structured line of the level `warn`. */
  readonly note: (fields: JsonObject, message: string) => void;
  /** What this process counts while it works. */
  readonly meters: Meters;
  readonly close: () => Promise<void>;
};

/** The sandbox multiplies every limit by this, because it is for trying things out. */
const SANDBOX_SCALE = 10;

/** The factor for every limit of this process. */
export const limitScale = (platform: Platform): number => (platform.livemode ? 1 : SANDBOX_SCALE);

/** The limits in force. */
export const limitsOf = (platform: Platform): LimitRules =>
  limitsInForce(limitScale(platform), platform.config.rateLimits);

/** Opens the connections and builds the mechanisms. Nothing runs yet. */
export async function openPlatform(world: World, kinds: readonly ChainKind[]): Promise<Platform> {
  const { config, logger, masterKey, elapsedMs = monotonicMs } = world;
  const log = createFailureLog(logger, elapsedMs);
  const logLost = createFailureLog(logger, elapsedMs, 'warn');
  const connectionLost = (error: Error): void => logLost(error, 'a connection to the database was lost');
  // What only reads would not find out that its server has become a standby.
  const shared = { url: world.databaseUrl, applicationName: 'kasi', leaving: new Set<() => void>() };
  const open = (size: Partial<DatabaseOptions> & Pick<DatabaseOptions, 'poolMax'>): Db =>
    openDatabase({ ...shared, ...size, onError: connectionLost });
  const db = open({ poolMax: POOL_MAX, hasLanes: true, standbyUrl: config.databaseReadUrl });
  const [sideDb, probeDb] = [open({ poolMax: SIDE_POOL_MAX }), open(PROBES)];
  const listener = await startListener(config.databaseListenUrl ?? world.databaseUrl, connectionLost);
  const live = config.mode === 'live';
  const settingsDefaults = defaultSettings(
    live,
    world.networks.map(({ name }) => name),
  );
  const settings = createSettings(sideDb, settingsDefaults, listener.on);
  const clock = world.clock ?? (live ? createClock() : await openSandboxClock(db, listener));
  // Its packages take 3 MB, of a service that may send no mail.
  const mailServer = config.mail && (await import('./mail/smtp.ts')).openMailServer(config.mail);
  const events = createEvents({ livemode: live, fanOut: fanOutToEndpoints });
  const outbound = createOutbound({ sandbox: !live, allowedPrivateCidrs: config.webhookAllowedPrivateCidrs });
  return {
    config,
    networks: world.networks,
    chains: createChains(kinds, world.networks),
    db,
    sideDb,
    probeDb,
    listener,
    echo: createEcho(probeDb, listener),
    clock,
    reach: openReach(world, sideDb, clock, log),
    settings,
    settingsDefaults,
    confirmationsOn: async (network) => confirmationsOn(await settings.current(), network),
    events: mailServer ? withMails(events) : events,
    outbound,
    mailServer,
    passwords: createPasswords(world.passwordCost),
    keyRing: createKeyRing(masterKey, config.masterKeysOld),
    secretFor: (purpose) => deriveSecret(masterKey, purpose),
    operator: world.operatorKey ? openAccount(kinds, world.operatorKey) : null,
    sweeper: world.sweepKey ? openAccount(kinds, world.sweepKey) : null,
    livemode: live,
    publicUrl: config.publicUrl,
    checkoutUrl: config.checkoutUrl,
    worker: world.worker ?? nameProcess(),
    log,
    meters: createMeters(),
    note: (fields, message) => logger.warn(fields, message),
    close: async () => {
      mailServer?.close();
      await outbound.close();
      await listener.stop();
      await Promise.all([db.destroy(), sideDb.destroy(), probeDb.destroy()]);
    },
  };
}

function openReach({ networks, networkChecks }: World, db: Db, { now }: Clock, log: Platform['log']): Reach {
  if (networkChecks) return createReach({ db, networks, ...networkChecks, now, log });
  return { isClosed: () => false, list: () => [], start: () => undefined, stop: () => undefined };
}

/** OPERATOR_KEY and SWEEP_KEY serve the first kind of chain that signs. */
const openAccount = (kinds: readonly ChainKind[], key: string): OperatorAccount | null =>
  kinds.find(({ operator }) => operator !== undefined)?.operator?.openAccount(key) ?? null;

async function openSandboxClock(db: Db, listener: Listener): Promise<Clock> {
  const clock = await createSandboxClock(db, listener.on);
  // A move that happened while the listener was disconnected is not sent again.
  listener.onGap(() => void clock.refresh().catch(() => undefined));
  return clock;
}
