import { inTransaction } from '../db/transaction.ts';
import type { Db, Trx } from '../lib/db-types.ts';
import type { Network } from '../ports/chain.ts';
import type { ChainReader, Chains } from '../ports/chain-kind.ts';
import { type Configured, compareNetwork, describeDifference, type KnownNetwork } from './compare.ts';
import { ifTableExists } from './evidence.ts';
import { lockIdentity } from './identity.ts';
import type { Mode } from './mode.ts';
import {
  correctToken,
  insertContracts,
  insertName,
  insertNetwork,
  insertTokens,
  isUsed,
  listKnownNetworks,
  listUnnamedCursors,
  type UnnamedCursor,
} from './network-queries.ts';
import { DeploymentRefusal } from './refusal.ts';

export type NetworkDeps = { readonly chains: Pick<Chains, 'kindOf'>; readonly mode: Mode };

/** What a chain that the database does not know yet was called before, as the node of the chain proves. */
type FormerNames = ReadonlyMap<string, readonly string[]>;

/**
 * The networks of the configuration under the names that the database knows their chains by, which every row about them
 * bears. Records what is new: a chain, another name of one, a factory beside the former ones, a token. Throws
 * DeploymentRefusal, and records nothing, when a name means another chain than before or something differs that cannot
 * change. See decision deployment/first-name-stays.
 */
export async function proveNetworks(db: Db, networks: readonly Network[], deps: NetworkDeps): Promise<Network[]> {
  const configured = networks.map((network) => ({ network, identity: deps.chains.kindOf(network).describe(network) }));
  const former = await findFormerNames(db, configured, deps);
  return inTransaction(db, async (trx) => {
    await lockIdentity(trx);
    const problems: string[] = [];
    const proven: Network[] = [];
    for (const each of configured) {
      const result = await prove(trx, each, former, deps.mode);
      problems.push(...result.problems);
      proven.push({ ...each.network, name: result.name });
    }
    if (problems.length > 0) throw new DeploymentRefusal(problems);
    return proven;
  });
}

/** The networks under the names that the database knows their chains by; for scripts, which record nothing. */
export async function useKnownNames(
  db: Db | Trx,
  networks: readonly Network[],
  { kindOf }: NetworkDeps['chains'],
): Promise<Network[]> {
  const known = (await ifTableExists(() => listKnownNetworks(db))) ?? [];
  return networks.map((network) => {
    const { chain } = kindOf(network).describe(network);
    return { ...network, name: known.find((each) => each.chain === chain)?.name ?? network.name };
  });
}

type Proof = { readonly name: string; readonly problems: readonly string[] };

async function prove(trx: Trx, each: Configured, former: FormerNames, mode: Mode): Promise<Proof> {
  const { network, identity } = each;
  const known = await listKnownNetworks(trx);
  const problems = findNameProblem(each, known);
  if (problems.length > 0) return { name: network.name, problems };
  const recorded = known.find(({ chain }) => chain === identity.chain) ?? (await record(trx, each, former));
  if (!recorded.names.includes(network.name)) await insertName(trx, identity.chain, network.name);
  const { contracts, tokens } = compareNetwork(each, recorded);
  await insertContracts(trx, identity.chain, contracts);
  await insertTokens(trx, identity.chain, tokens);
  const lasting = await findLasting(trx, each, recorded, mode);
  for (const token of lasting.correctable) await correctToken(trx, identity.chain, token);
  return { name: recorded.name, problems: lasting.problems };
}

/** Records a chain at first sight, under the name that its rows bear already, if there are any. */
async function record(trx: Trx, { network, identity }: Configured, former: FormerNames): Promise<KnownNetwork> {
  const before = former.get(identity.chain) ?? [];
  const name = before.includes(network.name) ? network.name : (before[0] ?? network.name);
  const names = [...new Set([name, ...before])];
  const made = { ...identity, kind: network.kind, name, names, genesisHash: null, contracts: [], tokens: [] };
  await insertNetwork(trx, made);
  for (const each of names) await insertName(trx, identity.chain, each);
  return made;
}

function findNameProblem({ network: { name }, identity }: Configured, known: readonly KnownNetwork[]): string[] {
  const other = known.find((each) => each.chain !== identity.chain && each.names.includes(name));
  if (!other) return [];
  return [
    `KASI_NETWORKS calls ${identity.chain} "${name}", which is the name of ${other.chain} in this database: correct its ` +
      'chain id, or give it another name',
  ];
}

/** Differences that cannot be: of tokens that payments offer, and, with money at stake, of our own contracts. */
async function findLasting(db: Db | Trx, each: Configured, recorded: KnownNetwork, mode: Mode) {
  const problems: string[] = [];
  const correctable = [];
  for (const difference of compareNetwork(each, recorded).differences) {
    // The sandbox deploys its contracts anew with every release that changes them.
    if (mode === 'sandbox' && difference.kind !== 'other token') continue;
    if (await isUsed(db, recorded.name, difference)) problems.push(describeDifference(recorded.name, difference));
    else if (difference.kind === 'other token') correctable.push(difference.token);
  }
  return { problems, correctable };
}

/**
 * For chains that the database does not know: the names under which it has watched them. Only a database from before
 * chains were recorded has such cursors, and only for a network that is not called as it was a node is asked.
 */
async function findFormerNames(
  db: Db,
  configured: readonly Configured[],
  { chains }: NetworkDeps,
): Promise<FormerNames> {
  const cursors = await listUnnamedCursors(db);
  const known = new Set((await listKnownNetworks(db)).map(({ chain }) => chain));
  const found = new Map<string, readonly string[]>();
  for (const { network, identity } of configured) {
    if (cursors.length === 0 || known.has(identity.chain)) continue;
    const others = cursors.filter(
      (cursor) => !configured.some((each) => each.network.name === cursor.network && each.network !== network),
    );
    found.set(identity.chain, await findScanned(chains.kindOf(network).openReader(network), network, others));
  }
  return found;
}

/** The names of those of the cursors that scanned this network's chain, its own name first. */
async function findScanned(
  reader: ChainReader,
  network: Network,
  cursors: readonly UnnamedCursor[],
): Promise<readonly string[]> {
  const own = cursors.find((cursor) => cursor.network === network.name);
  try {
    const { genesisHash } = await reader.identify();
    if (own && own.genesisHash !== genesisHash) throw new DeploymentRefusal([otherChain(network)]);
    const names = own ? [own.network] : [];
    for (const cursor of cursors) {
      if (cursor !== own && cursor.genesisHash === genesisHash && (await isScanned(reader, cursor)))
        names.push(cursor.network);
    }
    return names;
  } catch (error) {
    if (error instanceof DeploymentRefusal) throw error;
    if (own) return [own.network]; // The watcher compares the chain before it goes on.
    throw new DeploymentRefusal([cannotTell(network, cursors, error)]);
  }
}

/** Chains that split share their first blocks, so a scanned one has to stand there, too. */
async function isScanned(reader: ChainReader, { height, hash }: UnnamedCursor): Promise<boolean> {
  const [block] = await reader.findBlocks([height]);
  return block?.hash === hash;
}

const otherChain = (network: Network): string =>
  `The node of "${network.name}" serves another chain than the one that this database has watched under that name ` +
  '(block 0 differs): correct the RPC URL, the chain id or the name in KASI_NETWORKS';

const cannotTell = (network: Network, cursors: readonly UnnamedCursor[], error: unknown): string =>
  `KASI_NETWORKS has a network "${network.name}" that this database does not know, and the database has rows of ` +
  `${cursors.map((cursor) => `"${cursor.network}"`).join(', ')}, which may be the same chain. Its node cannot tell now ` +
  `(${error instanceof Error ? error.message : error}): start again when it answers, or with the former name`;
