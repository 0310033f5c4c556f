import { execFile, spawnSync } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** A language of the guides' examples. */
export type Language = {
  readonly name: string;
  /** The info string of its code blocks. */
  readonly fence: string;
  readonly file: string;
  /** The command that runs a file. */
  readonly command: readonly [program: string, ...args: string[]];
  /** Further programs that it needs. */
  readonly needs: readonly string[];
};

/** A shell with the programs that its examples call. */
export const SHELL: Language = {
  name: 'a shell',
  fence: 'sh',
  file: 'example.sh',
  command: ['sh'],
  needs: ['curl', 'openssl'],
};

export const LANGUAGES: readonly Language[] = [
  { name: 'TypeScript', fence: 'ts', file: 'example.mts', command: [process.execPath], needs: [] },
  { name: 'Python', fence: 'python', file: 'example.py', command: ['python3'], needs: [] },
  { name: 'PHP', fence: 'php', file: 'example.php', command: ['php'], needs: [] },
  SHELL,
];

/** How a program proves that it works, where printing its version is not enough. */
const PROBES: Readonly<Record<string, readonly string[]>> = {
  sh: ['-c', ':'],
  openssl: ['version'],
  php: ['-r', 'exit(extension_loaded("curl") && extension_loaded("sodium") ? 0 : 1);'],
};

/** The programs that an example needs and this machine lacks, or has without a needed feature. */
export const missingFor = ({ command, needs }: Language): string[] =>
  [command[0], ...needs].filter((program) => spawnSync(program, PROBES[program] ?? ['--version']).status !== 0);

/** Skips a test because of missing programs, with a visible note. */
export function skipWithout(missing: readonly string[], skip: (note: string) => void): void {
  if (missing.length === 0) return;
  const note = `skipped, not on this machine: ${missing.join(', ')}`;
  console.warn(note);
  skip(note);
}

export type Surroundings = {
  readonly env: Readonly<Record<string, string>>;
  /** Further files in its folder, by name. */
  readonly files?: Readonly<Record<string, string>>;
};

/** Runs a program in its own folder; returns its output lines. Throws its output when it fails. */
export async function runProgram(
  { file, command }: Language,
  text: string,
  { env, files = {} }: Surroundings,
): Promise<string[]> {
  const folder = await mkdtemp(join(tmpdir(), 'kasi-example-'));
  try {
    for (const [name, content] of Object.entries({ ...files, [file]: text }))
      await writeFile(join(folder, name), content);
    const [program, ...args] = command;
    const options = { cwd: folder, env: { ...process.env, NO_PROXY: '127.0.0.1', ...env } };
    const { stdout } = await run(program, [...args, file], options);
    return stdout.trimEnd().split('\n');
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
