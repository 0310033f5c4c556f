import { lookup, Resolver } from 'node:dns/promises';
import { isIPv6, type LookupFunction } from 'node:net';
import type { AddressPolicy } from './address.ts';

/** Why a request got no answer. */
export type OutboundFailure = 'blocked_address' | 'dns_failed' | 'connection_failed' | 'tls_failed' | 'timeout';

/** A refusal of the guard. It passes through the HTTP library to the caller. */
export class OutboundError extends Error {
  readonly failure: OutboundFailure;

  constructor(failure: OutboundFailure, message: string, cause?: unknown) {
    super(message, { cause });
    this.name = 'OutboundError';
    this.failure = failure;
  }
}

/** All IP addresses of a name. Throws or returns an empty list when it has none. */
export type Resolve = (hostname: string) => Promise<readonly string[]>;

const DNS_TIMEOUT_MS = 1500;
const DNS_ATTEMPTS = 2;

/**
 * Asks name servers directly: `servers`, or else those of the machine. Ignores /etc/hosts. Does not use `dns.lookup`,
 * because that runs in libuv's thread pool: four names with dead servers would fill the pool and block everything else
 * in it, including password hashing.
 */
export function createNameServerResolve(servers?: readonly string[]): Resolve {
  const resolver = new Resolver({ timeout: DNS_TIMEOUT_MS, tries: DNS_ATTEMPTS });
  if (servers) resolver.setServers(servers);
  return async (hostname) => {
    const answers = await Promise.allSettled([resolver.resolve4(hostname), resolver.resolve6(hostname)]);
    return answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []));
  };
}

/** Resolves names as every program on this machine does, including /etc/hosts; for the sandbox. */
export const resolveAsSystem: Resolve = async (hostname) =>
  (await lookup(hostname, { all: true })).map(({ address }) => address);

/**
 * The `lookup` of a connection. Resolves a name once, refuses it when any of its addresses is not allowed, and gives
 * the connection exactly the addresses that were checked. There is no second resolution whose answer could differ (DNS
 * rebinding).
 */
export function createGuardedLookup(resolve: Resolve, isAllowed: AddressPolicy): LookupFunction {
  const resolveAllowed = async (hostname: string): Promise<{ address: string; family: number }[]> => {
    const addresses = await resolve(hostname).catch((error: unknown) => {
      throw new OutboundError('dns_failed', `${hostname} could not be resolved`, error);
    });
    if (addresses.length === 0) throw new OutboundError('dns_failed', `${hostname} has no address`);
    const blocked = addresses.find((address) => !isAllowed(address));
    if (blocked) throw new OutboundError('blocked_address', `${hostname} resolves to ${blocked}`);
    return addresses.map((address) => ({ address, family: isIPv6(address) ? 6 : 4 }));
  };
  return (hostname, options, callback) => {
    resolveAllowed(hostname).then(
      (found) => {
        const first = found[0] as { address: string; family: number };
        if (options.all) callback(null, found);
        else callback(null, first.address, first.family);
      },
      (error: Error) => callback(error, [], 0),
    );
  };
}
