import { spawn } from 'node:child_process';
import { cp, mkdir, mkdtemp, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { inject } from 'vitest';
import { createProject, installClient } from '../client/installed-client.ts';
import { createPythonProject, installPython } from '../client/installed-python.ts';
import { LANGUAGES, missingFor, runProgram, SHELL } from './program.ts';

/** One process that runs the samples of a language one after the other, each as a program of its own would run. */
export type SampleRunner = {
  /** Runs a sample; returns what it prints. Throws when it fails. */
  readonly run: (name: string, source: string, env: Readonly<Record<string, string>>) => Promise<string>;
  /** Writes a sample beside the installed client; the file, for a process of its own. */
  readonly write: (name: string, source: string) => Promise<SampleFile>;
  readonly stop: () => void;
};

export type SampleFile = { readonly program: string; readonly folder: string; readonly file: string };

/** The languages with a client, by the labels of their samples. Each starts beside the installed client. */
export const RUNNERS = { TypeScript: startTypeScript, Python: startPython, PHP: startPhp } as const;
export type ClientLabel = keyof typeof RUNNERS;

/** A runner, or the reason why this machine has none. */
type Started = SampleRunner | { readonly missing: string };

async function startTypeScript(): Promise<Started> {
  const { folder } = await createProject(await installClient());
  return startRunner(folder, 'mts', [process.execPath, resolve('test/docs/run-samples.mjs')]);
}

async function startPython(): Promise<Started> {
  const { python, missing } = await installPython();
  if (missing !== null) return { missing };
  const strict = ['-W', 'error', '-B'];
  return startRunner(await createPythonProject(), 'py', [python, ...strict, resolve('test/docs/run-samples.py')]);
}

async function startPhp(): Promise<Started> {
  const missing = LANGUAGES.filter(({ name }) => name === 'PHP').flatMap(missingFor);
  if (missing.length > 0) return { missing: `this machine lacks ${missing.join(', ')}` };
  const folder = await mkdtemp(join(inject('runFolder'), 'php-samples-'));
  await cp('clients/php', join(folder, 'client'), { recursive: true });
  await mkdir(join(folder, 'vendor'));
  await writeFile(join(folder, 'vendor/autoload.php'), "<?php\nrequire_once __DIR__ . '/../client/autoload.php';\n");
  // Node's pipes are sockets: PHP takes one that was silent for a minute, while others run their samples, for ended.
  const settings = ['-d', 'error_reporting=-1', '-d', 'default_socket_timeout=-1'];
  return startRunner(folder, 'php', ['php', ...settings, resolve('test/docs/run-samples.php')]);
}

function startRunner(folder: string, ending: string, [program, ...args]: readonly [string, ...string[]]): SampleRunner {
  const child = spawn(program, args, { cwd: folder, stdio: ['pipe', 'inherit', 'inherit', 'pipe'] });
  const answers = createInterface({ input: child.stdio[3] as Readable })[Symbol.asyncIterator]();
  const write = async (name: string, source: string): Promise<SampleFile> => {
    const file = `${name}.${ending}`;
    await writeFile(join(folder, file), source);
    return { program, folder, file };
  };
  return {
    write,
    run: async (name, source, env) => {
      const { file } = await write(name, source);
      child.stdin?.write(`${JSON.stringify({ file, env })}\n`);
      const { value, done } = await answers.next();
      if (done) throw new Error(`${program} ended while it ran ${file}.`);
      const { printed, problem } = JSON.parse(value) as { readonly printed: string; readonly problem: string | null };
      if (problem !== null) throw new Error(`${problem}\n${printed}`);
      return printed;
    },
    stop: () => void child.kill(),
  };
}

/** Runs a sample with curl; returns the status of the answer. One that never ends is left after a second. */
export async function runCurl(
  source: string,
  env: Readonly<Record<string, string>>,
  isEndless = false,
): Promise<string | undefined> {
  const settings = ['silent', 'show-error', `max-time = ${isEndless ? 1 : 20}`, 'write-out = "\\n%{http_code}"'];
  const lines = await runProgram(SHELL, `${source}${isEndless ? ' || true' : ''}\n`, {
    env: { ...env, CURL_HOME: '.' },
    files: { '.curlrc': settings.join('\n') },
  });
  return lines.at(-1);
}
