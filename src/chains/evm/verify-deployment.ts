import {
  type Address,
  concatHex,
  encodeDeployData,
  getAddress,
  type Hex,
  isAddressEqual,
  keccak256,
  pad,
  size,
  slice,
  stringToBytes,
  stringToHex,
  toHex,
} from 'viem';
import { getChainId, getCode } from 'viem/actions';
import { depositFactory, FORWARDER_INIT_CODE_HASH, subscriptionCollector } from '../../../generated/contracts.ts';
import type { Reader } from './client.ts';
import { collectorDomain } from './collector.ts';
import { type CollectorRoles, collectorInitCode } from './collector-deploy.ts';
import { deterministicAddress, factoryInitCode } from './deploy.ts';

/** What `npm run generate` wrote of a contract: see `ContractPapers` in scripts/generate/solidity.ts. */
export type Papers = {
  readonly runtime: string;
  readonly immutables: Readonly<Record<string, readonly (readonly number[])[]>>;
};

/** A deployment as it has to be. */
export type Deployment = {
  readonly contract: 'DepositFactory' | 'SubscriptionCollector';
  readonly address: Address;
  readonly initCode: Hex;
  /** What its constructor was given, as explorers ask for it: encoded, without 0x. */
  readonly constructorArguments: string;
  readonly immutables: Readonly<Record<string, Hex>>;
};

/** The factory of a treasury, as it stands at this address. */
export function factoryDeployment(address: Address, treasury: Address): Deployment {
  const { abi } = depositFactory;
  return {
    contract: 'DepositFactory',
    address,
    initCode: factoryInitCode(treasury),
    constructorArguments: encodeDeployData({ abi, bytecode: '0x', args: [treasury] }).slice(2),
    // The second stands for the code of every deposit address.
    immutables: { TREASURY: pad(treasury), FORWARDER_INIT_CODE_HASH },
  };
}

/** `roles`: the first ones. The rest is what EIP-712 keeps of name, version, chain and place. */
export function collectorDeployment(address: Address, chainId: number, roles: CollectorRoles): Deployment {
  const { abi } = subscriptionCollector;
  const [name, version] = ['Kasi Subscriptions', '1'];
  return {
    contract: 'SubscriptionCollector',
    address,
    initCode: collectorInitCode(roles),
    constructorArguments: encodeDeployData({
      abi,
      bytecode: '0x',
      args: [roles.treasury, roles.owner, roles.operator],
    }).slice(2),
    immutables: {
      TREASURY: pad(roles.treasury),
      _cachedDomainSeparator: collectorDomain({ collector: address, chainId }),
      _cachedChainId: toHex(chainId, { size: 32 }),
      _cachedThis: pad(address),
      _hashedName: keccak256(stringToBytes(name)),
      _hashedVersion: keccak256(stringToBytes(version)),
      _name: shortString(name),
      _version: shortString(version),
    },
  };
}

/** A text of up to 31 bytes in one word, with its length in the last byte. */
const shortString = (text: string): Hex =>
  concatHex([pad(stringToHex(text), { size: 31, dir: 'right' }), toHex(text.length, { size: 1 })]);

/**
 * What differs between a deployment and its papers, in sentences; none when runtime code, immutables and constructor
 * arguments are ours. Compares bytes that the compiler made, and lets the node run nothing.
 */
export async function compareDeployment(reader: Reader, deployment: Deployment, papers: Papers): Promise<string[]> {
  const { address, initCode, immutables } = deployment;
  const code = await getCode(reader, { address });
  if (code === undefined || code === '0x') return [`nothing stands at ${address} on chain ${await getChainId(reader)}`];
  const runtime = papers.runtime as Hex;
  if (size(code) !== size(runtime)) return [`its code has ${size(code)} bytes, the compiled one ${size(runtime)}`];
  const places = Object.entries(papers.immutables).flatMap(([name, at]) =>
    at.map(([start = 0, length = 0]) => ({ name, found: slice(code, start, start + length), start, length })),
  );
  const made = deterministicAddress(initCode);
  return [
    ...(blank(code, places) === blank(runtime, places) ? [] : ['its code is not the compiled one']),
    ...places.flatMap(({ name, found }) =>
      immutables[name]?.toLowerCase() === found
        ? []
        : [`its immutable ${name} is ${found}, not ${immutables[name]?.toLowerCase() ?? 'one that we know'}`],
    ),
    ...(isAddressEqual(made, address)
      ? []
      : [`with these constructor arguments it would stand at ${getAddress(made)}, so it was made with others`]),
  ];
}

/** Code with zeros in these places, as the compiler leaves them. */
export function blank(code: Hex, places: readonly { readonly start: number; readonly length: number }[]): string {
  const bytes = Buffer.from(code.slice(2), 'hex');
  for (const { start, length } of places) bytes.fill(0, start, start + length);
  return bytes.toString('hex');
}
