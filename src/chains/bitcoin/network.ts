import type { Asset, Network } from '../../ports/chain.ts';
import { findEndpointConflicts } from '../endpoint-conflicts.ts';
import type { NetworkOfEndpoints } from '../endpoints.ts';
import { readAccount } from './keys.ts';
import { type BitcoinChain, DUST, PARAMS } from './params.ts';

/** A network of Bitcoin. */
export type BitcoinNetwork = Network &
  NetworkOfEndpoints & {
    readonly kind: 'bitcoin';
    readonly chainId: null;
    readonly chain: BitcoinChain;
    readonly native: Asset;
    readonly confirmations: number;
    /** The extended public key or descriptor of the wallet that gives payments their addresses. */
    readonly accountKey: string;
    /** Those of wallets before this one: what comes to their addresses is still seen, and they are kept elsewhere. */
    readonly formerAccountKeys?: readonly string[];
    /** Where nodes of ours publish what is new to them (ZeroMQ). */
    readonly zmq?: readonly string[];
  };

/** Whether a network is of this kind. */
export const isBitcoinNetwork = (network: Network): network is BitcoinNetwork => network.kind === 'bitcoin';

/** Bitcoin's coin. The chain has no contracts, so a name stands in the place of one. */
const BTC: Asset = { symbol: 'BTC', contract: 'btc', decimals: 8 };

const URL_OF_NODE = { type: 'string', pattern: '^https?://' };
const DEPTH = { type: 'integer', minimum: 1, maximum: 100 };
/** As in `zmqpubhashtx` of a node. */
const PUBLISHER = { type: 'string', pattern: '^(tcp://[^/\\s]+:[0-9]{1,5}|ipc://\\S+)$' };
const ACCOUNT_KEY = { type: 'string', minLength: 1, maxLength: 500 };

/** A Bitcoin network in KASI_NETWORKS. */
export const BITCOIN_NETWORK_SCHEMA = {
  type: 'object',
  additionalProperties: false,
  required: ['name', 'chain', 'accountKey'],
  properties: {
    name: { type: 'string', pattern: '^[a-z][a-z0-9-]{1,31}$' },
    chain: { enum: Object.keys(PARAMS) },
    rpcUrl: URL_OF_NODE,
    rpcUrls: { type: 'array', minItems: 1, maxItems: 8, items: URL_OF_NODE },
    cookieFile: { type: 'string', minLength: 1 },
    accountKey: ACCOUNT_KEY,
    formerAccountKeys: { type: 'array', maxItems: 16, items: ACCOUNT_KEY },
    zmq: { type: 'array', minItems: 1, maxItems: 8, items: PUBLISHER },
    confirmations: DEPTH,
    confirmationsFrom: {
      type: 'array',
      maxItems: 8,
      items: {
        type: 'object',
        additionalProperties: false,
        required: ['from', 'confirmations'],
        properties: { from: { type: 'number', minimum: 0, maximum: 1_000_000_000 }, confirmations: DEPTH },
      },
    },
    secondOpinionFrom: { type: 'number', minimum: 0, maximum: 1_000_000_000 },
    pollMs: { type: 'integer', minimum: 100, maximum: 60_000 },
    batchMax: { type: 'integer', minimum: 1, maximum: 1000 },
    staleMs: { type: 'integer', minimum: 60_000, maximum: 86_400_000 },
  },
} as const;

/** What a replaced block costs a thief has to be more than what he gains by it. */
const CONFIRMATIONS_FROM = [
  { from: 1000, confirmations: 2 },
  { from: 10_000, confirmations: 6 },
];
/** One block in ten million comes later than this. */
const STALE_MS = 3 * 3_600_000;
/** A block may hold five thousand outputs that could be ours. */
const BLOCKS_AT_ONCE = 8;

type Entry = Pick<BitcoinNetwork, 'name' | 'chain' | 'accountKey'> &
  Partial<BitcoinNetwork> & { readonly rpcUrls?: readonly string[] };

/** Makes a network of an entry that matches the schema. */
export function parseBitcoinNetwork(entry: object): BitcoinNetwork {
  const { rpcUrls, ...network } = entry as Entry;
  const [rpcUrl = '', ...otherRpcUrls] = new Set([...(network.rpcUrl ? [network.rpcUrl] : []), ...(rpcUrls ?? [])]);
  const confirmations = network.confirmations ?? 1;
  return {
    ...{ pollMs: 5000, batchMax: 20, staleMs: STALE_MS, blocksAtOnce: BLOCKS_AT_ONCE },
    confirmationsFrom: CONFIRMATIONS_FROM.filter((each) => each.confirmations > confirmations),
    ...network,
    ...{
      kind: 'bitcoin',
      chainId: null,
      tokens: [],
      native: BTC,
      dust: DUST,
      collector: null,
      confirmations,
      rpcUrl,
      otherRpcUrls,
    },
    ...(network.chain === 'regtest' && { onDemand: true }),
    secondOpinionFrom: network.secondOpinionFrom ?? (otherRpcUrls.length > 0 ? 0 : null),
  };
}

/** What no schema can say; one sentence for each problem, which never quotes a key. */
export function findBitcoinConflicts(networks: readonly BitcoinNetwork[]): string[] {
  return [
    ...networks.flatMap(findEndpointConflicts),
    ...networks.flatMap(findKeyConflicts),
    ...networks.flatMap(findDepthConflicts),
    ...(networks.length > 1
      ? [
          `${networks.map(({ name }) => name).join(' and ')} are both of Bitcoin: one deposit address serves every network of a kind, so list one of them`,
        ]
      : []),
  ];
}

function findKeyConflicts({ name, chain, accountKey, formerAccountKeys = [] }: BitcoinNetwork): string[] {
  return [
    { field: 'accountKey', key: accountKey },
    ...formerAccountKeys.map((key) => ({ field: 'one of formerAccountKeys', key })),
  ].flatMap(({ field, key }) => {
    const account = readAccount(key, chain);
    return typeof account === 'string' ? [`${field} of ${name} ${account}`] : [];
  });
}

/** More for more money: anything else is a mistake, and one that costs money. */
function findDepthConflicts({ name, confirmations, confirmationsFrom = [] }: BitcoinNetwork): string[] {
  let before = { from: Number.NEGATIVE_INFINITY, confirmations };
  for (const each of confirmationsFrom) {
    if (each.from <= before.from || each.confirmations < before.confirmations)
      return [`confirmationsFrom of ${name} must rise from entry to entry, and ask for no less than confirmations`];
    before = each;
  }
  return [];
}
