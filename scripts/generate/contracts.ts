/**
 * Writes generated/contracts.ts from the Solidity contracts: ABI, bytecode and deployed size of each; and their papers,
 * generated/contract-papers.json: what others need to check a deployment against the sources. The same sources give the
 * same bytes on every machine. Usage: node scripts/generate/contracts.ts [folder]
 */
import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { keccak256 } from 'viem';
import { type CompiledContract, compileSolidity } from './solidity.ts';

const SOURCES = 'src/chains/evm/contracts';
const target = process.argv[2] ?? 'generated';

const files = readdirSync(SOURCES, { recursive: true, encoding: 'utf8' })
  .map((file) => file.replaceAll('\\', '/'))
  .filter((file) => file.endsWith('.sol'))
  .sort();
const contracts = compileSolidity(SOURCES, files);
const forwarder = contracts.find((contract) => contract.name === 'Forwarder');
if (forwarder === undefined) throw new Error('Forwarder.sol defines no contract Forwarder');
writeFileSync(
  join(target, 'contracts.ts'),
  [
    `// Written by \`npm run generate\` from ${SOURCES}; never edited.`,
    ...contracts.map(present),
    `/** keccak256 of the forwarder's init code: a deposit address follows from it, the factory's address and the salt. */\nexport const FORWARDER_INIT_CODE_HASH = '${keccak256(forwarder.bytecode)}';\n`,
  ].join('\n\n'),
);

const papers = contracts.map(({ name, runtime, papers: each }) => [name, { ...each, runtime }]);
writeFileSync(join(target, 'contract-papers.json'), `${JSON.stringify(Object.fromEntries(papers), null, 1)}\n`);

function present(contract: CompiledContract): string {
  const name = contract.name.charAt(0).toLowerCase() + contract.name.slice(1);
  return [
    `export const ${name} = {`,
    `  abi: ${JSON.stringify(contract.abi, null, 2).replaceAll('\n', '\n  ')},`,
    `  bytecode:\n    '${contract.bytecode}',`,
    `  runtimeBytes: ${(contract.runtime.length - 2) / 2},`,
    '} as const;',
  ].join('\n');
}
