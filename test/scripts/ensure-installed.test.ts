import { copyFileSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, inject, test } from 'vitest';
import { makeTestFolder } from '../support/run-folder.ts';

type Packages = Record<string, object>;
type Module = { findDifference(options: { dev: boolean }): string | undefined };

const wanted: Packages = {
  '': { version: '0.1.0' },
  'clients/typescript': { version: '0.1.0' },
  'node_modules/@kasi/client': { resolved: 'clients/typescript', link: true },
  'node_modules/pg': { version: '8.1.0' },
  'node_modules/vitest': { version: '5.0.0', dev: true },
  'node_modules/binary-here': { version: '1.0.0', optional: true, os: [process.platform] },
  'node_modules/binary-there': { version: '1.0.0', optional: true, os: ['aix'] },
};
const { '': _, 'node_modules/binary-there': __, ...complete } = wanted;

let clone: string;
let module: Module;

beforeEach(async () => {
  clone = makeTestFolder(inject('runFolder'));
  mkdirSync(join(clone, 'scripts/lib'), { recursive: true });
  mkdirSync(join(clone, 'node_modules/node/bin'), { recursive: true });
  writeFileSync(join(clone, 'node_modules/node/bin/node'), '');
  copyFileSync(
    new URL('../../scripts/lib/ensure-installed.mjs', import.meta.url),
    join(clone, 'scripts/lib/ensure-installed.mjs'),
  );
  lock('package-lock.json', wanted);
  lock('node_modules/.package-lock.json', complete);
  module = (await import(join(clone, 'scripts/lib/ensure-installed.mjs'))) as Module;
});

function lock(name: string, packages: Packages): void {
  writeFileSync(join(clone, name), JSON.stringify({ packages }));
}

const without = (name: string) =>
  Object.fromEntries(Object.entries(complete).filter(([path]) => path !== `node_modules/${name}`));

test("an installation by npm from the same lockfile is accepted, without other platforms' packages", () => {
  expect(module.findDifference({ dev: true })).toBeUndefined();
});

test('reports a missing package, another version and a missing link', () => {
  lock('node_modules/.package-lock.json', without('pg'));
  expect(module.findDifference({ dev: false })).toBe('pg is missing');
  lock('node_modules/.package-lock.json', { ...complete, 'node_modules/pg': { version: '8.0.0' } });
  expect(module.findDifference({ dev: false })).toBe('pg is missing');
  lock('node_modules/.package-lock.json', without('@kasi/client'));
  expect(module.findDifference({ dev: false })).toBe('@kasi/client is missing');
});

test('development packages may be missing for a start, but not for the tests', () => {
  lock('node_modules/.package-lock.json', without('vitest'));
  expect(module.findDifference({ dev: false })).toBeUndefined();
  expect(module.findDifference({ dev: true })).toBe('vitest is missing');
});

test('reports an empty clone, an interrupted installation, and one from another machine', () => {
  lock('node_modules/.package-lock.json', {
    ...complete,
    'node_modules/binary-there': { version: '1.0.0', os: ['aix'] },
  });
  expect(module.findDifference({ dev: false })).toBe('what is installed is for another machine');
  rmSync(join(clone, 'node_modules/.package-lock.json'));
  expect(module.findDifference({ dev: false })).toBe('the last installation was not finished');
  rmSync(join(clone, 'node_modules'), { recursive: true });
  expect(module.findDifference({ dev: false })).toBe('nothing is installed yet');
});
