import ipaddr from 'ipaddr.js';

/**
 * The key of one visitor in throttles and limits: an IPv4 address, or the /64 of an IPv6 address, because providers
 * give each customer at least a /64. An IPv4-mapped IPv6 address counts as IPv4. Text that is no address is returned
 * unchanged.
 */
export function addressKey(ip: string): string {
  if (!ipaddr.isValid(ip)) return ip;
  const address = ipaddr.process(ip);
  if (address.kind() === 'ipv4') return address.toString();
  return `${new ipaddr.IPv6([...(address as ipaddr.IPv6).parts.slice(0, 4), 0, 0, 0, 0]).toString()}/64`;
}
