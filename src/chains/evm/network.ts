import { zeroAddress } from 'viem';
import type { Asset, Network, Token } from '../../ports/chain.ts';
import { findEndpointConflicts } from '../endpoint-conflicts.ts';

/** `onChainSymbol`: how the token's contract spells its symbol, where that is not one of its issuer's spellings. */
export type EvmToken = Token & { readonly onChainSymbol?: string };

/** The coin of most EVM chains, as payments are taken in it. */
export const ETHER: Asset = { symbol: 'ETH', contract: zeroAddress, decimals: 18 };

/** An EVM network. All addresses are lower-case hex. */
export type EvmNetwork = Network & {
  readonly kind: 'evm';
  readonly chainId: number;
  /** The endpoint that is asked first. */
  readonly rpcUrl: string;
  /** Of other providers, which are asked when the first one fails, and for a second opinion. */
  readonly otherRpcUrls?: readonly string[];
  readonly factory: string;
  readonly treasury: string;
  readonly tokens: readonly EvmToken[];
  /** The roles with which the collector was deployed, where they are others now. */
  readonly collectorRoles?: { readonly owner: string; readonly operator: string };
  /** The most that a unit of gas of our own transactions may cost; above it they wait. */
  readonly gasPriceMaxGwei: number;
  readonly sweep?: SweepSettings;
  /** The factories before this one, with their treasuries: what comes to their addresses is still seen and swept. */
  readonly former?: readonly FormerFactory[];
};

/** A factory of deposit addresses that new payments no longer get, and the treasury that it pays for ever. */
export type FormerFactory = { readonly factory: string; readonly treasury: string };

/** Every treasury of a network, the current one first. */
export const treasuriesOf = ({ treasury, former = [] }: EvmNetwork): string[] => [
  ...new Set([treasury, ...former.map((each) => each.treasury)]),
];

/** Every factory of a network, the current one first. */
export const factoriesOf = ({ factory, former = [] }: EvmNetwork): string[] => [
  factory,
  ...former.map((each) => each.factory),
];

/** The treasury that a factory of a network pays. */
export const treasuryOf = ({ factory, treasury, former = [] }: EvmNetwork, of: string): string =>
  of === factory ? treasury : (former.find((each) => each.factory === of)?.treasury ?? treasury);

/** When deposits are swept; what is left out has its default. */
export type SweepSettings = {
  /** The least worth of a deposit address, in dollars. */
  readonly minimum?: number;
  /** The most that a unit of gas of a sweep may cost; sweeping can wait for cheap hours. */
  readonly gasPriceMaxGwei?: number;
  /** The most of the network's coin that sweeping one deposit address may cost. */
  readonly feeMax?: number;
  /** The most gas that moving one deposit may take. */
  readonly gasMax?: Partial<Record<Asset['symbol'], number>>;
};

/** Whether a network is of this kind. */
export const isEvmNetwork = (network: Network): network is EvmNetwork => network.kind === 'evm';

const HEX_ADDRESS = { type: 'string', pattern: '^0x[0-9a-fA-F]{40}$' };

/** What EIP-712 signatures of a token are made for. */
const DOMAIN = {
  type: 'object',
  additionalProperties: false,
  required: ['name', 'version'],
  properties: {
    name: { type: 'string', minLength: 1, maxLength: 64 },
    version: { type: 'string', minLength: 1, maxLength: 16 },
  },
};

/** Of one deposit: a first sweep of an ordinary token takes 66,000. */
const SWEEP_GAS = { type: 'integer', minimum: 60_000, maximum: 5_000_000 };

/** An EVM network in KASI_NETWORKS. */
export const EVM_NETWORK_SCHEMA = {
  type: 'object',
  additionalProperties: false,
  required: ['name', 'chainId', 'confirmations', 'factory', 'treasury', 'tokens'],
  properties: {
    name: { type: 'string', pattern: '^[a-z][a-z0-9-]{1,31}$' },
    chainId: { type: 'integer', minimum: 1 },
    rpcUrl: { type: 'string', pattern: '^https?://' },
    secondOpinionFrom: { type: 'number', minimum: 0, maximum: 1_000_000_000 },
    rpcUrls: { type: 'array', minItems: 1, maxItems: 8, items: { type: 'string', pattern: '^https?://' } },
    confirmations: { anyOf: [{ type: 'integer', minimum: 1, maximum: 1000 }, { const: 'finalized' }] },
    pollMs: { type: 'integer', minimum: 100, maximum: 60_000 },
    batchMax: { type: 'integer', minimum: 1, maximum: 1000 },
    gasPriceMaxGwei: { type: 'number', minimum: 0.000001, maximum: 1_000_000 },
    coin: { enum: ['ETH', 'BNB', 'POL', 'AVAX'] },
    maxGasShare: { type: 'number', minimum: 0.0001, maximum: 1 },
    former: {
      type: 'array',
      maxItems: 16,
      items: {
        type: 'object',
        additionalProperties: false,
        required: ['factory', 'treasury'],
        properties: { factory: HEX_ADDRESS, treasury: HEX_ADDRESS },
      },
    },
    sweep: {
      type: 'object',
      additionalProperties: false,
      properties: {
        minimum: { type: 'number', minimum: 0.01, maximum: 1_000_000 },
        gasPriceMaxGwei: { type: 'number', minimum: 0.000001, maximum: 1_000_000 },
        feeMax: { type: 'number', minimum: 0.000000001, maximum: 1000 },
        gasMax: {
          type: 'object',
          additionalProperties: false,
          properties: { USDT: SWEEP_GAS, USDC: SWEEP_GAS, ETH: SWEEP_GAS },
        },
      },
    },
    factory: HEX_ADDRESS,
    collector: HEX_ADDRESS,
    collectorRoles: {
      type: 'object',
      additionalProperties: false,
      required: ['owner', 'operator'],
      properties: { owner: HEX_ADDRESS, operator: HEX_ADDRESS },
    },
    treasury: HEX_ADDRESS,
    tokens: {
      type: 'array',
      minItems: 1,
      items: {
        type: 'object',
        additionalProperties: false,
        required: ['symbol'],
        properties: {
          symbol: { enum: ['USDT', 'USDC', 'ETH'] },
          contract: HEX_ADDRESS,
          decimals: { type: 'integer', minimum: 6, maximum: 18 },
          onChainSymbol: { type: 'string', minLength: 1, maxLength: 32 },
          authorization: DOMAIN,
          permit2: { type: 'boolean' },
          permit: DOMAIN,
        },
        // Nobody gets anything by an allowance alone: it is for Permit2.
        dependencies: { permit: { required: ['permit2'], properties: { permit2: { const: true } } } },
        // The coin of the chain has no contract, and its decimals are known.
        anyOf: [
          { required: ['contract', 'decimals'], properties: { symbol: { enum: ['USDT', 'USDC'] } } },
          { maxProperties: 1, properties: { symbol: { const: 'ETH' } } },
        ],
      },
    },
  },
} as const;

/**
 * What a unit of gas may cost at most where the file says nothing, by chain id: several times what is usual there.
 * Charges go on in a busy hour; a spike, or a node that lies about the price, can't empty the operator's account.
 */
const GAS_PRICE_MAX_GWEI: Readonly<Record<number, number>> = {
  1: 60,
  10: 1,
  56: 5,
  137: 1000,
  8453: 1,
  42161: 2,
  43114: 50,
};
const GAS_PRICE_MAX_ELSEWHERE_GWEI = 100;

/** The coins of these chains, for the networks that name none. */
const COINS: Readonly<Record<number, string>> = {
  1: 'ETH',
  10: 'ETH',
  56: 'BNB',
  137: 'POL',
  8453: 'ETH',
  42161: 'ETH',
  43114: 'AVAX',
};

/** anvil's and hardhat's. */
const ON_DEMAND_CHAIN_ID = 31_337;

type Defaulted = 'pollMs' | 'batchMax' | 'gasPriceMaxGwei';
type Entry = Omit<EvmNetwork, 'kind' | 'collector' | 'otherRpcUrls' | 'tokens' | Defaulted> &
  Partial<Pick<EvmNetwork, Defaulted>> & {
    readonly collector?: string;
    readonly rpcUrls?: readonly string[];
    /** The chain's coin is among them by its symbol alone. */
    readonly tokens: readonly (EvmToken | { readonly symbol: 'ETH' })[];
  };

/** Makes a network of an entry that matches the schema. */
export function parseEvmNetwork(entry: object): EvmNetwork {
  const { rpcUrls, ...network } = entry as Entry;
  const coin = COINS[network.chainId];
  const tokens = network.tokens.filter((token) => 'contract' in token);
  const [rpcUrl = '', ...otherRpcUrls] = new Set([...(network.rpcUrl ? [network.rpcUrl] : []), ...(rpcUrls ?? [])]);
  return {
    kind: 'evm',
    pollMs: 3000,
    batchMax: 20,
    gasPriceMaxGwei: GAS_PRICE_MAX_GWEI[network.chainId] ?? GAS_PRICE_MAX_ELSEWHERE_GWEI,
    ...(coin !== undefined && { coin }),
    ...(network.chainId === ON_DEMAND_CHAIN_ID && { onDemand: true }),
    ...network,
    rpcUrl,
    otherRpcUrls,
    secondOpinionFrom: network.secondOpinionFrom ?? (otherRpcUrls.length > 0 ? 0 : null),
    factory: network.factory.toLowerCase(),
    collector: network.collector?.toLowerCase() ?? null,
    treasury: network.treasury.toLowerCase(),
    former: (network.former ?? []).map(({ factory, treasury }) => ({
      factory: factory.toLowerCase(),
      treasury: treasury.toLowerCase(),
    })),
    tokens: tokens.map((token): EvmToken => ({ ...token, contract: token.contract.toLowerCase() })),
    ...(tokens.length < network.tokens.length && { native: ETHER }),
  };
}

/**
 * One deposit address serves every EVM network, so all must share what it is derived from.
 * See decision chains/evm/one-factory.
 */
export function findEvmConflicts(networks: readonly EvmNetwork[]): string[] {
  const differ = (values: readonly string[]): boolean => new Set(values).size > 1;
  return [
    ...networks.flatMap(findEndpointConflicts),
    ...networks.flatMap(findCoinConflicts),
    ...(differ(networks.map(({ treasury }) => treasury))
      ? [
          'the treasury must be the same address on every network, or deposits on a wrong network could not be recovered',
        ]
      : []),
    ...(differ(networks.map(({ factory }) => factory))
      ? ['the factory must be the same address on every network, because one deposit address serves them all']
      : []),
    ...(differ(networks.map(({ former = [] }) => JSON.stringify(former)))
      ? ['the former factories must be the same on every network, because one deposit address serves them all']
      : []),
    ...(networks.some(({ factory, former = [] }) => former.some((each) => each.factory === factory))
      ? ['the factory is listed among the former ones, too']
      : []),
  ];
}

/** Where the coin is another one, what arrives would be worth something else. */
function findCoinConflicts({ name, native, coin }: EvmNetwork): string[] {
  if (native === undefined || native.symbol === coin) return [];
  const is = coin === undefined ? 'it does not say what its coin is' : `its coin is ${coin}`;
  return [
    `${name} lists ${native.symbol} among its tokens, and ${is}: take it out, or name the coin of that chain by "coin"`,
  ];
}
