import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, inject, test } from 'vitest';
import { keepSecret, loadMasterKey } from '../../src/sandbox/secrets.ts';
import { runAndDie } from '../support/orphans.ts';
import { makeTestFolder } from '../support/run-folder.ts';

const project = new URL('../..', import.meta.url).pathname;

let dataDir: string;
beforeEach(() => {
  dataDir = join(makeTestFolder(inject('runFolder')), 'data');
});

test('the master key is created once, random, and readable only by its owner', () => {
  const key = loadMasterKey(dataDir);
  expect(key).toHaveLength(32);
  expect(loadMasterKey(dataDir)).toEqual(key);
  expect(statSync(join(dataDir, 'master.key')).mode & 0o777).toBe(0o600);
  expect(readdirSync(dataDir)).toEqual(['master.key']);
  expect(loadMasterKey(join(dataDir, 'other'))).not.toEqual(key);
});

test('processes that start concurrently and are killed agree on one key', async () => {
  const code = `
    const { loadMasterKey } = await import('${project}/src/sandbox/secrets.ts');
    report(loadMasterKey('${dataDir}').toString('hex'));`;
  const keys = await Promise.all(Array.from({ length: 4 }, () => runAndDie(code)));
  expect(new Set(keys)).toEqual(new Set([loadMasterKey(dataDir).toString('hex')]));
});

test.each(['', 'secret', 'ab'.repeat(31)])(
  'a key file with %j is refused with a remedy, and left unchanged',
  (text) => {
    mkdirSync(dataDir);
    const path = join(dataDir, 'master.key');
    writeFileSync(path, text);
    expect(() => loadMasterKey(dataDir)).toThrow(/holds no key of 32 bytes in hex\. Put the right one back/);
    expect(readFileSync(path, 'utf8')).toBe(text);
  },
);

test('a secret reports whether it was just created', () => {
  expect(keepSecret(dataDir, 'word', () => 'first')).toEqual({ text: 'first', isNew: true });
  expect(keepSecret(dataDir, 'word', () => 'second')).toEqual({ text: 'first', isNew: false });
});
