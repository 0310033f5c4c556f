import ipaddr from 'ipaddr.js';
import { invalidField } from '../lib/errors.ts';
import { isWholeAddress, isWholeRange } from '../lib/network-address.ts';

/**
 * Addresses and CIDR ranges, normalised and without duplicates. Throws a VALIDATION_ERROR that names an invalid one.
 */
export function parseAllowedIps(texts: readonly string[]): string[] {
  return [...new Set(texts.map((text, index) => normalise(text, `allowedIps.${index}`)))];
}

/** How many bits come before the IPv4 address in an IPv6 address that has one. */
const MAPPED_BITS = 96;

function normalise(text: string, path: string): string {
  if (text.includes('/')) {
    if (!isWholeRange(text)) throw invalidField(path, 'must be a range like 203.0.113.0/24 or 2001:db8::/48');
    const [address, bits] = ipaddr.parseCIDR(text);
    // Who asks is known by the IPv4 address alone.
    const known = ipaddr.process(address.toString());
    return known.kind() !== address.kind() && bits >= MAPPED_BITS
      ? `${known.toString()}/${bits - MAPPED_BITS}`
      : `${address.toString()}/${bits}`;
  }
  if (!isWholeAddress(text)) {
    throw invalidField(path, 'must be an address like 203.0.113.7 or 2001:db8::1, or a range of them');
  }
  return ipaddr.process(text).toString();
}

/** Whether `ip` is an allowed address or in an allowed range; an empty list allows all. IPv4 in IPv6 counts as IPv4. */
export function isAllowed(allowed: readonly string[], ip: string): boolean {
  if (allowed.length === 0) return true;
  if (!ipaddr.isValid(ip)) return false;
  const address = ipaddr.process(ip);
  return allowed.some((text) => {
    if (!text.includes('/')) return address.toString() === text;
    const range = ipaddr.parseCIDR(text);
    return range[0].kind() === address.kind() && address.match(range);
  });
}
