import { type Address, type Hex, hexToBytes, keccak256 } from 'viem';
import { FORWARDER_INIT_CODE_HASH } from '../../../generated/contracts.ts';

const saltBytes = (paymentId: string): Uint8Array => keccak256(Buffer.from(paymentId, 'utf8'), 'bytes');

/** The CREATE2 salt of a payment: keccak256 of its id in UTF-8. */
export const depositSalt = (paymentId: string): Hex => `0x${Buffer.from(saltBytes(paymentId)).toString('hex')}`;

const INIT_CODE_HASH = hexToBytes(FORWARDER_INIT_CODE_HASH);
const CREATE2_PREFIX = new Uint8Array([0xff]);
const ADDRESS_BYTES = 20;

/**
 * The deposit address of a payment under `factory`, checksummed (EIP-55), computed without the chain (EIP-1014). It is
 * the same on every EVM network, because the factory and the forwarder's init code are.
 * See decision chains/evm/one-factory.
 *
 * viem's own way goes by texts, and keeps the last eight thousand addresses: it takes twice as long.
 */
export function depositAddress(factory: Address, paymentId: string): Address {
  const from = Buffer.from(factory.slice(2), 'hex');
  const hash = keccak256(Buffer.concat([CREATE2_PREFIX, from, saltBytes(paymentId), INIT_CODE_HASH]), 'bytes');
  return withChecksum(Buffer.from(hash.subarray(-ADDRESS_BYTES)).toString('hex'));
}

/** A letter is a capital one where the hash of the digits has a nibble of 8 or more. */
function withChecksum(digits: string): Address {
  const hash = keccak256(Buffer.from(digits, 'ascii'), 'bytes');
  let text = '';
  for (let at = 0; at < digits.length; at += 1) {
    const byte = hash[at >> 1] as number;
    const digit = digits.charAt(at);
    text += (at % 2 === 0 ? byte >> 4 : byte & 0x0f) >= 8 ? digit.toUpperCase() : digit;
  }
  return `0x${text}`;
}
