import { execFile } from 'node:child_process';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { connectTestDatabase, type TestConnection } from '../support/connection.ts';

let connection: TestConnection;
beforeAll(async () => {
  connection = await connectTestDatabase();
});
afterAll(async () => {
  await connection.close();
});

/** Runs `scripts/<script>` as npm would and tells what it printed. */
function run(script: string, ...args: string[]): Promise<{ code: number; out: string; err: string }> {
  const env = { PATH: process.env['PATH'] ?? '', DATABASE_URL: connection.database.url };
  return new Promise((resolve) => {
    execFile(process.execPath, [`scripts/${script}`, ...args], { env }, (error, out, err) =>
      resolve({ code: error ? Number(error.code) : 0, out, err }),
    );
  });
}

test('an administrator is made with a password that is shown once', async () => {
  const made = await run('admin.ts', 'admin@kasi.example');
  expect(made.out).toMatch(/^New administrator admin@kasi\.example\nPassword: \S{24,}\n$/);
  expect((await run('admin.ts', 'admin@kasi.example')).out).toContain('New password for admin@kasi.example');
  expect((await run('admin.ts')).err).toContain('Usage:');
});
