import ipaddr from 'ipaddr.js';

type Address = ipaddr.IPv4 | ipaddr.IPv6;
type Cidr = ReturnType<typeof ipaddr.parseCIDR>;

/** Says whether we may connect to an IP address, given as text. */
export type AddressPolicy = (address: string) => boolean;

export type AddressOptions = {
  /** This machine itself may be called: for the sandbox. */
  readonly allowLoopback: boolean;
  /** Networks that may be called although they are not public, as `10.0.0.0/8`. */
  readonly allowedPrivateCidrs: readonly string[];
};

/** The address inside Azure's machines that answers with their secrets; it lies in a public range. */
const AZURE_WIRE_SERVER = '168.63.129.16';

/**
 * Lets public unicast addresses through, and what the options add. An IPv4 address written inside an IPv6 one counts as what it is.
 * Throws when one of the CIDRs is none.
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
  // ::/96 once carried IPv4 addresses (RFC 4291, 2.5.5.1): ::7f00:1 may end at 127.0.0.1.
  return (address as ipaddr.IPv6).parts.slice(0, 6).some((part) => part !== 0);
}

const isInside = (address: Address, cidr: Cidr): boolean =>
  address.kind() === cidr[0].kind() && (address as ipaddr.IPv4).match(cidr as [ipaddr.IPv4, number]);
