import { readFileSync } from 'node:fs';
import { isAbsolute, resolve } from 'node:path';
import { Ajv } from 'ajv';
import { messageOf } from './lib/errors.ts';
import type { Network } from './ports/chain.ts';
import type { ChainKind } from './ports/chain-kind.ts';

/** Where a rate is read in live mode: `value` and `time` are paths into the JSON answer (`data.rate`). */
export type RateSource = {
  readonly pair: string;
  readonly name: string;
  readonly url: string;
  readonly value: string;
  readonly time?: string;
};

const RATES_SCHEMA = {
  type: 'array',
  items: {
    type: 'object',
    additionalProperties: false,
    required: ['pair', 'name', 'url', 'value'],
    properties: {
      pair: { enum: ['USD/LKR', 'ETH/USD', 'BTC/USD', 'BNB/USD', 'POL/USD', 'AVAX/USD'] },
      name: { type: 'string', minLength: 1 },
      url: { type: 'string', pattern: '^https://' },
      value: { type: 'string', minLength: 1 },
      time: { type: 'string', minLength: 1 },
    },
  },
} as const;

/** The file with each network held to the schema of its kind. */
const schemaFor = (kinds: readonly ChainKind[]) => ({
  type: 'object',
  additionalProperties: false,
  required: ['networks', 'rates'],
  properties: {
    networks: {
      type: 'array',
      minItems: 1,
      items: kinds.length > 0 ? kinds.map(({ networkSchema }) => networkSchema) : {},
    },
    rates: RATES_SCHEMA,
  },
});

type NetworkFile = { networks: object[]; rates: RateSource[] };

/** Reads and checks the file that KASI_NETWORKS names. Adds every problem to `problems`; then it returns nothing. */
export function readNetworks(
  path: string | null,
  kinds: readonly ChainKind[],
  problems: string[],
): { networks: Network[]; rates: RateSource[] } {
  const none = { networks: [], rates: [] };
  if (!path) {
    problems.push('KASI_NETWORKS is missing: a JSON file with the networks and the rate sources (see README.md)');
    return none;
  }
  let file: unknown;
  try {
    file = JSON.parse(readFileSync(resolve(path), 'utf8'));
  } catch (error) {
    problems.push(`KASI_NETWORKS could not be read from ${describePlace(path)}: ${messageOf(error)}`);
    return none;
  }
  const kindsOf = takeKinds(file, kinds);
  const ajv = new Ajv({ allErrors: true, strictTuples: false });
  if (!ajv.validate<NetworkFile>(schemaFor(kindsOf), file)) {
    for (const error of ajv.errors ?? []) problems.push(`KASI_NETWORKS${error.instancePath}: ${error.message}`);
    return none;
  }
  const networks = file.networks.map((entry, i) => kindsOf[i]!.parseNetwork(entry));
  problems.push(...findConflicts(networks, kinds).map((problem) => `KASI_NETWORKS: ${problem}`));
  return { networks, rates: file.rates };
}

/** The absolute name: commands of a checkout run in its folder, wherever they are called. */
const describePlace = (path: string): string =>
  isAbsolute(path) ? path : `${resolve(path)} (a relative name is taken from the folder in which Kasi runs)`;

/**
 * The kind of each network of the file. An entry names a kind other than the first by its `kind`, which is taken out
 * here, because it is no part of the kind's own schema.
 */
function takeKinds(file: unknown, [first, ...others]: readonly ChainKind[]): ChainKind[] {
  if (first === undefined) throw new Error('no kind of chain is composed');
  const { networks } = Object(file) as { networks?: unknown };
  if (!Array.isArray(networks)) return [];
  return networks.map((entry: unknown) => {
    const { kind } = Object(entry) as { kind?: unknown };
    const named = others.find(({ name }) => name === kind);
    if (named) delete (entry as { kind?: unknown }).kind;
    return named ?? first;
  });
}

/** What no schema can say; a chain that is listed twice would credit every transfer twice. */
function findConflicts(networks: readonly Network[], kinds: readonly ChainKind[]): string[] {
  const repeats = (values: readonly (string | number)[]): boolean =>
    new Set(values.map((value) => String(value).toLowerCase())).size < values.length;
  const chainIds = networks.flatMap(({ chainId }) => chainId ?? []);
  const rules: [boolean, string][] = [
    [repeats(networks.map(({ name }) => name)), 'two networks have one name'],
    [repeats(chainIds), 'a chain is listed twice; its transfers would count twice'],
    ...networks.flatMap(({ name, tokens }): [boolean, string][] => [
      [repeats(tokens.map(({ contract }) => contract)), `${name} lists a contract twice`],
      [repeats(tokens.map(({ symbol }) => symbol)), `${name} lists a token twice`],
    ]),
  ];
  return [
    ...kinds.flatMap((kind) => kind.findConflicts(networks.filter((network) => network.kind === kind.name))),
    ...rules.filter(([broken]) => broken).map(([, problem]) => problem),
  ];
}
