import pg from 'pg';
import { expect, inject, test } from 'vitest';
import { startService } from '../harness.ts';

test('readiness reports an unreachable database, but neither its address nor its user', async () => {
  const service = await startService();
  const name = new URL(service.service.platform.config.databaseUrl ?? '').pathname.slice(1);
  const owner = new pg.Client({ connectionString: inject('postgres').ownerUrl });
  await owner.connect();
  await owner.query(`alter database ${name} allow_connections false`);
  await owner.query('select pg_terminate_backend(pid) from pg_stat_activity where datname = $1', [name]);
  const answer = await service.send('GET', '/readyz');
  expect(answer.status).toBe(503);
  expect(answer.body).toMatchObject({
    status: 'not_ready',
    checks: [
      { name: 'database', ok: false, detail: 'does not answer' },
      { name: 'notifications', ok: false, required: false },
    ],
  });
  expect(answer.text).not.toContain(name);
  await owner.query(`alter database ${name} allow_connections true`);
  await expect.poll(async () => (await service.send('GET', '/readyz')).status).toBe(200);
  await owner.end();
  await service.close().catch((error: Error) => expect(error.message).toMatch(/The service logged errors/));
});
