import { execFile, spawn } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { end, untilOk } from '../lib/children.ts';
import { until } from '../lib/wait.ts';

/** A machine of an operator: a folder with the installed package, and what its shell knows. */
export type Machine = {
  readonly folder: string;
  /** Settings that its commands and its service get. */
  readonly settings: Record<string, string>;
  /** Runs a command with `--json`, and returns what it found. Throws, with all that it said, when it fails. */
  readonly kasi: (words: string, more?: Readonly<Record<string, string>>) => Promise<Record<string, unknown>>;
  /** Starts the service; resolves when it is ready. */
  readonly start: () => Promise<Running>;
};

export type Running = {
  readonly url: string;
  readonly stop: () => Promise<void>;
};

const WELCOME_MS = 10_000;
const run = promisify(execFile);

/** Packs this checkout and installs the package in an empty folder, by npm and nothing else. */
export async function installMachine(folder: string): Promise<Machine> {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'package.json'), '{"name":"machine","private":true}');
  const pack = join(import.meta.dirname, '../pack.ts');
  const { stdout } = await run(process.execPath, [pack, folder]);
  const [file = ''] = /\S+\.tgz/.exec(stdout) ?? [];
  const flags = ['--prefer-offline', '--no-audit', '--no-fund', '--loglevel=error'];
  await run('npm', ['install', ...flags, file], { cwd: folder });
  const settings: Record<string, string> = {};
  const program = join(folder, 'node_modules/.bin/kasi');
  const env = (more: Readonly<Record<string, string>>): Record<string, string> => ({
    PATH: [dirname(process.execPath), '/usr/local/bin', '/usr/bin', '/bin'].join(':'),
    ...settings,
    ...more,
  });
  return {
    folder,
    settings,
    kasi: async (words, more = {}) => {
      const args = [...words.split(' '), '--json'];
      const { stdout: said } = await run(program, args, { cwd: folder, env: env(more) }).catch((error: unknown) => {
        const { stdout: out, stderr } = error as { stdout: string; stderr: string };
        throw new Error(`kasi ${words} failed:\n${out}${stderr}`);
      });
      return JSON.parse(said) as Record<string, unknown>;
    },
    start: () => startService(program, folder, env({})),
  };
}

async function startService(program: string, cwd: string, env: Record<string, string>): Promise<Running> {
  const child = spawn(program, ['start'], { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] });
  const output: Buffer[] = [];
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => output.push(chunk));
  const printed = (): string => Buffer.concat(output).toString('utf8');
  const url = `http://127.0.0.1:${env['PORT']}`;
  const stop = (): Promise<void> => end(child, 'SIGTERM');
  try {
    await untilOk(`${url}/readyz`, child, (why) => new Error(`kasi start ${why}:\n${printed()}`));
    // The first administrator is made once it serves.
    await until('kasi start says that it is ready', WELCOME_MS, () => printed().includes('is ready'));
  } catch (error) {
    await stop();
    throw error;
  }
  return { url, stop };
}
