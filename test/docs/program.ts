import { execFile, spawnSync } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** A language that the guides give examples in. */
export type Language = {
  readonly name: string;
  /** As the fence of a code block names it. */
  readonly fence: string;
  readonly file: string;
  /** What runs a file. */
  readonly command: readonly [program: string, ...args: string[]];
  /** Programs that have to be there besides. */
  readonly needs: readonly string[];
};

/** A shell with what its examples call. */
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

/** How a program shows that it works, where it is not by telling its version. */
const PROBES: Readonly<Record<string, readonly string[]>> = {
  sh: ['-c', ':'],
  openssl: ['version'],
  php: ['-r', 'exit(extension_loaded("curl") && extension_loaded("sodium") ? 0 : 1);'],
};

/** The programs that an example needs and this machine does not have, or not with what it takes. */
export const missingFor = ({ command, needs }: Language): string[] =>
  [command[0], ...needs].filter((program) => spawnSync(program, PROBES[program] ?? ['--version']).status !== 0);

/** Skips a test for want of programs, and says so where everybody sees it. */
export function skipWithout(missing: readonly string[], skip: (note: string) => void): void {
  if (missing.length === 0) return;
  const note = `skipped, not on this machine: ${missing.join(', ')}`;
  console.warn(note);
  skip(note);
}

export type Surroundings = {
  readonly env: Readonly<Record<string, string>>;
  /** More files in its folder, by their names. */
  readonly files?: Readonly<Record<string, string>>;
};

/** Runs a program in a folder of its own and returns its lines. Throws with what it said when it fails. */
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
