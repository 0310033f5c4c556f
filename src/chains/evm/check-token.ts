import {
  type Address,
  BaseError,
  decodeFunctionResult,
  domainSeparator,
  ExecutionRevertedError,
  encodeFunctionData,
  getAddress,
  parseAbi,
} from 'viem';
import { call, getChainId, getCode } from 'viem/actions';
import type { Reader } from './client.ts';
import type { EvmToken } from './network.ts';

const ABI = parseAbi([
  'function decimals() view returns (uint8)',
  'function symbol() view returns (string)',
  'function DOMAIN_SEPARATOR() view returns (bytes32)',
  'function authorizationState(address authorizer, bytes32 nonce) view returns (bool)',
  'function nonces(address owner) view returns (uint256)',
]);
/** A symbol of a contract may be any text of any length. */
const SHOWN_MAX = 32;

/** How issuers' own contracts spell our tokens. See decision chains/evm/token-symbols. */
const SPELLINGS: Readonly<Record<EvmToken['symbol'], readonly string[]>> = {
  USDT: ['USDT', 'USDt', 'USD₮', 'USDT0', 'USD₮0'],
  USDC: ['USDC'],
};

/** Whether a contract that calls itself this is the token: as issuers spell it, or exactly as the file says. */
export const isSymbolOf = ({ symbol, onChainSymbol }: EvmToken, onChain: string): boolean =>
  onChainSymbol === undefined ? SPELLINGS[symbol].includes(onChain) : onChain === onChainSymbol;

/**
 * Throws one sentence with its cure unless there is a contract at the token's address that has its decimals and its
 * symbol: wrong decimals make every amount wrong by powers of ten, and a wrong address loses every payment.
 */
export async function checkToken(reader: Reader, token: EvmToken): Promise<void> {
  const { symbol, decimals } = token;
  const address = getAddress(token.contract);
  const code = await getCode(reader, { address });
  if (code === undefined || code === '0x') {
    throw new Error(`there is no contract at ${address}, the address of ${symbol}: correct it in KASI_NETWORKS.`);
  }
  const found = await ask(reader, address, 'decimals');
  if (found !== decimals) {
    const said = found === undefined ? 'does not say its decimals' : `has ${found} decimals, not ${decimals}`;
    throw new Error(`the contract ${address} of ${symbol} ${said}: correct KASI_NETWORKS.`);
  }
  await checkAuthorization(reader, token, address);
  await checkPermit(reader, token, address);
  const named = await ask(reader, address, 'symbol');
  if (typeof named === 'string' && isSymbolOf(token, named)) return;
  const said =
    typeof named === 'string' ? `calls itself ${JSON.stringify(named.slice(0, SHOWN_MAX))}` : 'has no symbol';
  const cure =
    token.onChainSymbol === undefined
      ? 'correct the address, or, if it is the right contract, say so by onChainSymbol of this token'
      : 'correct the address or onChainSymbol';
  throw new Error(`the contract ${address} of ${symbol} ${said}: ${cure} in KASI_NETWORKS.`);
}

/** Throws unless what payers would sign is what the contract takes: each signature would be refused otherwise. */
async function checkAuthorization(reader: Reader, token: EvmToken, address: Address): Promise<void> {
  const { symbol, authorization } = token;
  if (authorization === undefined) return;
  const chainId = await getChainId(reader);
  const expected = domainSeparator({ domain: { ...authorization, chainId, verifyingContract: address } });
  const found = await ask(reader, address, 'DOMAIN_SEPARATOR');
  const state = await ask(reader, address, 'authorizationState', [address, expected]);
  if (found === expected && typeof state === 'boolean') return;
  const said = typeof state === 'boolean' ? 'has another name or version' : 'takes no signed transfers (ERC-3009)';
  throw new Error(
    `the contract ${address} of ${symbol} ${said}: correct "authorization" of this token in KASI_NETWORKS, or take it out.`,
  );
}

/** The same of allowances (ERC-2612). */
async function checkPermit(reader: Reader, { symbol, permit }: EvmToken, address: Address): Promise<void> {
  if (permit === undefined) return;
  const chainId = await getChainId(reader);
  const expected = domainSeparator({ domain: { ...permit, chainId, verifyingContract: address } });
  const found = await ask(reader, address, 'DOMAIN_SEPARATOR');
  const number = await ask(reader, address, 'nonces', [address]);
  if (found === expected && typeof number === 'bigint') return;
  const said = typeof number === 'bigint' ? 'has another name or version' : 'takes no signed allowances (ERC-2612)';
  throw new Error(
    `the contract ${address} of ${symbol} ${said}: correct "permit" of this token in KASI_NETWORKS, or take it out.`,
  );
}

/** What the contract answers; undefined when it reverts, or answers with something else. */
async function ask(
  reader: Reader,
  to: Address,
  functionName: 'decimals' | 'symbol' | 'DOMAIN_SEPARATOR' | 'authorizationState' | 'nonces',
  args: readonly unknown[] = [],
): Promise<unknown> {
  const data = encodeFunctionData({ abi: ABI, functionName, args } as never);
  const answer = await call(reader, { to, data }).catch((error: unknown) => {
    if (isRevert(error)) return { data: undefined };
    throw error;
  });
  if (answer.data === undefined) return undefined;
  try {
    return decodeFunctionResult({ abi: ABI, functionName, data: answer.data });
  } catch {
    return undefined;
  }
}

const isRevert = (error: unknown): boolean =>
  error instanceof BaseError && error.walk((cause) => cause instanceof ExecutionRevertedError) !== null;
