import { fileURLToPath } from 'node:url';
import { type CompiledContract, compileSolidity } from '../../scripts/generate/solidity.ts';

const FOLDER = fileURLToPath(new URL('../chains/contracts/', import.meta.url));

/** Compiles contracts that only tests need; `files` are in test/chains/contracts. */
export function compileTestContracts(...files: string[]): Record<string, CompiledContract> {
  return Object.fromEntries(
    compileSolidity(FOLDER, files, { quick: true }).map((contract) => [contract.name, contract]),
  );
}
