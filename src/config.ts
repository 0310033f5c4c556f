import { resolve } from 'node:path';
import type { Mode } from './deployment/mode.ts';
import { KINDS } from './kinds.ts';
import { findMisspelt } from './known-settings.ts';
import { type LimitSettings, parseLimitSettings } from './limits/settings.ts';
import type { LogFormat } from './logger.ts';
import { type MailSettings, readMailSettings } from './mail/settings.ts';
import type { MetricsAddress } from './metrics/listener.ts';
import { type RateSource, readNetworks } from './network-file.ts';
import { readOperatorKey, readSweepKey } from './operator-key.ts';
import { readAllowedCidrs } from './outbound/address.ts';
import type { Network } from './ports/chain.ts';
import {
  DATABASE_URL_FORM,
  findQuoted,
  isDatabaseUrl,
  isWebAddress,
  isWhereLinksBegin,
  ORIGIN_FORM,
  toOrigin,
} from './setting-forms.ts';
import { readTracing, type TracingSettings } from './tracing/settings.ts';
import { readTrustedProxies } from './trusted-proxies.ts';

export type Role = 'api' | 'scheduler' | 'watcher';

export type Config = {
  readonly mode: Mode;
  readonly host: string;
  readonly port: number;
  /** Where Prometheus reads; null: nowhere. */
  readonly metrics: MetricsAddress | null;
  /** Where traces go; null: there are none. */
  readonly tracing: TracingSettings | null;
  readonly publicUrl: string;
  readonly checkoutUrl: string;
  readonly roles: readonly Role[];
  readonly dataDir: string;
  /** What the database is expected to call its deployment; null in a sandbox that names none. */
  readonly deploymentId: string | null;
  /** null: the embedded server of the sandbox. */
  readonly databaseUrl: string | null;
  /** Where notifications are listened for, if that is not `databaseUrl`. */
  readonly databaseListenUrl: string | null;
  /** Standbys of it, which may answer what only reads; null: none. */
  readonly databaseReadUrl: string | null;
  readonly databaseOwnerUrl: string | null;
  /** Whether a start brings the schema up to this release. The sandbox always does. */
  readonly migrate: boolean;
  /** null: the sandbox starts its own chain. */
  readonly evmRpcUrl: string | null;
  /** Further endpoints of the same chain, for the sandbox to ask when that one fails, and for a second opinion. */
  readonly otherEvmRpcUrls: readonly string[];
  /** The sandbox's Bitcoin node, with user and password; null: it starts its own beside its own chain. */
  readonly bitcoinRpcUrl: string | null;
  readonly networks: readonly Network[];
  readonly rateSources: readonly RateSource[];
  /** 32 bytes; null in the sandbox, which makes its own. */
  readonly masterKey: Buffer | null;
  readonly masterKeysOld: readonly Buffer[];
  readonly admin: { readonly email: string; readonly password: string } | null;
  readonly logLevel: string;
  /** null: for people where a terminal shows the lines, else for programs. */
  readonly logFormat: LogFormat | null;
  /** Empty: clients connect directly. */
  readonly trustProxy: readonly string[];
  readonly corsOrigins: readonly string[];
  /** Where alerts about incidents go; null: nowhere. */
  readonly alertWebhookUrl: string | null;
  /** What sends receipts to payers; null: nothing does. */
  readonly mail: MailSettings | null;
  readonly webhookAllowedPrivateCidrs: readonly string[];
  readonly rateLimits: LimitSettings;
  readonly sandboxRoutes: boolean;
  /** Whether signed reads need a timestamp, which the contract leaves optional. */
  readonly hmacGetRequireTimestamp: boolean;
  /**
   * The private key that charges subscriptions, 0x and 64 hexadecimal digits; null in the sandbox, which has its own.
   */
  readonly operatorKey: string | null;
  /** The private key that pays for sweeping deposits; null in the sandbox, which has its own. */
  readonly sweepKey: string | null;
  /** A sentence about each name that looks like a setting and is none. */
  readonly misspelt: readonly string[];
};

const ROLES: readonly Role[] = ['api', 'scheduler', 'watcher'];
const LOG_FORMATS: readonly LogFormat[] = ['json', 'pretty'];
const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'];
const LOOPBACK = new Set(['127.0.0.1', '::1', 'localhost']);

type Env = Readonly<Record<string, string | undefined>>;

/** Thrown by `parseConfig`; its message lists every problem of the environment. */
export class ConfigError extends Error {
  constructor(problems: readonly string[]) {
    super(`Kasi can not start with these settings:\n${problems.map((problem) => `  - ${problem}`).join('\n')}`);
    this.name = 'ConfigError';
  }
}

/** Reads the environment into a frozen object; nothing else reads the environment. Throws ConfigError. */
export function parseConfig(env: Env): Config {
  const problems: string[] = findQuoted(env);
  const read = reader(env, problems);
  const identity = readIdentity(read, problems, true);
  const live = identity.mode === 'live';
  const port = read.integer('PORT', 3000, 0, 65_535);
  const host = read.text('HOST', '127.0.0.1');
  const publicUrl = read.url('PUBLIC_URL', `http://localhost:${port}`, live);
  const databaseUrl = read.database('DATABASE_URL');
  if (live && !databaseUrl) problems.push('DATABASE_URL is missing: the PostgreSQL (15 or newer) to use');
  const file = live ? readNetworks(read.optional('KASI_NETWORKS'), KINDS, problems) : { networks: [], rates: [] };
  const roles = readRoles(read, problems);
  const config: Config = {
    ...identity,
    host,
    port,
    metrics: readMetrics(read, port, problems),
    tracing: readTracing(read.optional, problems),
    publicUrl,
    checkoutUrl: read.url('CHECKOUT_URL', `${publicUrl}/checkout`, live),
    roles,
    dataDir: resolve(read.text('KASI_DATA_DIR', '.kasi')),
    databaseUrl,
    databaseListenUrl: read.database('DATABASE_LISTEN_URL'),
    databaseReadUrl: read.database('DATABASE_READ_URL'),
    databaseOwnerUrl: read.database('DATABASE_OWNER_URL') ?? (live ? null : databaseUrl),
    migrate: readMigrate(read, live, problems),
    evmRpcUrl: read.list('EVM_RPC_URL', [])[0] ?? null,
    otherEvmRpcUrls: read.list('EVM_RPC_URL', []).slice(1),
    bitcoinRpcUrl: read.optional('BITCOIN_RPC_URL'),
    networks: file.networks,
    rateSources: file.rates,
    admin: readAdmin(env, problems),
    logLevel: read.choice('LOG_LEVEL', LOG_LEVELS, live ? 'info' : 'warn'),
    logFormat: (read.optional('LOG_FORMAT') ? read.choice('LOG_FORMAT', LOG_FORMATS, '') : null) as LogFormat | null,
    trustProxy: readTrustedProxies(read.list('TRUST_PROXY', []), live, problems),
    corsOrigins: readOrigins(read.list('CORS_ORIGINS', []), problems),
    alertWebhookUrl: read.optionalUrl('ALERT_WEBHOOK_URL', live),
    mail: readMailSettings({ url: read.optional('SMTP_URL'), from: read.optional('MAIL_FROM') }, live, problems),
    webhookAllowedPrivateCidrs: readAllowedCidrs(read.list('WEBHOOK_ALLOWED_PRIVATE_CIDRS', []), problems),
    rateLimits: readRateLimits(read.list('RATE_LIMITS', []), problems),
    hmacGetRequireTimestamp: read.flag('HMAC_GET_REQUIRE_TIMESTAMP'),
    operatorKey: live
      ? readOperatorKey(read.optional('OPERATOR_KEY'), roles.includes('scheduler'), file.networks, KINDS, problems)
      : null,
    sweepKey: live
      ? readSweepKey(
          { key: read.optional('SWEEP_KEY'), operatorKey: read.optional('OPERATOR_KEY') },
          roles.includes('scheduler'),
          file.networks,
          KINDS,
          problems,
        )
      : null,
    sandboxRoutes: (read.flag('KASI_SANDBOX_PUBLIC') || LOOPBACK.has(host)) && !live,
    misspelt: findMisspelt(env),
  };
  if (problems.length > 0) throw new ConfigError([...problems, ...config.misspelt]);
  return Object.freeze(config);
}

/** What a command says it is, on a database whose other settings it does not need. */
type IdentitySettings = Pick<Config, 'mode' | 'deploymentId' | 'masterKey' | 'masterKeysOld'>;

/** Only that part of the environment; a master key is not needed. Throws ConfigError. */
export function parseIdentity(env: Env): IdentitySettings {
  const problems: string[] = [];
  const identity = readIdentity(reader(env, problems), problems, false);
  if (problems.length > 0) throw new ConfigError(problems);
  return identity;
}

/** What a command connects to; null where the setting is not there. Throws ConfigError. */
export function readDatabaseUrl(env: Env, name: string): string | null {
  const problems = findQuoted({ [name]: env[name] });
  const url = reader(env, problems).database(name);
  if (problems.length > 0) throw new ConfigError(problems);
  return url;
}

/** The key that seals backups, which no process needs. Throws ConfigError. */
export function parseBackupKey(env: Env): Buffer {
  const problems: string[] = [];
  const key = reader(env, problems).key('BACKUP_KEY', true);
  if (key === null || problems.length > 0) throw new ConfigError(problems);
  return key;
}

function readIdentity(read: ReturnType<typeof reader>, problems: string[], needsKey: boolean): IdentitySettings {
  const mode = read.choice('KASI_MODE', ['sandbox', 'live'], 'sandbox') as Mode;
  return {
    mode,
    deploymentId: readDeploymentId(read.optional('DEPLOYMENT_ID'), mode === 'live', problems),
    masterKey: read.key('MASTER_KEY', needsKey && mode === 'live'),
    masterKeysOld: read.list('MASTER_KEYS_OLD', []).map((text) => parseKey('MASTER_KEYS_OLD', text, problems)),
  };
}

function reader(env: Env, problems: string[]) {
  const optional = (name: string): string | null => env[name]?.trim() || null;
  const oneOf = (name: string, value: string, allowed: readonly string[]): string => {
    if (!allowed.includes(value)) problems.push(`${name} is "${value}"; it must be one of: ${allowed.join(', ')}`);
    return value;
  };
  return {
    optional,
    oneOf,
    text: (name: string, fallback: string): string => optional(name) ?? fallback,
    choice: (name: string, allowed: readonly string[], fallback: string): string =>
      oneOf(name, optional(name) ?? fallback, allowed),
    /** On or off. Another word than those that mean off is refused: it would silently be off. */
    flag: (name: string): boolean => {
      const value = optional(name) ?? '0';
      if (value !== '1' && !/^(?:0|off|no|false)$/i.test(value)) problems.push(`${name} must be 1 or 0`);
      return value === '1';
    },
    /** Says nothing of the URL itself: it holds a password. */
    database: (name: string): string | null => {
      const text = optional(name);
      if (text !== null && !isDatabaseUrl(text)) problems.push(`${name} must be ${DATABASE_URL_FORM}`);
      return text;
    },
    integer: (name: string, fallback: number, min: number, max: number): number => {
      const value = Number(optional(name) ?? fallback);
      if (!Number.isInteger(value) || value < min || value > max)
        problems.push(`${name} must be a whole number from ${min} to ${max}`);
      return value;
    },
    list: (name: string, fallback: readonly string[]): readonly string[] =>
      optional(name)
        ?.split(',')
        .map((part) => part.trim())
        .filter(Boolean) ?? fallback,
    url: (name: string, fallback: string, required: boolean): string => {
      const text = optional(name);
      if (!text && required && name === 'PUBLIC_URL')
        problems.push(`${name} is missing: the address under which payers reach this service`);
      if (text && !(isWebAddress(text) && isWhereLinksBegin(text)))
        problems.push(`${name} must be an http or https URL, one, and without a user, "?" or "#": links begin with it`);
      else if (text && required && URL.parse(text)?.protocol !== 'https:')
        problems.push(`${name} must be https in live mode`);
      return (text ?? fallback).replace(/\/+$/, '');
    },
    optionalUrl: (name: string, secure: boolean): string | null => {
      const text = optional(name);
      if (text !== null && !(isWebAddress(text) && (!secure || URL.parse(text)?.protocol === 'https:')))
        problems.push(`${name} must be ${secure ? 'an https' : 'an http or https'} URL, and one`);
      return text;
    },
    key: (name: string, required: boolean): Buffer | null => {
      const text = optional(name);
      if (text) return parseKey(name, text, problems);
      if (required) problems.push(`${name} is missing: 32 random bytes in hex or base64 (openssl rand -hex 32)`);
      return null;
    },
  };
}

function parseKey(name: string, text: string, problems: string[]): Buffer {
  const isHex = /^[0-9a-f]+$/i.test(text);
  const key = Buffer.from(text, isHex ? 'hex' : 'base64');
  // 43 digits are 32 bytes of base64, too: what was sealed by them could not be opened with the key that was kept.
  if (isHex && text.length !== 64)
    problems.push(
      `${name} must be 32 bytes in hex or base64: it has ${text.length} hexadecimal digits, and not 64${ofCut(text)}`,
    );
  else if (key.length !== 32) problems.push(`${name} must be 32 bytes in hex or base64${ofQuotes(text)}`);
  else if (new Set(key).size < 8) problems.push(`${name} is too weak: it must be random`);
  return key;
}

/** For a deployment that an older release has sealed with such a key. */
const ofCut = (text: string): string =>
  text.length === 43 ? '. If it has sealed something as it is, write "=" behind it: then it is read as base64' : '';

const ofQuotes = (text: string): string => (/^["']/.test(text) ? ', without the quotation marks' : '');

function readRoles(read: ReturnType<typeof reader>, problems: string[]): readonly Role[] {
  const roles = read.list('KASI_ROLES', ROLES).map((role) => read.oneOf('KASI_ROLES', role, ROLES) as Role);
  if (roles.length === 0) problems.push(`KASI_ROLES names no role; it must be some of: ${ROLES.join(', ')}`);
  return roles;
}

function readOrigins(parts: readonly string[], problems: string[]): readonly string[] {
  return parts.flatMap((part) => {
    const origin = toOrigin(part);
    if (origin === null) problems.push(`CORS_ORIGINS names "${part}", which is no ${ORIGIN_FORM}`);
    return origin ?? [];
  });
}

function readMetrics(read: ReturnType<typeof reader>, publicPort: number, problems: string[]): MetricsAddress | null {
  if (read.optional('METRICS_PORT') === null) return null;
  const port = read.integer('METRICS_PORT', 0, 0, 65_535);
  if (port !== 0 && port === publicPort)
    problems.push(
      'METRICS_PORT is that of PORT: give the metrics a port of their own, which the public does not reach',
    );
  return { host: read.text('METRICS_HOST', '127.0.0.1'), port };
}

function readDeploymentId(id: string | null, required: boolean, problems: string[]): string | null {
  if (id === null && required)
    problems.push(
      'DEPLOYMENT_ID is missing: a name of your own, such as shop-production; the database keeps that of its first ' +
        'start, so that a restored copy of it is not taken for the original',
    );
  if (id !== null && !/^[a-z0-9][a-z0-9._-]{2,63}$/.test(id))
    problems.push('DEPLOYMENT_ID must have 3 to 64 lower-case letters, digits, dots, underscores and hyphens');
  return id;
}

function readMigrate(read: ReturnType<typeof reader>, live: boolean, problems: string[]): boolean {
  const isOn = read.flag('MIGRATE');
  if (live && isOn && read.optional('DATABASE_OWNER_URL') === null)
    problems.push('DATABASE_OWNER_URL is missing: with MIGRATE=1 this process migrates, which only the owner may');
  return !live || isOn;
}

function readAdmin(env: Env, problems: string[]): Config['admin'] {
  const email = env['ADMIN_EMAIL']?.trim();
  const password = env['ADMIN_PASSWORD'];
  if (!email && !password) return null;
  if (email && password) return { email, password };
  problems.push('ADMIN_EMAIL and ADMIN_PASSWORD go together');
  return null;
}

function readRateLimits(parts: readonly string[], problems: string[]): LimitSettings {
  const read = parseLimitSettings(parts);
  problems.push(...read.problems.map((problem) => `RATE_LIMITS ${problem}`));
  return read.settings;
}
