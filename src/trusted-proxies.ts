import ipaddr from 'ipaddr.js';
import { isWholeAddress, isWholeRange } from './lib/network-address.ts';

/** Names that stand for the private addresses of a kind, as in front of a service on the same host or network. */
const NAMES = ['loopback', 'linklocal', 'uniquelocal'];
/** A wider range would trust strangers, who then name any address as theirs. */
const NARROWEST = { ipv4: 8, ipv6: 7 };

/**
 * Reads TRUST_PROXY: the addresses of the proxies that say in X-Forwarded-For who is calling, or `none`. Live must say
 * which: without its proxies all visitors share one address, and one of them could use up what all may try.
 */
export function readTrustedProxies(parts: readonly string[], live: boolean, problems: string[]): readonly string[] {
  if (parts.length === 0 && live) {
    problems.push(
      'TRUST_PROXY is missing: the addresses or networks of your reverse proxies, such as 10.0.0.0/8, or none if clients connect directly',
    );
  }
  if (parts.includes('none')) {
    if (parts.length > 1) problems.push('TRUST_PROXY says none and names proxies, too; it must be one of the two');
    return [];
  }
  problems.push(...parts.flatMap(faultOf));
  return parts;
}

function faultOf(part: string): string[] {
  if (NAMES.includes(part)) return [];
  const [address, bits] = isWholeRange(part)
    ? ipaddr.parseCIDR(part)
    : isWholeAddress(part)
      ? [ipaddr.parse(part), 128]
      : [];
  if (!address || bits === undefined) {
    return [`TRUST_PROXY names "${part}", which is neither an address nor a network such as 10.0.0.0/8, nor none`];
  }
  if (bits < NARROWEST[address.kind()])
    return [`TRUST_PROXY names ${part}, which is so wide that it trusts strangers; name only your own proxies`];
  return [];
}
