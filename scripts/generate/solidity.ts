import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';

/** One compiled contract. `bytecode` and `runtime` are 0x-prefixed hex. */
export type CompiledContract = {
  readonly name: string;
  readonly abi: readonly unknown[];
  readonly bytecode: `0x${string}`;
  readonly runtime: `0x${string}`;
};

type Compiler = {
  version(): string;
  compile(input: string, callbacks: { import(path: string): { contents: string } | { error: string } }): string;
};

type Output = {
  readonly errors?: readonly Complaint[];
  readonly contracts?: Record<string, Record<string, OutputContract>>;
};

type Complaint = {
  readonly errorCode: string;
  readonly formattedMessage: string;
  readonly sourceLocation?: { readonly file: string };
};

type OutputContract = {
  readonly abi: readonly unknown[];
  readonly evm: {
    readonly bytecode: { readonly object: string };
    readonly deployedBytecode: { readonly object: string };
  };
};

const require = createRequire(import.meta.url);

/**
 * Every option that affects the bytes, and with them every deposit address. `cancun` runs on all networks that we know.
 * No metadata, because then a comment would change addresses. Compiling through the IR makes the forwarder 12 bytes
 * shorter.
 */
const SETTINGS = {
  evmVersion: 'cancun',
  viaIR: true,
  optimizer: { enabled: true, runs: 200 },
  metadata: { bytecodeHash: 'none', appendCBOR: false },
  outputSelection: { '*': { '*': ['abi', 'evm.bytecode.object', 'evm.deployedBytecode.object'] } },
} as const;

/** Contracts that are never deployed need no optimiser, and compile in a sixth of the time. */
const QUICK_SETTINGS = { ...SETTINGS, viaIR: false, optimizer: { enabled: false } } as const;

/**
 * The compiler's warning about transient storage. OpenZeppelin's reentrancy guard uses it in a way that the compiler
 * calls safe.
 */
const isKnownHarmless = ({ errorCode, sourceLocation }: Complaint): boolean =>
  errorCode === '2394' && sourceLocation?.file === '@openzeppelin/contracts/utils/TransientSlot.sol';

/**
 * Compiles `files` (paths within `folder`) and what they import, from the folder or an npm package. Returns the
 * contracts that the files themselves define, sorted by name. Throws for any error or warning of the compiler.
 */
export function compileSolidity(
  folder: string,
  files: readonly string[],
  { quick = false }: { readonly quick?: boolean } = {},
): CompiledContract[] {
  const compiler = require('solc') as Compiler;
  const settings = quick ? QUICK_SETTINGS : SETTINGS;
  // Each file alone: files compiled with it must not change its bytes.
  return files
    .flatMap((file) => Object.entries(compileFile(compiler, settings, folder, file)))
    .filter(([, contract]) => contract.evm.bytecode.object !== '') // Interfaces have no code.
    .map(([name, contract]) => ({
      name,
      abi: contract.abi,
      bytecode: `0x${contract.evm.bytecode.object}` as const,
      runtime: `0x${contract.evm.deployedBytecode.object}` as const,
    }))
    .sort((a, b) => (a.name < b.name ? -1 : 1));
}

function compileFile(
  compiler: Compiler,
  settings: object,
  folder: string,
  file: string,
): Record<string, OutputContract> {
  const sources = { [file]: { content: readFileSync(join(folder, file), 'utf8') } };
  const input = JSON.stringify({ language: 'Solidity', sources, settings });
  const output = JSON.parse(compiler.compile(input, { import: (path) => readImport(folder, path) })) as Output;
  const complaints = (output.errors ?? []).filter((complaint) => !isKnownHarmless(complaint));
  if (complaints.length > 0) throw new Error(complaints.map((complaint) => complaint.formattedMessage).join('\n'));
  return output.contracts?.[file] ?? {};
}

function readImport(folder: string, path: string): { contents: string } | { error: string } {
  try {
    const file = path.startsWith('@') ? require.resolve(path) : join(folder, path);
    return { contents: readFileSync(file, 'utf8') };
  } catch (error) {
    return { error: String(error) };
  }
}
