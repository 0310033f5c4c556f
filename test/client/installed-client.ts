import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { cp, mkdir, mkdtemp, readFile, rename, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { inject, vi } from 'vitest';
import { packForNpm } from '../../scripts/recipes/clients.ts';

const run = promisify(execFile);

/** What `npm publish` would send, and an empty foreign project in which it was installed. */
export type InstalledClient = {
  /** The packed package. */
  readonly tarball: string;
  /** Its files, by path. */
  readonly files: readonly string[];
  readonly nodeModules: string;
};

/** Packs the client and installs it once in a test run; later callers wait for the first. */
export async function installClient(): Promise<InstalledClient> {
  const folder = join(inject('runFolder'), 'installed-client');
  const result = join(folder, 'result.json');
  const isFirst = await mkdir(folder).then(
    () => true,
    () => false,
  );
  if (isFirst) {
    const outcome = await packAndInstall(folder).catch((error: unknown) => ({ error: String(error) }));
    await writeFile(`${result}.new`, JSON.stringify(outcome));
    await rename(`${result}.new`, result); // Whole or not at all.
  }
  await vi.waitUntil(() => existsSync(result), { timeout: 60_000, interval: 50 });
  const outcome = JSON.parse(await readFile(result, 'utf8'));
  if (outcome.error) throw new Error(outcome.error);
  return outcome;
}

async function packAndInstall(folder: string): Promise<InstalledClient> {
  const packed = await packForNpm(folder);
  await writeFile(join(folder, 'package.json'), '{"type":"module","private":true}');
  const install = ['install', '--prefer-offline', '--ignore-scripts', '--no-audit', '--no-fund', packed.tarball];
  await run('npm', install, { cwd: folder });
  return { ...packed, nodeModules: join(folder, 'node_modules') };
}

export type Project = {
  readonly folder: string;
  /** Writes a file in the folder `src`. */
  readonly write: (name: string, text: string) => Promise<void>;
  /** Compiles `src` to `out` as a strict project would; throws the compiler's output. */
  readonly compile: (options?: Readonly<Record<string, unknown>>) => Promise<void>;
  /** Runs a compiled file on the Node.js of these tests; returns its output. */
  readonly run: (file: string, env?: Readonly<Record<string, string>>) => Promise<string>;
};

/** A foreign project, of ES modules or of CommonJS, that has installed the packed client and nothing else. */
export async function createProject(
  { nodeModules }: InstalledClient,
  type: 'module' | 'commonjs' = 'module',
): Promise<Project> {
  const folder = await mkdtemp(join(inject('runFolder'), 'project-'));
  await writeFile(join(folder, 'package.json'), JSON.stringify({ type, private: true }));
  await cp(nodeModules, join(folder, 'node_modules'), { recursive: true });
  await mkdir(join(folder, 'src'));
  return {
    folder,
    write: (name, text) => writeFile(join(folder, 'src', name), text),
    compile: async (options = {}) => {
      const compilerOptions = { ...STRICT, typeRoots: [resolve('node_modules/@types')], ...options };
      await writeFile(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['src'] }));
      await run(process.execPath, [resolve('node_modules/typescript/bin/tsc'), '-p', folder]).catch((error) => {
        throw new Error(error.stdout);
      });
    },
    run: async (file, env = {}) => {
      const { stdout } = await run(process.execPath, [file], { cwd: folder, env: { ...process.env, ...env } });
      return stdout;
    },
  };
}

const STRICT = {
  target: 'es2022',
  module: 'nodenext',
  lib: ['es2022'],
  types: ['node'],
  strict: true,
  exactOptionalPropertyTypes: true,
  noUncheckedIndexedAccess: true,
  noPropertyAccessFromIndexSignature: true,
  verbatimModuleSyntax: true,
  rootDir: 'src',
  outDir: 'out',
};
