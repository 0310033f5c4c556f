import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join, posix } from 'node:path';

/** One compiled contract. `bytecode` and `runtime` are 0x-prefixed hex. */
export type CompiledContract = {
  readonly name: string;
  readonly abi: readonly unknown[];
  readonly bytecode: `0x${string}`;
  readonly runtime: `0x${string}`;
  readonly papers: ContractPapers;
};

type Slot = { readonly label: string; readonly slot: string; readonly offset: number; readonly type: string };

/** What others need to check a deployment against the sources. */
export type ContractPapers = {
  /** As block explorers name it: the file and the contract. */
  readonly identifier: string;
  readonly compiler: string;
  /** Where the compiler leaves zeros for each immutable, as [first byte, length] in the runtime code. */
  readonly immutables: Readonly<Record<string, readonly (readonly [number, number])[]>>;
  /** The variables in storage, and after them the members of each struct. */
  readonly storage: readonly Slot[];
  readonly userdoc: object;
  readonly devdoc: object;
  /** Standard JSON input: compiled, it gives these very bytes. */
  readonly input: StandardInput;
};

type StandardInput = {
  readonly language: 'Solidity';
  readonly sources: Readonly<Record<string, { readonly content: string }>>;
  readonly settings: object;
};

type Compiler = { version(): string; compile(input: string): string };

type Output = {
  readonly errors?: readonly Complaint[];
  readonly contracts?: Record<string, Record<string, OutputContract>>;
  readonly sources?: Record<string, { readonly ast: unknown }>;
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
    readonly deployedBytecode: {
      readonly object: string;
      readonly immutableReferences: Readonly<Record<string, readonly { start: number; length: number }[]>>;
    };
  };
  readonly userdoc: object;
  readonly devdoc: object;
  readonly storageLayout: {
    readonly storage: readonly Slot[];
    readonly types: Readonly<Record<string, { readonly members?: readonly Slot[] }>> | null;
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
  outputSelection: {
    '*': {
      '': ['ast'],
      '*': [
        ...['abi', 'userdoc', 'devdoc', 'storageLayout', 'evm.bytecode.object'],
        ...['evm.deployedBytecode.object', 'evm.deployedBytecode.immutableReferences'],
      ],
    },
  },
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
    .flatMap((file) => compileFile(compiler, settings, folder, file))
    .sort((a, b) => (a.name < b.name ? -1 : 1));
}

/** The contracts with code that a file defines. */
function compileFile(compiler: Compiler, settings: object, folder: string, file: string): CompiledContract[] {
  const input: StandardInput = { language: 'Solidity', sources: gatherSources(folder, file), settings };
  const output = JSON.parse(compiler.compile(JSON.stringify(input))) as Output;
  const complaints = (output.errors ?? []).filter((complaint) => !isKnownHarmless(complaint));
  if (complaints.length > 0) throw new Error(complaints.map((complaint) => complaint.formattedMessage).join('\n'));
  const names = namesById(output.sources);
  return Object.entries(output.contracts?.[file] ?? {})
    .filter(([, contract]) => contract.evm.bytecode.object !== '') // Interfaces have no code.
    .map(([name, contract]) => ({
      name,
      abi: contract.abi,
      bytecode: `0x${contract.evm.bytecode.object}` as const,
      runtime: `0x${contract.evm.deployedBytecode.object}` as const,
      papers: {
        identifier: `${file}:${name}`,
        compiler: `v${compiler.version().replace('.Emscripten.clang', '')}`,
        immutables: Object.fromEntries(
          Object.entries(contract.evm.deployedBytecode.immutableReferences).map(([id, places]) => [
            names.get(Number(id)) ?? id,
            places.map(({ start, length }) => [start, length] as const),
          ]),
        ),
        storage: listStorage(contract.storageLayout),
        userdoc: contract.userdoc,
        devdoc: contract.devdoc,
        input,
      },
    }));
}

/** Without the compiler's numbers, which change with every word of a source. */
function listStorage({ storage, types }: OutputContract['storageLayout']): Slot[] {
  const plain = (name: string): string => name.replaceAll(/\)\d+(?=_|$)/g, ')');
  const present = (struct: string, { label, slot, offset, type }: Slot): Slot => ({
    ...{ label: `${struct}${label}`, slot, offset, type: plain(type) },
  });
  return [
    ...storage.map((each) => present('', each)),
    ...Object.entries(types ?? {}).flatMap(([name, { members = [] }]) =>
      members.map((each) => present(`${plain(name)}.`, each)),
    ),
  ];
}

/** The names of all declarations. */
function namesById(sources: Output['sources']): Map<number, string> {
  const names = new Map<number, string>();
  const walk = (node: unknown): void => {
    if (typeof node !== 'object' || node === null) return;
    const { id, name } = node as { readonly id?: unknown; readonly name?: unknown };
    if (typeof id === 'number' && typeof name === 'string') names.set(id, name);
    for (const child of Object.values(node)) walk(child);
  };
  walk(sources);
  return names;
}

const IMPORT = /^import\s[^;]*"([^"]+)";/gm;

/** A file of the folder and all that it imports, from the folder or a package, by the names that imports resolve to. */
function gatherSources(folder: string, file: string): StandardInput['sources'] {
  const found: Record<string, { content: string }> = {};
  const waiting = [file];
  for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
    if (Object.hasOwn(found, path)) continue;
    const content = readFileSync(path.startsWith('@') ? require.resolve(path) : join(folder, path), 'utf8');
    found[path] = { content };
    for (const [, name = ''] of content.matchAll(IMPORT)) {
      waiting.push(name.startsWith('.') ? posix.join(posix.dirname(path), name) : name);
    }
  }
  return Object.fromEntries(Object.entries(found).sort(([a], [b]) => (a < b ? -1 : 1)));
}
