import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { compileCache } from '../../scripts/lib/service-command.mjs';

/**
 * Runs a module's code in a process that then kills itself with SIGKILL, like a service that never cleaned up. `code`
 * may use await and `report(value)`; the last reported value is returned. Rejects when the code throws.
 */
export async function runAndDie(code: string, account: { uid?: number; gid?: number } = {}): Promise<unknown> {
  const script = `
    const report = (value) => process.stdout.write(JSON.stringify(value) + '\\n');
    ${code}
    setTimeout(() => process.kill(process.pid, 'SIGKILL'), 0);`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', script], {
    ...account,
    cwd: '/',
    env: { ...process.env, NODE_COMPILE_CACHE: compileCache },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const output: Buffer[] = [];
  const errors: Buffer[] = [];
  child.stdout.on('data', (chunk: Buffer) => output.push(chunk));
  child.stderr.on('data', (chunk: Buffer) => errors.push(chunk));
  const [, signal] = (await once(child, 'close')) as [number | null, NodeJS.Signals | null];
  if (signal !== 'SIGKILL') throw new Error(Buffer.concat(errors).toString('utf8'));
  const lines = Buffer.concat(output).toString('utf8').trim().split('\n');
  return JSON.parse(lines.at(-1) || 'null');
}
