import { type Address, getCreate2Address, type Hex, keccak256, stringToBytes } from 'viem';
import { FORWARDER_INIT_CODE_HASH } from '../../../generated/contracts.ts';

/** The CREATE2 salt of a payment: keccak256 of its id in UTF-8. */
export const depositSalt = (paymentId: string): Hex => keccak256(stringToBytes(paymentId));

/**
 * The deposit address of a payment under `factory`, checksummed (EIP-55), computed without the chain (EIP-1014). It is
 * the same on every EVM network, because the factory and the forwarder's init code are.
 * See decision chains/evm/one-factory.
 */
export function depositAddress(factory: Address, paymentId: string): Address {
  return getCreate2Address({
    from: factory,
    salt: depositSalt(paymentId),
    bytecodeHash: FORWARDER_INIT_CODE_HASH,
  });
}
