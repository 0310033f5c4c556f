import { execFile, spawnSync } from 'node:child_process';
import { copyFile, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, inject, test } from 'vitest';
import { packagesIn, readSteps } from '../../scripts/recipes/guide.ts';
import { writeFiles } from '../../scripts/recipes/workshop.ts';
import { installPython } from '../client/installed-python.ts';
import { createTestDatabase } from '../support/database.ts';
import { makeTestFolder } from '../support/run-folder.ts';

const run = promisify(execFile);
const DID_NOT_ARRIVE = [
  'Refund ref_8 of pay_8 did not arrive: processing.',
  'Refund ref_9 of pay_8 did not arrive: failed.',
  'Refund ref_8 of pay_8 did not arrive: failed.',
];
const DRIVER = 'psycopg[binary]==3.2.9';

test('two workers of the Django shop that handle events at once in PostgreSQL end as one after the other', async ({
  skip,
}) => {
  const { wheel, missing } = await installPython();
  if (missing !== null) return skip(missing);
  const folder = makeTestFolder(inject('runFolder'));
  const steps = readSteps('django');
  const django = packagesIn(steps).map(([name, version]) => `${name}==${version}`);
  const python = join(folder, 'venv/bin/python');
  await run('python3', ['-m', 'venv', join(folder, 'venv')]);
  const pip = ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', '--retries', '1'];
  const installed = spawnSync(python, [...pip, ...django, DRIVER, wheel], { encoding: 'utf8' });
  if (installed.status !== 0) return skip(`pip does not bring Django: ${installed.stderr.trim().split('\n').at(-1)}`);

  writeFiles(steps, folder);
  await mkdir(join(folder, 'shop'), { recursive: true });
  await writeFile(join(folder, 'shop/__init__.py'), '');
  await copyFile('test/recipes/django-at-once.py', join(folder, 'at_once.py'));
  const database = await createTestDatabase();
  const { hostname, port, pathname, username, password } = new URL(database.ownerUrl);
  const env = {
    DB_HOST: hostname,
    DB_PORT: port,
    DB_NAME: pathname.slice(1),
    DB_USER: username,
    DB_PASSWORD: password,
  };
  try {
    const { stdout } = await run(python, ['at_once.py'], { cwd: folder, env: { ...process.env, ...env } });
    expect(stdout.trim().split('\n')).toEqual([
      'a refund beside its payment: refunded',
      'a payment beside its refund: refunded',
      'two refunds: refunded',
      "two payments: paid pay_4 ['Payment pay_5 fits no open order.']",
      'a refund that was taken back: refunding',
      'and that is there again: refunded',
      `and that fails: paid [${DID_NOT_ARRIVE.map((said) => `'${said}'`).join(', ')}]`,
      'one event twice: paid',
      'a payment that was taken back: held',
      'and that is there again: paid',
    ]);
  } finally {
    await database.drop();
  }
});
