import { readFileSync } from 'node:fs';
import { Ajv } from 'ajv';
import type { Network, Token } from './ports/chain.ts';

/** Where a rate is read in live mode: `value` and `time` are paths into the JSON answer (`data.rate`). */
export type RateSource = {
  readonly pair: string;
  readonly name: string;
  readonly url: string;
  readonly value: string;
  readonly time?: string;
};

const HEX_ADDRESS = { type: 'string', pattern: '^0x[0-9a-fA-F]{40}$' };
const NETWORKS_SCHEMA = {
  type: 'object',
  additionalProperties: false,
  required: ['networks', 'rates'],
  properties: {
    networks: {
      type: 'array',
      minItems: 1,
      items: {
        type: 'object',
        additionalProperties: false,
        required: ['name', 'chainId', 'rpcUrl', 'confirmations', 'factory', 'treasury', 'tokens'],
        properties: {
          name: { type: 'string', pattern: '^[a-z][a-z0-9-]{1,31}$' },
          chainId: { type: 'integer', minimum: 1 },
          rpcUrl: { type: 'string', pattern: '^https?://' },
          confirmations: { anyOf: [{ type: 'integer', minimum: 1, maximum: 1000 }, { const: 'finalized' }] },
          pollMs: { type: 'integer', minimum: 100, maximum: 60_000 },
          batchMax: { type: 'integer', minimum: 1, maximum: 1000 },
          gasPriceMaxGwei: { type: 'number', minimum: 0.000001, maximum: 1_000_000 },
          factory: HEX_ADDRESS,
          collector: HEX_ADDRESS,
          treasury: HEX_ADDRESS,
          tokens: {
            type: 'array',
            minItems: 1,
            items: {
              type: 'object',
              additionalProperties: false,
              required: ['symbol', 'contract', 'decimals'],
              properties: {
                symbol: { enum: ['USDT', 'USDC'] },
                contract: HEX_ADDRESS,
                decimals: { type: 'integer', minimum: 6, maximum: 18 },
              },
            },
          },
        },
      },
    },
    rates: {
      type: 'array',
      items: {
        type: 'object',
        additionalProperties: false,
        required: ['pair', 'name', 'url', 'value'],
        properties: {
          pair: { enum: ['USD/LKR'] },
          name: { type: 'string', minLength: 1 },
          url: { type: 'string', pattern: '^https://' },
          value: { type: 'string', minLength: 1 },
          time: { type: 'string', minLength: 1 },
        },
      },
    },
  },
} as const;

/** What has a default. */
type Defaulted = 'pollMs' | 'batchMax' | 'gasPriceMaxGwei';

type NetworkFile = {
  networks: (Omit<Network, 'kind' | 'collector' | Defaulted> &
    Partial<Pick<Network, Defaulted>> & { collector?: string })[];
  rates: RateSource[];
};

/** Reads and judges the file that KASI_NETWORKS names. What is wrong is added to `problems`; then nothing is returned. */
export function readNetworks(path: string | null, problems: string[]): { networks: Network[]; rates: RateSource[] } {
  const none = { networks: [], rates: [] };
  if (!path) {
    problems.push('KASI_NETWORKS is missing: a JSON file with the networks and the rate sources (see README.md)');
    return none;
  }
  let file: unknown;
  try {
    file = JSON.parse(readFileSync(path, 'utf8'));
  } catch (error) {
    problems.push(`KASI_NETWORKS could not be read: ${error instanceof Error ? error.message : error}`);
    return none;
  }
  const ajv = new Ajv({ allErrors: true });
  if (!ajv.validate<NetworkFile>(NETWORKS_SCHEMA, file)) {
    for (const error of ajv.errors ?? []) problems.push(`KASI_NETWORKS${error.instancePath}: ${error.message}`);
    return none;
  }
  problems.push(...conflicts(file).map((problem) => `KASI_NETWORKS: ${problem}`));
  return { networks: file.networks.map(toNetwork), rates: file.rates };
}

/** What no schema can say: a chain that is listed twice would credit every transfer twice, and one address must serve every network. */
function conflicts({ networks }: NetworkFile): string[] {
  const differ = (values: readonly (string | number)[]): number =>
    new Set(values.map((value) => String(value).toLowerCase())).size;
  const repeats = (values: readonly (string | number)[]): boolean => differ(values) < values.length;
  const rules: [boolean, string][] = [
    [
      differ(networks.map(({ treasury }) => treasury)) > 1,
      'the treasury must be the same address on every network, or deposits on a wrong network could not be recovered',
    ],
    [
      differ(networks.map(({ factory }) => factory)) > 1,
      'the factory must be the same address on every network, because one deposit address serves them all',
    ],
    [repeats(networks.map(({ name }) => name)), 'two networks have one name'],
    [repeats(networks.map(({ chainId }) => chainId)), 'a chain is listed twice; its transfers would count twice'],
    ...networks.flatMap(({ name, tokens }): [boolean, string][] => [
      [repeats(tokens.map(({ contract }) => contract)), `${name} lists a contract twice`],
      [repeats(tokens.map(({ symbol }) => symbol)), `${name} lists a token twice`],
    ]),
  ];
  return rules.filter(([broken]) => broken).map(([, problem]) => problem);
}

const toNetwork = (network: NetworkFile['networks'][number]): Network => ({
  kind: 'evm',
  pollMs: 3000,
  batchMax: 20,
  gasPriceMaxGwei: 500,
  ...network,
  factory: network.factory.toLowerCase(),
  collector: network.collector?.toLowerCase() ?? null,
  treasury: network.treasury.toLowerCase(),
  tokens: network.tokens.map((token): Token => ({ ...token, contract: token.contract.toLowerCase() })),
});
