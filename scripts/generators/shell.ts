import { spawn, spawnSync } from 'node:child_process';

const VERSION: Readonly<Record<string, string>> = { go: 'version', java: '-version', javac: '-version' };

/** The programs of a list that this machine lacks. */
export const missingOf = (programs: readonly string[]): string[] =>
  programs.filter((program) => spawnSync(program, [VERSION[program] ?? '--version']).status !== 0);

/** Runs shell commands up to the first that fails, and returns what they printed. Throws with that when one fails. */
export function runShell(commands: string, cwd: string, env: Readonly<Record<string, string>> = {}): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  const shell = spawn('sh', ['-euc', commands], {
    cwd,
    env: { ...process.env, NO_PROXY: '127.0.0.1,localhost', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const output: Buffer[] = [];
  for (const stream of [shell.stdout, shell.stderr]) stream.on('data', (chunk: Buffer) => output.push(chunk));
  shell.once('error', reject);
  shell.once('close', (code) => {
    const text = Buffer.concat(output).toString('utf8');
    if (code === 0) resolve(text);
    else reject(new Error(`${commands}\nended with ${code}:\n${text.slice(-8000)}`));
  });
  return promise;
}
