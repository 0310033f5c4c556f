import { readFileSync } from 'node:fs';
import { type Address, domainSeparator, type Hex, keccak256, parseAbi, size } from 'viem';
import { getChainId, getCode, readContract } from 'viem/actions';
import { isReverted, type Reader } from './client.ts';
import { blank } from './verify-deployment.ts';

/** Moves tokens that their holders have approved it for, as far as they sign. The same on every chain. */
export const PERMIT2: Address = '0x000000000022D473030F116dDEE9F6B43aC78BA3';
/** The only account that may use what is signed, and sends it nowhere but to the recipient who stands in it. */
export const TRANSFER_PROXY: Address = '0x402085c248EeA27D92E8b30b2C58ed07f9E20001';

type Published = {
  readonly name: string;
  readonly address: Address;
  readonly salt: Hex;
  readonly file: string;
  /** Of the runtime code, with zeros in the places that differ from chain to chain. */
  readonly codeHash: Hex;
  readonly places: readonly { readonly start: number; readonly length: number }[];
};

const word = (tail: string): Hex => `0x${tail.padStart(64, '0')}`;

/** Contracts of others, as they were published; `contracts/published/README.md` says where. */
export const PUBLISHED: readonly Published[] = [
  {
    ...{ name: 'Permit2', address: PERMIT2, file: 'permit2.hex', salt: word('d3af2663da51c10215000000') },
    codeHash: '0x463331fa7a0d5f07488e42c37b461bb56a822145c161a821fbafe7d4e916b546',
    // The number of the chain that it was deployed on, and its domain there.
    places: [
      { start: 6945, length: 32 },
      { start: 6983, length: 32 },
    ],
  },
  {
    ...{ name: 'x402ExactPermit2Proxy', address: TRANSFER_PROXY, file: 'x402-exact-permit2-proxy.hex' },
    salt: word('3000000007263b0e'),
    codeHash: '0xce6429c0bb49284660683287c0a8fe548a88379072327d026626909d202048b9',
    places: [],
  },
];

/** What the deterministic deployer is sent, for development chains: the init code. */
export function initCodeOf({ file }: Pick<Published, 'file'>): Hex {
  return `0x${readFileSync(new URL(`contracts/published/${file}`, import.meta.url), 'utf8').trim()}`;
}

/** The domain of what holders sign for Permit2. */
export const permit2Domain = (chainId: number) => ({ name: 'Permit2', chainId, verifyingContract: PERMIT2 }) as const;

const ABI = parseAbi(['function DOMAIN_SEPARATOR() view returns (bytes32)']);

/**
 * Throws one sentence with the cure unless both contracts stand where signatures name them, byte for byte, and Permit2
 * takes signatures for this chain.
 */
export async function checkPermit2(reader: Reader): Promise<void> {
  const cure = 'take "permit2" out of the tokens of this network in KASI_NETWORKS.';
  for (const { name, address, codeHash, places } of PUBLISHED) {
    const code = await getCode(reader, { address });
    if (code === undefined || code === '0x') throw new Error(`there is no ${name} at ${address}: ${cure}`);
    const end = Math.max(0, ...places.map(({ start, length }) => start + length));
    if (size(code) < end || keccak256(`0x${blank(code, places)}`) !== codeHash) {
      throw new Error(`what stands at ${address} is not ${name} as it was published: ${cure}`);
    }
  }
  const expected = domainSeparator({ domain: permit2Domain(await getChainId(reader)) });
  const found = await readContract(reader, { address: PERMIT2, abi: ABI, functionName: 'DOMAIN_SEPARATOR' }).catch(
    (error: unknown) => {
      if (isReverted(error)) return null;
      throw error;
    },
  );
  if (found !== expected) throw new Error(`Permit2 at ${PERMIT2} takes signatures for another chain: ${cure}`);
}
