import { doubled, MINUTE_MS, monotonicMs, SECOND_MS } from '../lib/clock.ts';
import type { Network } from '../ports/chain.ts';
import type { EndpointProblem, EndpointTrouble } from '../ports/chain-kind.ts';
import { authorizationOf } from './authorization.ts';
import { CALL_WITHIN_MS, createJsonRpc, EndpointError, NodeRefusal, type RpcRequest } from './json-rpc.ts';

/** A network whose chain is asked by JSON-RPC. A URL may hold `user:password`. */
export type NetworkOfEndpoints = Pick<Network, 'name' | 'batchMax'> & {
  /** The endpoint that is asked first. */
  readonly rpcUrl: string;
  /** Of other providers, which are asked when the first one fails, and for a second opinion. */
  readonly otherRpcUrls?: readonly string[];
  /** A file that a node on this machine writes `user:password` into; for URLs that hold none. */
  readonly cookieFile?: string;
};

/** One place where a network's chain can be asked, and what this process knows of its health. */
export type Endpoint = {
  /** Its host: the rest of its URL may be a secret. */
  readonly name: string;
  /** Calls to it alone; what becomes of them is noted. */
  readonly open: (options?: CallOptions) => RpcRequest;
  /** Notes what it did wrong, beyond what its calls show by themselves. */
  readonly blame: (problem: EndpointProblem, message: string) => void;
  /** It was found to be as it should be, whatever it was blamed for. */
  readonly acquit: () => void;
  /** What is worth telling. */
  readonly trouble: () => EndpointTrouble | null;
  /** Whether the last that is known of it was good. */
  readonly isWell: () => boolean;
  /** How long it should be left alone; 0: it can be asked now. */
  readonly restsMs: () => number;
  /** Calls that this process has made to it, and those of them that it failed; what a node refuses it has answered. */
  readonly counted: { calls: number; errors: number };
};

export type CallOptions = { readonly timeoutMs?: number; readonly batchMax?: number };

/** All endpoints of a network, the preferred one first. */
export type Endpoints = {
  readonly all: readonly Endpoint[];
  /** The one to ask now: `current` while it is well, so that the view does not change without need. */
  readonly pick: (current?: Endpoint) => Endpoint;
  /** The one to ask after `failed` has failed a piece of work: the next one in turn that can be asked, if any. */
  readonly pickAfter: (failed: Endpoint) => Endpoint;
};

/** Calls in flight together fail together: that is one failure. */
const TOGETHER_MS = 50;
/** The first rest after a failure, doubled with each that follows, and its end. */
const RESTS: Readonly<Record<EndpointProblem, { readonly firstMs: number; readonly maxMs: number }>> = {
  unreachable: { firstMs: 500, maxMs: 30 * SECOND_MS },
  malformed: { firstMs: 500, maxMs: 30 * SECOND_MS },
  throttled: { firstMs: SECOND_MS, maxMs: MINUTE_MS },
  behind: { firstMs: 5 * SECOND_MS, maxMs: 30 * SECOND_MS },
  contradicts: { firstMs: 5 * SECOND_MS, maxMs: MINUTE_MS },
  foreign: { firstMs: 30 * SECOND_MS, maxMs: 5 * MINUTE_MS },
};
/** What passes with the next answer. */
const PASSING = new Set<EndpointProblem>(['unreachable', 'malformed', 'throttled']);
/** What is worth telling only when it happens again. */
const MINOR = new Set<EndpointProblem>(['unreachable', 'malformed', 'behind']);
const TOLD_FROM = 2;
/** What an endpoint was blamed for is forgotten once it has done its part for so long. */
const FORGIVEN_AFTER_MS = 30 * SECOND_MS;
/** Whoever asks nothing for so long is between two pieces of work, and may change the endpoint. */
const PAUSE_MS = 400;

const pools = new WeakMap<NetworkOfEndpoints, { readonly urls: string; readonly endpoints: Endpoints }>();

/** The endpoints of a network; all that ask for the same network share what they know of them. */
export function endpointsOf(network: NetworkOfEndpoints): Endpoints {
  const listed = [network.rpcUrl, ...(network.otherRpcUrls ?? [])];
  const [urls, found] = [listed.join(' '), pools.get(network)];
  if (found?.urls === urls) return found.endpoints;
  const all = listed.map((url) => openEndpoint(network, url));
  const [first] = all as [Endpoint, ...Endpoint[]];
  const isReady = (endpoint: Endpoint): boolean => endpoint.restsMs() === 0;
  const pick: Endpoints['pick'] = (current) => {
    if (current !== undefined && isReady(current)) return current;
    const soonest = all.reduce((best, each) => (each.restsMs() < best.restsMs() ? each : best), first);
    return all.find(isReady) ?? soonest;
  };
  const endpoints: Endpoints = {
    all,
    pick,
    // Its rest does not tell: one that fails a single method is well again with its next answer to another one.
    pickAfter: (failed) => {
      const at = all.indexOf(failed);
      const others = [...all.slice(at + 1), ...all.slice(0, at)];
      return others.find(isReady) ?? pick(failed);
    },
  };
  pools.set(network, { urls, endpoints });
  return endpoints;
}

/** What this process has asked the endpoints of a network; none where it is not asked by JSON-RPC. */
export const countCalls = (network: Network) =>
  'rpcUrl' in network
    ? endpointsOf(network as NetworkOfEndpoints).all.map(({ name, counted }) => ({ endpoint: name, ...counted }))
    : [];

/**
 * Calls to one endpoint at a time. After a failure the next call goes to another one, and so does the first call after
 * a pause: within a piece of work the view never changes unless a call of it has failed.
 */
export function createStickyRequest(network: NetworkOfEndpoints, options: CallOptions = {}): RpcRequest {
  const endpoints = endpointsOf(network);
  const requests = new Map(endpoints.all.map((endpoint) => [endpoint, endpoint.open(options)]));
  let current = endpoints.pick();
  let [failed, askedAtMs] = [false, Number.NEGATIVE_INFINITY];
  return async <T>(method: string, params: readonly unknown[]) => {
    if (failed) current = endpoints.pickAfter(current);
    else if (monotonicMs() - askedAtMs > PAUSE_MS) current = endpoints.pick(current);
    failed = false;
    try {
      askedAtMs = monotonicMs();
      return await (requests.get(current) as RpcRequest)<T>(method, params);
    } catch (error) {
      if (error instanceof EndpointError) failed = true;
      throw error;
    } finally {
      askedAtMs = monotonicMs();
    }
  };
}

function openEndpoint(network: NetworkOfEndpoints, url: string): Endpoint {
  const name = hostOf(url);
  const health = createHealth();
  const authorize = authorizationOf(url, network.cookieFile);
  const counted = { calls: 0, errors: 0 };
  return {
    name,
    counted,
    ...health,
    open: ({ timeoutMs = CALL_WITHIN_MS, batchMax = network.batchMax } = {}) => {
      const call = createJsonRpc({ url, name, timeoutMs, batchMax, authorize });
      return async <T>(method: string, params: readonly unknown[]) => {
        try {
          health.requireAwake();
          counted.calls += 1;
          const result = await call<T>(method, params);
          health.answered();
          return result;
        } catch (error) {
          if (error instanceof EndpointError) counted.errors += 1;
          throw health.failed(error, `${network.name}: ${method} failed: `);
        }
      };
    },
  };
}

/** What several calls to an endpoint together show of it. */
function createHealth() {
  type Ill = EndpointTrouble & { readonly failures: number; readonly notedAtMs: number; readonly untilMs: number };
  let ill: Ill | null = null;
  const restsMs = (): number => (ill === null ? 0 : Math.max(0, ill.untilMs - monotonicMs()));
  const note = (problem: EndpointProblem, message: string, retryAfterMs?: number): void => {
    const now = monotonicMs();
    // What it is blamed for weighs more than what passes with its next answer.
    if (ill !== null && !PASSING.has(ill.problem) && PASSING.has(problem) && restsMs() > 0) return;
    const again = ill !== null && now - ill.notedAtMs < TOGETHER_MS && ill.problem === problem;
    const failures = (ill?.failures ?? 0) + (again ? 0 : 1);
    const { firstMs, maxMs } = RESTS[problem];
    const rest = retryAfterMs ?? doubled(firstMs, failures - 1, maxMs);
    ill = { problem, message, failures, notedAtMs: now, untilMs: now + rest };
  };
  return {
    restsMs,
    isWell: () => ill === null,
    blame: (problem: EndpointProblem, message: string) => note(problem, message),
    acquit: (): void => {
      ill = null;
    },
    trouble: (): EndpointTrouble | null => {
      if (ill === null || (MINOR.has(ill.problem) && ill.failures < TOLD_FROM)) return null;
      return { problem: ill.problem, message: ill.message };
    },
    /** An endpoint that counts our calls is not asked while it wants none: each call would make it worse. */
    requireAwake: (): void => {
      const rest = restsMs();
      if (ill?.problem !== 'throttled' || rest === 0) return;
      throw new EndpointError('throttled', ill.message, rest);
    },
    answered: (): void => {
      if (ill === null || ill.problem === 'foreign') return;
      if (PASSING.has(ill.problem) || monotonicMs() - ill.untilMs > FORGIVEN_AFTER_MS) ill = null;
    },
    /** The same error with the network and the method in its message. */
    failed: (error: unknown, prefix: string): Error => {
      if (error instanceof NodeRefusal) return new NodeRefusal(prefix + error.message, error.code, error.data);
      if (!(error instanceof EndpointError)) return error as Error;
      const { problem, message, retryAfterMs } = error;
      if (!(problem === 'throttled' && restsMs() > 0)) note(problem, message, retryAfterMs);
      return new EndpointError(problem, prefix + message, retryAfterMs);
    },
  };
}

/** The name of an endpoint in messages: its host, because the rest of its URL may hold a key. */
export const hostOf = (url: string): string => URL.parse(url)?.host ?? 'the endpoint';
