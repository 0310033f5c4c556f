import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { delimiter, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

/**
 * Makes a fresh clone runnable. Plain JavaScript without dependencies, for Node.js 20 or newer: it runs before anything
 * is installed.
 */

export const root = resolve(fileURLToPath(import.meta.url), '../../..');

/** The project's own Node.js, installed with the other packages. */
export const projectNode = join(root, 'node_modules/node/bin/node');

/**
 * Installs what package-lock.json lists unless it is installed already, and prints one line. With `dev: false`,
 * packages for development may be missing. Ends the process if the installation fails, which npm reports.
 */
export function ensureInstalled({ dev }) {
  const reason = findDifference({ dev });
  if (reason === undefined) return;
  console.log(`Installing the packages of package-lock.json (${reason}). This takes about a minute, once.`);
  const flags = ['--no-audit', '--no-fund', '--loglevel=error', ...(dev ? ['--include=dev'] : [])];
  const { status, signal, error } = spawnSync('npm', ['ci', ...flags], {
    cwd: root,
    env: outsideEnvironment(),
    stdio: 'inherit',
  });
  if (error !== undefined) console.error(`npm could not be started: ${error.message}`);
  if (status !== 0) process.exit(signal === 'SIGINT' ? 130 : (status ?? 1));
}

/**
 * What is missing, in words, or undefined. npm writes node_modules/.package-lock.json last, so an interrupted
 * installation counts as none, and a manual one counts.
 */
export function findDifference({ dev }) {
  if (!existsSync(projectNode)) return 'nothing is installed yet';
  const wanted = readPackages('package-lock.json');
  const installed = readPackages('node_modules/.package-lock.json');
  if (installed === undefined) return 'the last installation was not finished';
  for (const [path, { version, dev: isDev, optional, devOptional }] of Object.entries(wanted)) {
    if (!path.startsWith('node_modules/')) continue;
    const found = installed[path];
    if (found === undefined && (optional || devOptional || (isDev && !dev))) continue;
    if (found === undefined || found.version !== version) return `${path.slice('node_modules/'.length)} is missing`;
  }
  const foreign = Object.entries(installed).find(
    ([, { os, cpu }]) => excludes(os, process.platform) || excludes(cpu, process.arch),
  );
  return foreign && 'what is installed is for another machine';
}

function excludes(list, name) {
  return Array.isArray(list) && list.length > 0 && !list.includes(name) && !list.some((entry) => entry.startsWith('!'));
}

function readPackages(name) {
  const path = join(root, name);
  return existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')).packages : undefined;
}

/** npm removes node_modules first, so it must not run on the Node.js inside, which npm scripts put first in PATH. */
function outsideEnvironment() {
  const path = (process.env.PATH ?? '')
    .split(delimiter)
    .filter((folder) => !resolve(folder).startsWith(join(root, 'node_modules')));
  return { ...process.env, PATH: path.join(delimiter) };
}
