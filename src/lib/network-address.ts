import ipaddr from 'ipaddr.js';

/**
 * The key of one visitor in throttles and limits: an IPv4 address, or the /64 of an IPv6 address, because providers
 * give each customer at least a /64. An IPv4-mapped IPv6 address counts as IPv4. A port that a proxy has added does not
 * count. All text that is no address is one visitor: else each forged header would be another.
 */
export function addressKey(ip: string): string {
  const text = withoutPort(ip);
  if (!ipaddr.isValid(text)) return 'unknown';
  const address = ipaddr.process(text);
  if (address.kind() === 'ipv4') return address.toString();
  return `${new ipaddr.IPv6([...(address as ipaddr.IPv6).parts.slice(0, 4), 0, 0, 0, 0]).toString()}/64`;
}

const withoutPort = (text: string): string =>
  text.replace(/^(\d+(?:\.\d+){3}):\d{1,5}$/, '$1').replace(/^\[([0-9a-f:.]+)\](?::\d{1,5})?$/i, '$1');

const PRIVATE_RANGES: ReadonlySet<string> = new Set(['loopback', 'private', 'uniqueLocal', 'linkLocal']);

/**
 * Whether a host of a URL can only be on this machine or in a private network: a loopback or private address, or a name
 * of one label, which no public host has.
 */
export function isPrivateHost(hostname: string): boolean {
  const text = hostname.replace(/^\[|\]$/g, '');
  if (ipaddr.isValid(text)) return PRIVATE_RANGES.has(ipaddr.process(text).range());
  return /^[a-z0-9_-]+$/i.test(text);
}

/**
 * Whether a text is an address in full: four decimal numbers, or IPv6. Shorter, octal and hex forms are read
 * differently by different programs: `192.168` is 192.0.0.168, and `010.0.0.0` is 8.0.0.0.
 */
export const isWholeAddress = (text: string): boolean =>
  text.includes(':') ? ipaddr.IPv6.isValid(text) : ipaddr.IPv4.isValidFourPartDecimal(text);

/** Whether a text is a range whose address is written in full. */
export const isWholeRange = (text: string): boolean =>
  ipaddr.isValidCIDR(text) && isWholeAddress(text.slice(0, text.indexOf('/')));
