import ipaddr from 'ipaddr.js';

/**
 * What stands for one visitor in throttles and limits: the address itself, or for IPv6 its /64, because a single customer of a
 * provider owns at least that much. An IPv4 address inside an IPv6 one counts as IPv4. What is no address stays as it is.
 */
export function addressKey(ip: string): string {
  if (!ipaddr.isValid(ip)) return ip;
  const address = ipaddr.process(ip);
  if (address.kind() === 'ipv4') return address.toString();
  return `${new ipaddr.IPv6([...(address as ipaddr.IPv6).parts.slice(0, 4), 0, 0, 0, 0]).toString()}/64`;
}
