import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { type Logger, pino } from 'pino';
import { inject } from 'vitest';
import { type Client, createClient } from '../clients/typescript/src/index.ts';
import type { EvmNetwork } from '../src/chains/evm/network.ts';
import { compose, type Service } from '../src/compose.ts';
import { parseConfig } from '../src/config.ts';
import { inTransaction } from '../src/db/transaction.ts';
import type { Db } from '../src/lib/db-types.ts';
import type { MerchantInput } from '../src/merchants/merchant.ts';
import { changeMerchantStatus } from '../src/merchants/status-changes.ts';
import type { Network } from '../src/ports/chain.ts';
import type { ChainKind } from '../src/ports/chain-kind.ts';
import type { Permission } from '../src/ports/security.ts';
import type { ChainControl } from '../src/sandbox/chain-control.ts';
import type { Settings } from '../src/settings/settings.ts';
import type { NetworkChecks } from '../src/start-networks.ts';
import { wakeSubscriptions } from '../src/subscriptions/merchants.ts';
import { createTestAdmin, type TestAdmin } from './support/admins.ts';
import { type ContractMismatch, checkedFetch, type Fetch } from './support/answers.ts';
import { contract } from './support/contract.ts';
import { createTestDatabase, type TestDatabase } from './support/database.ts';
import { problemsOfEvents } from './support/events.ts';
import { revokeKeysWith } from './support/merchants-moved.ts';
import { TEST_NETWORK } from './support/payments.ts';
import { createScriptedChain, type ScriptedChain } from './support/scripted-chain.ts';
import { findUncounted } from './support/tallies.ts';
import { createTestClock, hoursApart, type TestClock } from './support/test-clock.ts';

export const START = new Date('2026-01-01T10:00:00.000Z');
export const PASSWORD = 'Str0ng-enough';
/** See decision test/cheap-passwords. */
export const CHEAP_PASSWORDS = { memoryKib: 64, passes: 1, lanes: 1 };

export type StartOptions = {
  /** Environment of the process, on top of a sandbox that only serves the API. */
  readonly env?: Readonly<Record<string, string>>;
  /** A migrated database of the test's own, if not a new one. */
  readonly database?: TestDatabase;
  /** Of a proxy before PostgreSQL, through which the service listens for notifications. */
  readonly listenPort?: number;
  /** Where it logs; without one, an error that it logs fails the test. */
  readonly logger?: Logger;
  /** Business time at the start. */
  readonly now?: Date;
  /** Platform settings that differ from the sandbox's. */
  readonly settings?: Partial<Settings>;
  /** A real chain that the sandbox controls, and its network. Without it no node runs, and tests script the `chain`. */
  readonly sandbox?: { readonly chain: ChainControl; readonly network: EvmNetwork };
  /** Other kinds of chains than the service's own, and their networks; `chain` cannot be used then. */
  readonly composed?: {
    readonly kinds: readonly ChainKind[];
    readonly networks: readonly Network[];
    /** Without them every network is in reach. */
    readonly networkChecks?: NetworkChecks;
  };
};

type Registration = Parameters<Client['auth']['register']>[0];

export type TestMerchant = {
  readonly id: string;
  readonly client: Client;
  readonly email: string;
  readonly token: string;
  readonly refreshToken: string;
};

export type Answer = {
  readonly status: number;
  readonly headers: Headers;
  /** The parsed JSON, or the text of anything else; empty for a stream. */
  readonly body: unknown;
  readonly text: string;
};

export type Sent = {
  /** Sent as JSON. */
  readonly body?: unknown;
  /** Sent unchanged. */
  readonly raw?: string | Uint8Array<ArrayBuffer>;
  /** An empty value removes the header, including a default one. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly token?: string;
};

export type TestService = {
  readonly url: string;
  readonly service: Service;
  readonly db: Db;
  readonly clock: TestClock;
  /** Scripts what happens on the network when there is no real chain. */
  readonly chain: ScriptedChain;
  /** Checks every answer against the contract; clients of the tests use it. */
  readonly fetch: Fetch;
  readonly client: (options?: Partial<Parameters<typeof createClient>[0]>) => Client;
  /** Sends any request, even an invalid one. */
  readonly send: (method: string, path: string, sent?: Sent) => Promise<Answer>;
  /** What Prometheus would read. */
  readonly metrics: () => Promise<string>;
  readonly registerMerchant: (draft?: Partial<Registration>) => Promise<TestMerchant>;
  readonly activeMerchant: (draft?: Partial<Registration>) => Promise<TestMerchant>;
  /** An administrator with a role of exactly these permissions; the super role by default. */
  readonly admin: (permissions?: readonly Permission[]) => Promise<TestAdmin>;
  readonly decide: (merchantId: string, input: MerchantInput) => Promise<void>;
  /** Changes platform settings; effective when it returns. */
  readonly set: (settings: Partial<Settings>) => Promise<void>;
  /** Runs one job of the service to its end, as its scheduler would. */
  readonly runJob: (name: string) => Promise<void>;
  /** Runs the jobs that bring payments, sessions and links up to date. */
  readonly runPaymentJobs: () => Promise<void>;
  /** Stops the service. Fails if an answer or an event broke the contract, or if the service logged an error. */
  readonly close: () => Promise<void>;
};

const PAYMENT_JOBS = ['payments.apply', 'payments.expire', 'checkout.settle', 'payment-links.expire'];

/**
 * Starts the whole service in this process, composed as in production, on a free port and with a database of its own.
 * Only the API runs: tests move time, script the chain and run jobs themselves, so that no result depends on timing.
 */
export async function startService(options: StartOptions = {}): Promise<TestService> {
  const database = options.database ?? (await createTestDatabase());
  const clock = createTestClock(options.now ?? START);
  const network = options.sandbox?.network ?? TEST_NETWORK;
  const faults: string[] = [];
  const logger = options.logger ?? pino({ level: 'error' }, { write: (line: string) => void faults.push(line) });
  const world = {
    config: testConfig(options, database.url),
    databaseUrl: database.url,
    networks: options.composed?.networks ?? [network],
    ...(options.composed?.networkChecks && { networkChecks: options.composed.networkChecks }),
    masterKey: Buffer.alloc(32, 7),
    logger,
    clock,
    elapsedMs: hoursApart(),
    passwordCost: CHEAP_PASSWORDS,
  };
  const service = await compose(world, contract, options.sandbox?.chain ?? null, options.composed?.kinds);
  const { db } = service.platform;
  const chain = options.sandbox || options.composed ? noScriptedChain : await createScriptedChain(db, clock, network);
  const url = await service.start();

  const mismatches: ContractMismatch[] = [];
  const fetch = checkedFetch((mismatch) => void mismatches.push(mismatch));
  // Without retries, so that a test sees every answer.
  const client: TestService['client'] = (wanted = {}) =>
    createClient({ baseUrl: url, fetch, maxRetries: 0, ...wanted });
  const runJob = async (name: string): Promise<void> => {
    const job = service.features.jobs.find((each) => each.name === name);
    if (!job) throw new Error(`the service has no job ${name}`);
    await job.run({ now: clock.now(), real: clock.real(), signal: new AbortController().signal });
  };
  const started = { url, service, db, clock, chain, fetch, client, runJob };
  const set = setter(service);
  if (options.settings) await set(options.settings);
  return {
    ...started,
    ...merchantHelpers(started),
    admin: (permissions) => createTestAdmin(started, permissions),
    set,
    send: sender(url, fetch),
    metrics: () => readMetrics(service),
    runPaymentJobs: async () => {
      for (const name of PAYMENT_JOBS) await runJob(name);
    },
    close: async () => {
      const wrong = await problemsOfEvents(db);
      const uncounted = await findUncounted(db);
      await service.stop();
      await database.drop();
      if (mismatches[0]) throw mismatches[0];
      if (wrong.length > 0)
        throw new Error(`Events were announced that the contract does not know:\n${wrong.join('\n')}`);
      if (uncounted.length > 0) throw new Error(`Totals are not what the rows are:\n${uncounted.join('\n')}`);
      if (faults.length > 0) throw new Error(`The service logged errors:\n${faults.join('')}`);
    },
  };
}

/** What Prometheus would read of a service. */
export const readMetrics = async (service: Service): Promise<string> =>
  (await globalThis.fetch(`${service.metricsUrl()}/metrics`)).text();

const withPort = (url: string, port: number): string => Object.assign(new URL(url), { port: String(port) }).href;

const testConfig = ({ env, listenPort }: StartOptions, databaseUrl: string) =>
  parseConfig({
    KASI_ROLES: 'api',
    PORT: '0',
    METRICS_PORT: '0',
    PUBLIC_URL: 'http://localhost:3000',
    KASI_DATA_DIR: inject('runFolder'),
    DATABASE_URL: databaseUrl,
    ...(listenPort !== undefined && { DATABASE_LISTEN_URL: withPort(databaseUrl, listenPort) }),
    ...env,
  });

const noScriptedChain: ScriptedChain = {
  transfer: () => Promise.reject(new Error('this service has a real chain: pay on it')),
  collector: () => Promise.reject(new Error('this service has a real chain: let its collector speak')),
  approve: () => Promise.reject(new Error('this service has a real chain: approve on it')),
  mine: () => Promise.reject(new Error('this service has a real chain: mine on it')),
  drop: () => Promise.reject(new Error('this service has a real chain: reorganise it')),
};

let registered = 0;

function merchantHelpers({ client, service, clock }: Pick<TestService, 'client' | 'service' | 'clock'>) {
  const registerMerchant: TestService['registerMerchant'] = async (draft = {}) => {
    registered += 1;
    const own = client();
    const { merchant, token, refreshToken } = await own.auth.register({
      businessName: 'Ceylon Tea House',
      email: `owner${registered}@example.com`,
      password: PASSWORD,
      phone: '+94771234567',
      businessType: 'company',
      ...draft,
    });
    return { id: merchant.id, client: own, email: merchant.email, token, refreshToken };
  };
  const decide: TestService['decide'] = async (merchantId, input) => {
    const { db, events, checkoutUrl } = service.platform;
    const deps = {
      ...{ events, checkoutUrl },
      forgetSessions: () => {},
      revokeKeys: revokeKeysWith(service.platform),
      followStatus: wakeSubscriptions,
    };
    await inTransaction(db, (trx) => changeMerchantStatus(trx, deps, merchantId, input, clock.now(), clock.real()));
  };
  const activeMerchant: TestService['activeMerchant'] = async (draft) => {
    const merchant = await registerMerchant(draft);
    await decide(merchant.id, { kind: 'approve' });
    return merchant;
  };
  return { registerMerchant, decide, activeMerchant };
}

/** Changes platform settings, and waits until this process has been notified of them. */
export function setter({ platform }: Service): TestService['set'] {
  return async (settings) => {
    const overrides = JSON.stringify(settings);
    await platform.db
      .insertInto('platform_settings')
      .values({ id: 1, overrides, updated_at: platform.clock.now() })
      .onConflict((conflict) => conflict.column('id').doUpdateSet({ overrides }))
      .execute();
    await sql`select pg_notify('kasi_settings', '')`.execute(platform.db);
    for (;;) {
      const current = await platform.settings.current();
      if (Object.entries(settings).every(([name, value]) => isSame(current[name as keyof Settings], value))) return;
      await sleep(5);
    }
  };
}

const isSame = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b);

function sender(url: string, fetch: Fetch): TestService['send'] {
  return async (method, path, { body, raw, headers = {}, token } = {}) => {
    const content = raw ?? (body === undefined ? undefined : JSON.stringify(body));
    const wanted = {
      ...(content === undefined ? {} : { 'content-type': 'application/json' }),
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      ...headers,
    };
    const init = { method, headers: Object.entries(wanted).filter(([, value]) => value !== '') };
    const response = await fetch(
      new Request(`${url}${path}`, content === undefined ? init : { ...init, body: content }),
    );
    const type = response.headers.get('content-type') ?? '';
    const endless = type.startsWith('text/event-stream');
    if (endless) await response.body?.cancel();
    const text = endless ? '' : await response.text();
    const isJson = type.startsWith('application/json');
    return {
      status: response.status,
      headers: response.headers,
      text,
      body: isJson && text !== '' ? JSON.parse(text) : text,
    };
  };
}
