/**
 * Compares the contracts of a network with what the compiler makes of the sources: runtime code, immutables and
 * constructor arguments. Writes what block explorers ask for. Changes nothing on the chain.
 */
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { BaseError, getAddress } from 'viem';
import { getChainId } from 'viem/actions';
import { openNetworkReader, type Reader } from '../src/chains/evm/client.ts';
import { readCollector } from '../src/chains/evm/collector-reader.ts';
import { deterministicAddress } from '../src/chains/evm/deploy.ts';
import { type EvmNetwork, isEvmNetwork, treasuriesOf } from '../src/chains/evm/network.ts';
import {
  collectorDeployment,
  compareDeployment,
  type Deployment,
  factoryDeployment,
  type Papers,
} from '../src/chains/evm/verify-deployment.ts';
import { KINDS } from '../src/kinds.ts';
import { makeFolder } from '../src/lib/folders.ts';
import { readNetworks } from '../src/network-file.ts';
import { runCommand } from './lib/command.ts';
import { Refusal, usage } from './lib/connection.ts';
import { namedFile } from './lib/named-file.ts';
import { result, say } from './lib/output.ts';

const PAPERS = new URL('../generated/contract-papers.json', import.meta.url);

const deployments: object[] = [];

type Paper = Papers & { readonly identifier: string; readonly compiler: string; readonly input: object };

await runCommand(async () => {
  const [name, folder, ...rest] = process.argv.slice(2);
  if (name === undefined || rest.length > 0) throw usage('contracts verify');
  const network = findNetwork(name);
  const papers = JSON.parse(await readFile(PAPERS, 'utf8')) as Record<string, Paper>;
  const reader = openNetworkReader(network);
  try {
    for (const deployment of await listDeployments(reader, network)) {
      const paper = papers[deployment.contract];
      if (!paper) throw new Error(`${PAPERS.pathname} does not know ${deployment.contract}; run npm run generate`);
      describe(deployment, paper, await compareDeployment(reader, deployment, paper));
      if (folder !== undefined) await write(namedFile(folder), deployment, paper);
    }
  } catch (error) {
    throw error instanceof BaseError ? new Refusal(`${name}: ${error.shortMessage}`) : error;
  }
});

function findNetwork(name: string): EvmNetwork {
  const problems: string[] = [];
  const { networks } = readNetworks(process.env['KASI_NETWORKS'] ?? null, KINDS, problems);
  if (problems.length > 0) throw new Refusal(problems.join('\n'));
  const network = networks.find((each) => each.name === name);
  if (!network)
    throw new Refusal(`KASI_NETWORKS has no network ${name}; it has: ${networks.map((each) => each.name).join(', ')}.`);
  if (!isEvmNetwork(network)) throw new Refusal(`${name} is no EVM network, so it has no contracts of ours.`);
  return network;
}

async function listDeployments(reader: Reader, network: EvmNetwork): Promise<Deployment[]> {
  const chainId = await getChainId(reader);
  if (chainId !== network.chainId)
    throw new Refusal(`The node serves chain ${chainId}, not ${network.chainId}: correct the RPC URL.`);
  const factories = [network, ...(network.former ?? [])].map(({ factory, treasury }) =>
    factoryDeployment(getAddress(factory), getAddress(treasury)),
  );
  if (network.collector === null) return factories;
  const collector = getAddress(network.collector);
  const { owner, operator } = network.collectorRoles ?? (await readCollector(reader, collector));
  const first = { owner: getAddress(owner), operator: getAddress(operator) };
  // It may go on paying a former treasury; its address says which.
  const candidates = treasuriesOf(network).map((treasury) =>
    collectorDeployment(collector, chainId, { treasury: getAddress(treasury), ...first }),
  );
  const [current] = candidates;
  const ours = candidates.find(({ address, initCode }) => deterministicAddress(initCode) === address) ?? current;
  return ours ? [...factories, ours] : factories;
}

function describe(
  { contract, address, constructorArguments }: Deployment,
  paper: Paper,
  problems: readonly string[],
): void {
  if (problems.length > 0) process.exitCode = 1;
  deployments.push({ contract, address, problems, constructorArguments });
  result({ deployments });
  say(problems.length === 0 ? `ok       ${contract} ${address} is ours` : `problem  ${contract} ${address}:`);
  for (const problem of problems) say(`           ${problem}`);
  say(`           contract ${paper.identifier}, compiler ${paper.compiler}`);
  say(`           constructor arguments ${constructorArguments}`);
}

async function write(folder: string, { contract }: Deployment, { input }: Paper): Promise<void> {
  makeFolder(folder);
  const file = join(folder, `${contract}.standard.json`);
  await writeFile(file, JSON.stringify(input));
  say(`           standard JSON input in ${file}`);
}
