import ipaddr from 'ipaddr.js';
import { invalidField } from '../lib/errors.ts';

/** Addresses and CIDR ranges as they will be stored, each once. Throws VALIDATION_ERROR that names the one that is neither. */
export function parseAllowedIps(texts: readonly string[]): string[] {
  return [...new Set(texts.map((text, index) => normalise(text, `allowedIps.${index}`)))];
}

function normalise(text: string, path: string): string {
  if (text.includes('/')) {
    if (!ipaddr.isValidCIDR(text)) throw invalidField(path, 'must be a range like 203.0.113.0/24 or 2001:db8::/48');
    const [address, bits] = ipaddr.parseCIDR(text);
    return `${address.toString()}/${bits}`;
  }
  // Four numbers: in shorter forms, and in octal or hex ones, people mean different addresses.
  if (!ipaddr.IPv4.isValidFourPartDecimal(text) && !ipaddr.IPv6.isValid(text)) {
    throw invalidField(path, 'must be an address like 203.0.113.7 or 2001:db8::1, or a range of them');
  }
  return ipaddr.process(text).toString();
}

/** Whether `ip` is one of the allowed addresses or in one of the ranges; without any, every address is. IPv4 inside IPv6 counts as IPv4. */
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
