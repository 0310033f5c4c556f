import ipaddr from 'ipaddr.js';
import { isWholeRange } from '../lib/network-address.ts';

type Address = ipaddr.IPv4 | ipaddr.IPv6;
type Cidr = ReturnType<typeof ipaddr.parseCIDR>;

/** Decides whether we may connect to an IP address, given as text. */
export type AddressPolicy = (address: string) => boolean;

export type AddressOptions = {
  /** Allows this machine itself, for the sandbox. */
  readonly allowLoopback: boolean;
  /** Networks that are allowed although they are not public, for example `10.0.0.0/8`. */
  readonly allowedPrivateCidrs: readonly string[];
};

/** Reads WEBHOOK_ALLOWED_PRIVATE_CIDRS: `10/8` would be read as 0.0.0.0/8, which is this machine. */
export function readAllowedCidrs(parts: readonly string[], problems: string[]): readonly string[] {
  for (const part of parts.filter((each) => !isWholeRange(each)))
    problems.push(`WEBHOOK_ALLOWED_PRIVATE_CIDRS names "${part}", which is no network such as 10.0.0.0/8`);
  return parts;
}

/** Answers machines inside Azure with their secrets, although it is in a public range. */
const AZURE_WIRE_SERVER = '168.63.129.16';

/** The first three bits of every public IPv6 address (RFC 4291, 2.5.4; IANA): 2000::/3. */
const GLOBAL_UNICAST = 0b001;

/**
 * Allows public unicast addresses and whatever the options add. An IPv4 address embedded in an IPv6 address is judged
 * as the IPv4 address. Throws when one of the CIDRs is invalid.
 */
export function createAddressPolicy(options: AddressOptions): AddressPolicy {
  const allowed = options.allowedPrivateCidrs.map((cidr) => ipaddr.parseCIDR(cidr));
  return (text) => {
    if (!ipaddr.isValid(text)) return false;
    const address = ipaddr.process(text);
    if (isPublic(address)) return true;
    if (options.allowLoopback && address.range() === 'loopback') return true;
    return allowed.some((cidr) => isInside(address, cidr));
  };
}

function isPublic(address: Address): boolean {
  if (address.range() !== 'unicast') return false;
  if (address.kind() === 'ipv4') return address.toString() !== AZURE_WIRE_SERVER;
  // Of all others none is public: they are reserved, or not given out. ::7f00:1 once meant 127.0.0.1.
  return ((address as ipaddr.IPv6).parts[0] ?? 0) >> 13 === GLOBAL_UNICAST;
}

const isInside = (address: Address, cidr: Cidr): boolean =>
  address.kind() === cidr[0].kind() && (address as ipaddr.IPv4).match(cidr as [ipaddr.IPv4, number]);
