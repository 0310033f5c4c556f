import { type Address, checksumAddress, type Hex, keccak256, stringToBytes } from 'viem';
import { FORWARDER_INIT_CODE_HASH } from '../../../generated/contracts.ts';

/** The CREATE2 salt of a payment: keccak256 of its id in UTF-8. */
export const depositSalt = (paymentId: string): Hex => keccak256(stringToBytes(paymentId));

const INIT_CODE_HASH = Buffer.from(FORWARDER_INIT_CODE_HASH.slice(2), 'hex');

/**
 * The deposit address of a payment under `factory`, checksummed (EIP-55), computed without the chain (EIP-1014). It is
 * the same on every EVM network, because the factory and the forwarder's init code are. Not by viem's
 * `getCreate2Address`, which takes as long as the three hashes again: it looks at each part as hex. Nor by its
 * `getAddress`, which would ask whether it is an address. See decision chains/evm/one-factory.
 */
export function depositAddress(factory: Address, paymentId: string): Address {
  const from = Buffer.from(`ff${factory.slice(2)}`, 'hex');
  const salt = keccak256(stringToBytes(paymentId), 'bytes');
  const hash = Buffer.from(keccak256(Buffer.concat([from, salt, INIT_CODE_HASH]), 'bytes'));
  return checksumAddress(`0x${hash.toString('hex', 12)}`);
}
