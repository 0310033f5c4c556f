import { openAgent } from '../lib/http-agent.ts';
import { telling, WORK } from '../lib/work.ts';
import { createAddressPolicy } from './address.ts';
import { ask, type OutboundRequest, type OutboundResult } from './exchange.ts';
import { createGuardedLookup, createNameServerResolve, type Resolve, resolveAsSystem } from './lookup.ts';
import { parseTarget } from './url.ts';

const CONNECT_TIMEOUT_MS = 5000;
/** Node's default of 250 ms for all but the last address of a name is too short for distant hosts. */
const ADDRESS_TIMEOUT_MS = 1500;
const JSON_TIMEOUT_MS = 10_000;

export type OutboundConfig = {
  /** Allows http, any port and this machine itself. */
  readonly sandbox: boolean;
  /** Networks that are allowed although they are not public (`WEBHOOK_ALLOWED_PRIVATE_CIDRS`). */
  readonly allowedPrivateCidrs: readonly string[];
  /** How to resolve names. Default: the machine's way in the sandbox, name servers otherwise. */
  readonly resolve?: Resolve;
};

/** HTTP to addresses that others gave us. Only public addresses can be reached through it. */
export type Outbound = {
  /**
   * What is wrong with a URL, as a sentence for its author; undefined when nothing is. Uses no network: names are
   * resolved by `send`.
   */
  readonly checkUrl: (url: string) => string | undefined;
  /**
   * Sends one request after checking the URL and every address again. Never throws, follows no redirect, reads at most
   * 64 KiB.
   */
  readonly send: (request: OutboundRequest) => Promise<OutboundResult>;
  /**
   * GETs a URL and parses the answer as JSON; rejects for anything but a 2xx with JSON of at most 64 KiB within 10 s.
   */
  readonly fetchJson: (url: string) => Promise<unknown>;
  /** Closes every connection. */
  readonly close: () => Promise<void>;
};

/** Throws when one of the CIDRs is invalid. */
export function createOutbound(config: OutboundConfig): Outbound {
  const { sandbox, allowedPrivateCidrs } = config;
  const isAllowed = createAddressPolicy({ allowLoopback: sandbox, allowedPrivateCidrs });
  const resolve = config.resolve ?? (sandbox ? resolveAsSystem : createNameServerResolve());
  const agent = openAgent({
    // For a literal address there is no lookup, so parseTarget checks those.
    connect: {
      lookup: createGuardedLookup(resolve, isAllowed),
      timeout: CONNECT_TIMEOUT_MS,
      autoSelectFamilyAttemptTimeout: ADDRESS_TIMEOUT_MS,
    },
    allowH2: false,
  });
  const send = async (request: OutboundRequest): Promise<OutboundResult> => {
    const { url, problem } = parseTarget(request.url, { sandbox, isAllowed });
    if (problem !== undefined) return { kind: 'failure', failure: 'blocked_address', message: problem, durationMs: 0 };
    return telling(
      WORK.call,
      () => ({ method: request.method, ...placeOf(url), webhookId: request.headers['webhook-id'] }),
      () => ask(agent, url, request),
    );
  };
  return {
    checkUrl: (url) => parseTarget(url, { sandbox, isAllowed }).problem,
    send,
    fetchJson: async (url) => {
      const headers = { accept: 'application/json', 'user-agent': 'Kasi/1' };
      return readJson(await send({ method: 'GET', url, headers, timeoutMs: JSON_TIMEOUT_MS }));
    },
    close: () => agent.destroy(),
  };
}

/** Without its path, which may hold a secret. */
const placeOf = ({ host, protocol }: URL) => ({ host, scheme: protocol.slice(0, -1) });

function readJson(result: OutboundResult): unknown {
  if (result.kind === 'failure') throw new Error(`${result.failure}: ${result.message}`);
  const { statusCode, body, cut } = result;
  if (statusCode < 200 || statusCode > 299) throw new Error(`the answer has status ${statusCode}`);
  if (cut) throw new Error('the answer is longer than 64 KiB or did not end in time');
  return JSON.parse(body.toString('utf8'));
}
