import { operatorWaits } from './chains/operator/queries.ts';
import { createWatchJob, type WatchJob, type WatchJobDeps } from './chains/watch-job.ts';
import type { CheckoutPagesDeps, PublicLink } from './checkout/pages/context.ts';
import { type CheckoutPages, checkoutPages } from './checkout/pages/pages.ts';
import { customerCalls } from './customer-calls.ts';
import { createListBeat, type ListBeat } from './deployment/list-beat.ts';
import { readDatabaseTime } from './deployment/unlisted.ts';
import { buildFeatures, type Features } from './features.ts';
import { callInner, type InnerCall } from './http/inner-call.ts';
import { createServer, type Server } from './http/server.ts';
import { createIdempotency } from './idempotency/idempotency.ts';
import { KINDS } from './kinds.ts';
import { createLimiter } from './limits/limits.ts';
import { findLogo } from './merchants/logo.ts';
import { openMetrics, type RunningMetrics } from './metrics/metrics.ts';
import { rememberLocale } from './payments/locale.ts';
import { paymentMatcher, paymentsWait } from './payments/observe.ts';
import { createPaymentStream } from './payments/stream.ts';
import { limitsOf, openPlatform, type Platform, type World } from './platform.ts';
import { assetsOf } from './ports/assets.ts';
import type { ChainKind } from './ports/chain-kind.ts';
import { createHealth } from './readiness.ts';
import { refundsWait } from './refunds/queries.ts';
import { findWay } from './relays/terms.ts';
import type { ChainControl } from './sandbox/chain-control.ts';
import { authorizeInSandbox, joinInSandbox } from './sandbox/customers.ts';
import { absentSandbox, sandboxHandlers } from './sandbox/handlers.ts';
import { sandboxJobs } from './sandbox/jobs.ts';
import { sandboxPay } from './sandbox/pay.ts';
import { createSandbox, type Sandbox } from './sandbox/sandbox.ts';
import { findSandboxWallet } from './sandbox/wallets.ts';
import { createScheduler, type Scheduler } from './scheduler/scheduler.ts';
import { rememberCustomerLocale } from './subscriptions/locale.ts';
import { subscriptionMatcher, subscriptionsWait } from './subscriptions/settling/observe.ts';
import { treasuryMatcher } from './treasury/reorg.ts';
import { listUnlistedSince } from './unlisted.ts';
import { withdrawalsWait } from './withdrawals/queries.ts';

export type Service = {
  readonly platform: Platform;
  readonly features: Features;
  /** Starts the roles of the configuration and returns the address that the API listens on. */
  readonly start: () => Promise<string>;
  /** Where Prometheus reads this process; null: nowhere. */
  readonly metricsUrl: () => string | null;
  /** Takes no more work, finishes what is in flight, and closes every connection. */
  readonly stop: () => Promise<void>;
};

/** Builds every object of a process once, top to bottom. `chain` is the sandbox's own; null in live mode. */
export async function compose(
  world: World,
  contract: object,
  chain: ChainControl | null,
  kinds: readonly ChainKind[] = KINDS,
): Promise<Service> {
  const platform = await openPlatform(world, kinds);
  try {
    return await build(platform, world, contract, chain);
  } catch (error) {
    await platform.close();
    throw error;
  }
}

async function build(platform: Platform, world: World, contract: object, chain: ChainControl | null): Promise<Service> {
  const { chains, config, clock, db, listener, log, networks, settings, worker, confirmationsOn } = platform;
  const server = await createServer({
    logger: world.logger,
    trustProxy: config.trustProxy,
    corsOrigins: config.corsOrigins,
    tokenSecrets: {
      'merchant-api': platform.secretFor('merchant tokens').toString('base64'),
      'admin-api': platform.secretFor('admin tokens').toString('base64'),
    },
  });
  const stream = createPaymentStream(listener.on);
  const features = buildFeatures(platform, server.tokens, stream);
  const matchers = [treasuryMatcher(networks), paymentMatcher, subscriptionMatcher];
  const { now, real } = clock;
  const startedAt = await readDatabaseTime(db);
  const listUnlisted: WatchJobDeps['listUnlisted'] = (trx, network) => listUnlistedSince(trx, network, startedAt);
  const waiting = [paymentsWait, withdrawalsWait, refundsWait, subscriptionsWait, operatorWaits];
  const watching = { db, networks, chains, matchers, waiting, confirmationsOn, now, real, worker, log, listUnlisted };
  const watch = createWatchJob(watching);
  const sealing = { worker, key: platform.keyRing.current.id.toString('hex') };
  const list = createListBeat({ db, networks, sealing, log });
  const { jobs: featureJobs, subscribing } = features;
  const sandbox = chain
    ? createSandbox({
        db,
        clock,
        networks,
        settings,
        log,
        subscribing,
        jobs: featureJobs,
        chain,
        poke: watch.poke,
        missing: world.missing ?? [],
      })
    : null;
  const jobs = [...featureJobs, ...(sandbox ? sandboxJobs(sandbox) : [])];
  const scheduler = createScheduler({ db, clock, jobs, subscribe: listener.on, worker, log, ran: platform.meters.job });
  const metrics = openMetrics(platform, { lag: watch.lag, countStreams: stream.count });
  const parts = {
    handlers: { ...features.handlers, ...(sandbox ? sandboxHandlers(sandbox) : absentSandbox) },
    verifiers: features.verifiers,
    limiter: createLimiter(db, limitsOf(platform)),
    idempotency: createIdempotency(platform.keyRing, platform.secretFor('idempotent requests')),
    clock,
    db,
    sandbox: config.sandboxRoutes,
    ...pagesOf(platform, server, sandbox && config.sandboxRoutes ? buttonsOf(sandbox) : {}),
    publicUrl: config.publicUrl,
    checkoutOrigin: new URL(config.checkoutUrl).origin,
    checkoutPath: new URL(config.checkoutUrl).pathname.replace(/\/+$/, ''),
    health: createHealth(platform, scheduler),
  };
  await server.mount(parts, contract);
  return { platform, features, ...lifecycle(platform, server, { scheduler, watch, stream, list, metrics }) };
}

type Running = {
  readonly scheduler: Scheduler;
  readonly watch: WatchJob;
  readonly list: ListBeat;
  readonly metrics: RunningMetrics;
  readonly stream: { readonly close: () => void };
};

function lifecycle(
  platform: Platform,
  server: Server,
  { scheduler, watch, stream, list, metrics }: Running,
): Pick<Service, 'start' | 'stop' | 'metricsUrl'> {
  const { roles, host, port } = platform.config;
  return {
    metricsUrl: metrics.url,
    start: async () => {
      await metrics.start();
      if (roles.includes('watcher')) await watch.check(platform.reach);
      // Nothing can refuse the start from here on, and no job runs yet that asks for what is listed.
      await list.start();
      if (roles.includes('watcher')) watch.start();
      if (roles.includes('scheduler')) scheduler.start();
      platform.reach.start();
      // Every process answers health checks, whatever its roles.
      return server.listen(host, port);
    },
    stop: async () => {
      stream.close();
      platform.reach.stop();
      await Promise.all([metrics.close(), server.close(), scheduler.stop(), watch.stop()]);
      await list.stop(); // Last: until then something was sealed.
      await platform.close();
    },
  };
}

type Buttons = Pick<CheckoutPagesDeps, 'sandboxPay' | 'sandboxAuthorize' | 'sandboxHasWallet' | 'sandboxSubscribe'>;

const buttonsOf = (sandbox: Sandbox): Buttons => ({
  sandboxPay: ({ paymentId }) => sandboxPay(sandbox, { paymentId }),
  sandboxAuthorize: ({ subscriptionId, ...moment }) => authorizeInSandbox(sandbox, { subscriptionId }, moment),
  sandboxSubscribe: ({ planId, customerName, customerEmail, ...moment }) =>
    joinInSandbox(sandbox, planId, { customerName, customerEmail }, moment),
  sandboxHasWallet: async (address) => (await findSandboxWallet(sandbox, address)) !== undefined,
});

type Unlisted = Pick<CheckoutPagesDeps, 'takesSigned' | 'rememberLanguage' | 'rememberCustomerLanguage' | 'readLogo'>;

/** What the pages ask and note that is no operation of the contract. */
const withoutCall = (platform: Platform): Unlisted => ({
  takesSigned: (network, token) =>
    findWay(platform, network, ({ symbol }) => symbol === token) !== undefined &&
    platform.settings.latest().relayMinAmount !== null,
  rememberLanguage: (paymentId, language) => rememberLocale(platform.db, paymentId, language),
  rememberCustomerLanguage: (subscriptionId, language) => rememberCustomerLocale(platform.db, subscriptionId, language),
  readLogo: (name) => findLogo(platform.db, name),
});

/**
 * The hosted pages call only public operations of the contract, in-process; the sandbox's buttons are the exception.
 */
function pagesOf(platform: Platform, server: Server, buttons: Buttons): CheckoutPages {
  const call = <T>(input: InnerCall): Promise<T> => callInner(server.app, input) as Promise<T>;
  const get = <T>(path: string, origin: InnerCall['origin']): Promise<T> => call<T>({ method: 'GET', path, origin });
  const link = (slug: string): string => `/v1/public/payment-links/by-slug/${encodeURIComponent(slug)}`;
  const enabled = new Set<string>(
    platform.networks.flatMap((network) => assetsOf(network).map(({ symbol }) => symbol)),
  );
  return checkoutPages({
    publicUrl: platform.publicUrl,
    checkoutUrl: platform.checkoutUrl,
    livemode: platform.livemode,
    mailsReceipts: platform.mailServer !== null,
    readPayment: (id, origin) => get(`/v1/public/payments/${encodeURIComponent(id)}`, origin),
    readInstructions: (id, origin) => get(`/v1/public/payments/${encodeURIComponent(id)}/instructions`, origin),
    readSession: (id, origin) => get(`/v1/public/checkout/sessions/${encodeURIComponent(id)}`, origin),
    readSubscription: (id, origin) => get(`/v1/public/subscriptions/${encodeURIComponent(id)}`, origin),
    // The contract lists what a link accepts; a payer needs the tokens that are enabled here.
    readLink: async (slug, origin) => {
      const found = await get<PublicLink>(link(slug), origin);
      return { ...found, acceptedTokens: found.acceptedTokens.filter((token) => enabled.has(token)) };
    },
    startLinkPayment: ({ slug, amount, customerEmail, answers, origin }) =>
      call({
        method: 'POST',
        path: `${link(slug)}/payments`,
        body: {
          ...(amount !== null && { amount }),
          ...(customerEmail && { customerEmail }),
          ...(Object.keys(answers).length > 0 && { customFields: answers }),
        },
        origin,
      }),
    selectOption: ({ paymentId, token, network, origin }) =>
      call({
        method: 'POST',
        path: `/v1/public/payments/${encodeURIComponent(paymentId)}/select`,
        body: { token, network },
        origin,
      }),
    ...customerCalls(call),
    readRefund: (token, origin) => get(`/v1/public/refunds/${encodeURIComponent(token)}`, origin),
    takeRefund: ({ paymentId, origin }) =>
      call({ method: 'POST', path: `/v1/public/payments/${encodeURIComponent(paymentId)}/refund`, origin }),
    claimRefund: ({ token, destinationAddress, signature, origin }) =>
      call({
        method: 'POST',
        path: `/v1/public/refunds/${encodeURIComponent(token)}/claim`,
        body: { destinationAddress, ...(signature !== undefined && { signature }) },
        origin,
      }),
    ...withoutCall(platform),
    ...buttons,
    logError: (error, origin) => platform.log(error, `a hosted page failed (${origin.requestId})`),
  });
}
