import { inTime } from '../lib/in-time.ts';
import type { Network } from '../ports/chain.ts';
import type { ChainReader, Chains } from '../ports/chain-kind.ts';
import type { Configured, KnownNetwork } from './compare.ts';
import type { UnnamedCursor } from './network-queries.ts';
import { DeploymentRefusal } from './refusal.ts';

/** For each chain at first sight, in the form of CAIP-2: the names under which this database has watched it. */
export type FormerNames = ReadonlyMap<string, readonly string[]>;

const WITHIN_MS = 10_000;

/**
 * Asks the nodes of chains that the database does not know what they are, so that a mistyped chain id is not recorded,
 * and which of `cursors` scanned them, which only a database from before chains were recorded has. A node that does not
 * answer is taken at its word, unless its network may be one that was watched under another name. Throws
 * DeploymentRefusal.
 */
export async function meetChains(
  configured: readonly Configured[],
  known: readonly KnownNetwork[],
  cursors: readonly UnnamedCursor[],
  { kindOf }: Pick<Chains, 'kindOf'>,
): Promise<FormerNames> {
  const unknown = configured.filter(({ identity }) => !known.some(({ chain }) => chain === identity.chain));
  const names = unknown.map(async ({ network, identity }) => {
    const candidates = cursors.filter(
      (cursor) => !configured.some((each) => each.network.name === cursor.network && each.network !== network),
    );
    return [identity.chain, await listFormerNames(kindOf(network).openReader(network), network, candidates)] as const;
  });
  return new Map(await Promise.all(names));
}

/** The names of those of `cursors` that scanned the network's chain, its own name first. */
async function listFormerNames(
  reader: ChainReader,
  network: Network,
  cursors: readonly UnnamedCursor[],
): Promise<string[]> {
  const own = cursors.find((cursor) => cursor.network === network.name);
  try {
    const { chainId, genesisHash } = await inTime(reader.identify(), WITHIN_MS);
    if (chainId !== network.chainId) throw new DeploymentRefusal([otherChainId(network, chainId)]);
    const names: string[] = [];
    for (const cursor of own ? [own, ...cursors] : cursors) {
      const block = cursor.genesisHash === genesisHash ? await findHash(reader, cursor.height) : null;
      const isOther = block === null || (block !== undefined && block !== cursor.hash);
      if (cursor === own && isOther) throw new DeploymentRefusal([otherChain(network)]);
      if (cursor === own || block === cursor.hash) names.push(cursor.network);
    }
    return [...new Set(names)];
  } catch (error) {
    if (error instanceof DeploymentRefusal) throw error;
    if (own) return [own.network]; // The watcher compares the chain before it goes on.
    if (cursors.length > 0) throw new DeploymentRefusal([cannotTell(network, cursors, error)]);
    return [];
  }
}

/** Chains that split share their first blocks, so a scanned one has to stand there, too; undefined: it is not there. */
async function findHash(reader: ChainReader, height: number): Promise<string | undefined> {
  const [block] = await inTime(reader.findBlocks([height]), WITHIN_MS);
  return block?.hash;
}

const otherChainId = ({ name, chainId }: Network, found: number | null): string =>
  `The node of network ${name} serves chain ${found}, not ${chainId}: correct the RPC URL or the chain id in ` +
  'KASI_NETWORKS';

const otherChain = ({ name }: Network): string =>
  `The node of network ${name} serves another chain than the one that this database has watched under that name (its ` +
  'blocks differ): correct the RPC URL, the chain id or the name in KASI_NETWORKS';

const cannotTell = ({ name }: Network, cursors: readonly UnnamedCursor[], error: unknown): string =>
  `KASI_NETWORKS has a network "${name}" that this database does not know, and the database has rows of ` +
  `${cursors.map((cursor) => `"${cursor.network}"`).join(', ')}, which may be the same chain. Its node cannot tell now ` +
  `(${error instanceof Error ? error.message : error}): start again when it answers, or with the former name`;
