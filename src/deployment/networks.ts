import { inTransaction } from '../db/transaction.ts';
import type { Db, Trx } from '../lib/db-types.ts';
import type { Network } from '../ports/chain.ts';
import type { Chains } from '../ports/chain-kind.ts';
import { type Configured, compareNetwork, describeDifference, type KnownNetwork } from './compare.ts';
import { ifTableExists } from './evidence.ts';
import { type FormerNames, meetChains } from './first-sight.ts';
import { lockIdentity } from './identity.ts';
import type { Mode } from './mode.ts';
import {
  correctToken,
  forgetNetwork,
  insertContracts,
  insertName,
  insertNetwork,
  insertTokens,
  isUsed,
  listKnownNetworks,
  listUnnamedCursors,
} from './network-queries.ts';
import { DeploymentRefusal } from './refusal.ts';

export type NetworkDeps = { readonly chains: Pick<Chains, 'kindOf'>; readonly mode: Mode };

/**
 * The networks of the configuration under the names that the database knows their chains by, which every row about them
 * bears. Records what is new: a chain, another name of one, a factory beside the former ones, a token. Throws
 * DeploymentRefusal, and records nothing, when a name means another chain than before or something differs that cannot
 * change. See decision deployment/first-name-stays.
 */
export async function proveNetworks(db: Db, networks: readonly Network[], deps: NetworkDeps): Promise<Network[]> {
  const configured = networks.map((network) => ({ network, identity: deps.chains.kindOf(network).describe(network) }));
  const former = await meetChains(configured, await listKnownNetworks(db), await listUnnamedCursors(db), deps.chains);
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

/** Every chain that the database knows; none in one that is not migrated. */
export const listKnown = async (db: Db | Trx): Promise<KnownNetwork[]> =>
  (await ifTableExists(() => listKnownNetworks(db))) ?? [];

/** In what the networks of the configuration differ from the database. Asks no node and changes nothing. */
export async function findNetworkProblems(
  db: Db,
  networks: readonly Network[],
  { chains, mode }: NetworkDeps,
): Promise<string[]> {
  const known = await listKnown(db);
  const problems: string[] = [];
  for (const network of networks) {
    const each = { network, identity: chains.kindOf(network).describe(network) };
    const recorded = known.find(({ chain }) => chain === each.identity.chain);
    const taken = findOther(each, known);
    if (taken && taken.genesisHash !== null) problems.push(describeTaken(each, taken));
    if (recorded) problems.push(...(await findLasting(db, each, recorded, mode)).problems);
  }
  return problems;
}

/** The networks under the names that the database knows their chains by; for scripts, which record nothing. */
export async function useKnownNames(
  db: Db | Trx,
  networks: readonly Network[],
  { kindOf }: NetworkDeps['chains'],
): Promise<Network[]> {
  const known = await listKnown(db);
  return networks.map((network) => {
    const { chain } = kindOf(network).describe(network);
    return { ...network, name: known.find((each) => each.chain === chain)?.name ?? network.name };
  });
}

type Proof = { readonly name: string; readonly problems: readonly string[] };

async function prove(trx: Trx, each: Configured, former: FormerNames, mode: Mode): Promise<Proof> {
  const { network, identity } = each;
  const taken = findOther(each, await listKnownNetworks(trx));
  if (taken && !(await forgetNetwork(trx, taken.chain)))
    return { name: network.name, problems: [describeTaken(each, taken)] };
  const known = await listKnownNetworks(trx);
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

/** Another chain that has this network's name. */
const findOther = ({ network, identity }: Configured, known: readonly KnownNetwork[]): KnownNetwork | undefined =>
  known.find((each) => each.chain !== identity.chain && each.names.includes(network.name));

const describeTaken = ({ network, identity }: Configured, other: KnownNetwork): string =>
  `KASI_NETWORKS calls ${identity.chain} "${network.name}", which is the name of ${other.chain} in this database: correct ` +
  'its chain id, or give it another name';

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
