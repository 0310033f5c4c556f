import { execFile, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { cp, mkdir, mkdtemp, readdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { inject, vi } from 'vitest';

const run = promisify(execFile);

/** The Python client, built and installed as from a package index; or what this machine lacks for that. */
export type InstalledPython = {
  /** The interpreter of the environment that it is installed in. */
  readonly python: string;
  /** The built package. */
  readonly wheel: string;
  readonly missing: string | null;
};

/** Builds the client and installs it once in a test run; later callers wait for the first. */
export async function installPython(): Promise<InstalledPython> {
  const folder = join(inject('runFolder'), 'installed-python');
  const result = join(folder, 'result.json');
  const isFirst = await mkdir(folder).then(
    () => true,
    () => false,
  );
  if (isFirst) {
    const outcome = await buildAndInstall(folder).catch((error: unknown) => ({ error: String(error) }));
    await writeFile(`${result}.new`, JSON.stringify(outcome));
    await rename(`${result}.new`, result); // Whole or not at all.
  }
  await vi.waitUntil(() => existsSync(result), { timeout: 170_000, interval: 50 });
  const outcome = JSON.parse(await readFile(result, 'utf8'));
  if (outcome.error) throw new Error(outcome.error);
  if (outcome.missing !== null) console.warn(`skipped, the Python client: ${outcome.missing}`);
  return outcome;
}

/** Only what the machine lacks is a reason to skip; a package that can't be built or installed is a failure. */
async function buildAndInstall(folder: string): Promise<InstalledPython> {
  const python = join(folder, 'venv/bin/python');
  const skipped = (missing: string): InstalledPython => ({ python, wheel: '', missing });
  if (spawnSync('python3', ['-c', 'import sys; sys.exit(sys.version_info < (3, 9))']).status !== 0) {
    return skipped('there is no python3 of version 3.9 or newer');
  }
  if (spawnSync('python3', ['-m', 'pip', '--version']).status !== 0) return skipped('python3 has no pip');
  if (spawnSync('python3', ['-m', 'venv', '--without-pip', join(folder, 'venv')]).status !== 0) {
    return skipped('python3 has no venv');
  }
  const pip = ['-m', 'pip', '--python', python, '--disable-pip-version-check', '--retries', '1', '--quiet'];
  const given = [
    'install',
    '--no-compile',
    '--only-binary',
    ':all:',
    '--requirement',
    'clients/python/tests/requirements.txt',
  ];
  const fetched = spawnSync('python3', [...pip, ...given], { encoding: 'utf8' });
  if (fetched.status !== 0) return skipped(`pip can't install what the tests need: ${lastLine(fetched.stderr)}`);

  // Built from a copy, so that the sources stay clean.
  const sources = join(folder, 'sources');
  await cp('clients/python', sources, { recursive: true, filter: (path) => !path.endsWith('__pycache__') });
  const offline = ['--no-index', '--no-deps'];
  const build = ['wheel', '--no-build-isolation', ...offline, '--wheel-dir', folder, sources];
  await run('python3', [...pip, ...build]);
  const [wheel = ''] = (await readdir(folder)).filter((name) => name.endsWith('.whl'));
  await run('python3', [...pip, 'install', ...offline, join(folder, wheel)]);
  return { python, wheel: join(folder, wheel), missing: null };
}

const lastLine = (text: string): string => text.trim().split('\n').at(-1) ?? '';

/** Runs the interpreter in a folder; returns what it prints. Throws its output when it fails. */
export async function runPython(
  { python }: InstalledPython,
  args: readonly string[],
  { cwd, env = {} }: { readonly cwd?: string; readonly env?: Readonly<Record<string, string>> } = {},
): Promise<string> {
  const options = { env: { ...process.env, PYTHONDONTWRITEBYTECODE: '1', ...env }, ...(cwd && { cwd }) };
  const { stdout } = await run(python, args, options).catch((error: { stdout: string; stderr: string }) => {
    throw new Error(`${error.stdout}\n${error.stderr}`);
  });
  return stdout;
}

/** Runs a module of the client's own tests. */
export const runTests = (installed: InstalledPython, module: string): Promise<string> =>
  runPython(installed, ['-m', 'unittest', `tests.${module}`], { cwd: resolve('clients/python') });

/** A foreign project, in which only the package is installed. */
export async function createPythonProject(): Promise<string> {
  return mkdtemp(join(inject('runFolder'), 'python-'));
}
