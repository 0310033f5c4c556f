import {
  type Address,
  BaseError,
  ContractFunctionZeroDataError,
  type Hex,
  hashMessage,
  isAddressEqual,
  recoverAddress,
} from 'viem';
import { readContract } from 'viem/actions';
import type { IsSigned } from '../../ports/chain.ts';
import { hasCode, isReverted, openNetworkReader, type Reader } from './client.ts';
import type { EvmNetwork } from './network.ts';

const ERC1271 = [
  {
    type: 'function',
    name: 'isValidSignature',
    stateMutability: 'view',
    inputs: [{ type: 'bytes32' }, { type: 'bytes' }],
    outputs: [{ type: 'bytes4' }],
  },
] as const;
const ERC1271_YES = '0x1626ba7e';

/** 65 bytes: r, s, and v of 27 or 28. */
const KEY_SIGNATURE = /^0x[0-9a-f]{128}(1b|1c)$/i;
const S_START = 2 + 64;
const HALF_ORDER = 0x7fffffffffffffffffffffffffffffff5d576e7357a4501ddfe92f46681b20a0n;

/**
 * A signature as contracts take it: some wallets, hardware ones among them, give 0 or 1 where the chain wants 27
 * or 28. Anything else comes back as it is.
 */
export function normalizeSignature(signature: Hex): Hex {
  if (!/^0x[0-9a-f]{128}0[01]$/i.test(signature)) return signature;
  return `${signature.slice(0, -2)}${signature.endsWith('0') ? '1b' : '1c'}` as Hex;
}

/**
 * Whether an account has signed a digest at present: its key has, or else its code says so (ERC-1271). Only in the
 * second case is the node asked; rejects when it does not answer. See decision chains/evm/key-before-code.
 */
export async function isSignedBy(reader: Reader, account: Address, digest: Hex, signature: Hex): Promise<boolean> {
  if (await isSignedByKey(account, digest, signature)) return true;
  if (!(await hasCode(reader, account))) return false;
  try {
    const question = { address: account, abi: ERC1271, functionName: 'isValidSignature' } as const;
    return (await readContract(reader, { ...question, args: [digest, signature] })) === ERC1271_YES;
  } catch (error) {
    // Code that reverts, or answers nothing or something else, says no; a node that does not answer says nothing.
    if (isReverted(error) || isOddAnswer(error)) return false;
    throw error;
  }
}

/** Whether the key of an account has signed a digest, in the only form that contracts take. Asks no node. */
export async function isSignedByKey(account: Address, hash: Hex, signature: Hex): Promise<boolean> {
  if (!KEY_SIGNATURE.test(signature)) return false;
  // The collector refuses the other of the two signatures that a key could give.
  if (BigInt(`0x${signature.slice(S_START, S_START + 64)}`) > HALF_ORDER) return false;
  try {
    return isAddressEqual(await recoverAddress({ hash, signature }), account);
  } catch {
    return false;
  }
}

const ODD_ANSWERS = /^(AbiDecoding|PositionOutOfBounds|InvalidBytes)/;

function isOddAnswer(error: unknown): boolean {
  if (!(error instanceof BaseError)) return false;
  return (
    error.walk((cause) => cause instanceof ContractFunctionZeroDataError || ODD_ANSWERS.test((cause as Error).name)) !==
    null
  );
}

/** Who has signed a text on an EVM network, as wallets sign texts for people (EIP-191). */
export function openEvmSignatures(network: EvmNetwork): IsSigned {
  const reader = openNetworkReader(network);
  return async ({ account, message, signature }) =>
    isSignedBy(reader, account as Address, hashMessage(message), normalizeSignature(signature.toLowerCase() as Hex));
}
