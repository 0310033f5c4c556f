/**
 * Adds to package-lock.json the platform packages that a partial mirror of the registry lacks, so that `npm ci` works
 * with and without the mirror. Run it after every `npm install`: npm run lockfile
 */
import { readFileSync, writeFileSync } from 'node:fs';

const FILE = 'package-lock.json';
const SYSTEMS = new Set([
  'android',
  'darwin',
  'freebsd',
  'linux',
  'win32',
  'openharmony',
  'netbsd',
  'openbsd',
  'sunos',
  'aix',
]);
const PROCESSORS = {
  x64: 'x64',
  amd64: 'x64',
  arm64: 'arm64',
  ia32: 'ia32',
  arm: 'arm',
  ppc64: 'ppc64',
  riscv64: 'riscv64',
  s390x: 's390x',
  loong64: 'loong64',
};

/** The platform of a package, from its name: @biomejs/cli-linux-x64-musl. */
function platformOf(name) {
  const parts = name.split(/[/-]/);
  const os = parts.filter((part) => SYSTEMS.has(part));
  const cpu = parts.map((part) => PROCESSORS[part]).filter(Boolean);
  const libc = parts.some((part) => part.startsWith('musl')) ? ['musl'] : parts.includes('gnu') ? ['glibc'] : [];
  return { ...(cpu.length && { cpu }), ...(libc.length && { libc }), ...(os.length && { os }) };
}

const lock = JSON.parse(readFileSync(FILE, 'utf8'));
const added = [];
for (const [place, entry] of Object.entries(lock.packages)) {
  for (const [name, version] of Object.entries(entry.optionalDependencies ?? {})) {
    const key = `node_modules/${name}`;
    if (lock.packages[key] || lock.packages[`${place}/${key}`]) continue;
    lock.packages[key] = { version, ...(entry.dev && { dev: true }), optional: true, ...platformOf(name) };
    added.push(`${name}@${version}`);
  }
}
const order = ([a], [b]) => (a === '' ? -1 : b === '' ? 1 : a.localeCompare(b, 'en'));
lock.packages = Object.fromEntries(Object.entries(lock.packages).sort(order));
writeFileSync(FILE, `${JSON.stringify(lock, null, 2)}\n`);
process.stdout.write(added.length > 0 ? `added ${added.join(', ')}\n` : 'nothing is missing\n');
