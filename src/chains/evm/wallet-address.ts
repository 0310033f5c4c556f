import { getAddress } from 'viem';

/** Whether it is the zero address, which no one has the key of: what is sent there is lost. */
export const isZeroAddress = (address: string): boolean => /^0x0{40}$/i.test(address);

/**
 * Whether a person may have meant this address: 0x and 40 hexadecimal digits, and, if their case is mixed, a right
 * EIP-55 checksum, so that a mistyped character is found.
 */
export function isWalletAddress(text: string): boolean {
  const [, digits] = /^0x([0-9a-fA-F]{40})$/.exec(text) ?? [];
  if (!digits) return false;
  const lower = digits.toLowerCase();
  return digits === lower || digits === digits.toUpperCase() || text === getAddress(`0x${lower}`);
}

/** An address in the spelling that carries its checksum (EIP-55). */
export const checksummed = (address: string): string => getAddress(address);
