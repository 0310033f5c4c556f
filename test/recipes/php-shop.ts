import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect } from 'vitest';

const exec = promisify(execFile);
const STRICT = ['-d', 'error_reporting=-1', '-d', 'display_errors=stderr'];

type Run = { readonly folder: string; readonly file: string; readonly env: Readonly<Record<string, string>> };

/** Gives a shop in PHP its steps, as JSON, one a line; the lines that it answers. It must not complain. */
export async function playPhp({ folder, file, env }: Run, steps: readonly object[]): Promise<string[]> {
  const running = exec('php', [...STRICT, file], { cwd: folder, env: { ...process.env, ...env } });
  running.child.stdin?.end(steps.map((step) => JSON.stringify(step)).join('\n'));
  const { stdout, stderr } = await running;
  expect(stderr).toBe('');
  return stdout.trim().split('\n');
}
