import { execFileSync } from 'node:child_process';
import { linkSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

/**
 * Processes that outlive the service: finding one again, telling it from a stranger that got its number later, ending it,
 * and keeping a second service away from the same folder.
 */

/** A living process: what it was started as, and when; a number together with its start never comes back. */
export type LivingProcess = { args: readonly string[]; startedAt: string };

/** What to send, and how long to wait for the end before the next one is sent. */
export type Ending = readonly { signal: NodeJS.Signals; waitMs: number }[];

const POLL_MS = 20;

/** The process with this number, or undefined. A zombie is nobody: it holds no port and no file. */
export function findProcess(pid: number): LivingProcess | undefined {
  if (!Number.isSafeInteger(pid) || pid <= 0) return undefined;
  try {
    return process.platform === 'linux' ? readProc(pid) : askPs(pid);
  } catch {
    return undefined;
  }
}

function readProc(pid: number): LivingProcess | undefined {
  const command = readFileSync(`/proc/${pid}/cmdline`, 'utf8');
  if (command === '') return undefined;
  // The second field is the name in brackets and may hold anything; the start, in ticks since boot, is the 20th after it.
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  const ticks = stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? '';
  const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
  return { args: command.split('\0').slice(0, -1), startedAt: `${boot}/${ticks}` };
}

function askPs(pid: number): LivingProcess | undefined {
  const line = execFileSync('ps', ['-o', 'lstart=', '-o', 'command=', '-p', String(pid)], { encoding: 'utf8' }).trim();
  if (line === '' || line.endsWith('<defunct>')) return undefined;
  const lstartLength = 24;
  return { args: line.slice(lstartLength).trim().split(' '), startedAt: line.slice(0, lstartLength) };
}

/**
 * Ends a process and resolves when it is gone. Each signal gets its time; `isOurs` is asked again before each one, so that
 * a number that the system gave to somebody else meanwhile is never signalled.
 */
export async function endProcess(
  pid: number,
  isOurs: (found: LivingProcess) => boolean,
  ending: Ending,
): Promise<void> {
  const lives = () => {
    const found = findProcess(pid);
    return found !== undefined && isOurs(found);
  };
  for (const { signal, waitMs } of ending) {
    if (!lives()) return;
    process.kill(pid, signal);
    for (let waited = 0; waited < waitMs && lives(); waited += POLL_MS) await sleep(POLL_MS);
  }
  if (lives()) throw new Error(`Process ${pid} does not end. Stop it by hand.`);
}

/** A TCP port of 127.0.0.1 that nobody listens on: the preferred one if it is free. It may be taken again before its use. */
export async function findFreePort(preferred?: number): Promise<number> {
  if (preferred !== undefined && (await tryPort(preferred)) === preferred) return preferred;
  const port = await tryPort(0);
  if (port === undefined) throw new Error('No free TCP port on 127.0.0.1.');
  return port;
}

function tryPort(port: number): Promise<number | undefined> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(undefined));
    server.listen({ port, host: '127.0.0.1', exclusive: true }, () => {
      const address = server.address();
      server.close(() => resolve(typeof address === 'object' && address !== null ? address.port : undefined));
    });
  });
}

/**
 * Takes a folder for this process and returns how to give it back. A holder that no longer lives counts for nothing, so
 * SIGKILL needs no clean-up. Throws when another living process holds it: two services would stop each other's servers.
 */
export function holdFolder(folder: string): () => void {
  const path = join(folder, 'holder.json');
  const mine = JSON.stringify({ pid: process.pid, startedAt: findProcess(process.pid)?.startedAt });
  const draft = `${path}.${process.pid}`;
  writeFileSync(draft, mine, { mode: 0o600 });
  try {
    while (!tryLink(draft, path)) {
      const held = readHolder(folder);
      if (held !== undefined) throw new Error(alreadyHeld(folder, held));
      removeDeadHolder(folder, path);
    }
  } finally {
    rmSync(draft, { force: true });
  }
  return () => {
    if (readText(path) === mine) rmSync(path, { force: true });
  };
}

/** Moved aside before it is judged and removed: of two that find the same dead holder, none removes the other's new file. */
function removeDeadHolder(folder: string, path: string): void {
  const aside = join(folder, `holder.dead.${process.pid}`);
  try {
    renameSync(path, aside);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return;
    throw error;
  }
  if (parseHolder(readText(aside)) !== undefined) tryLink(aside, path);
  rmSync(aside, { force: true });
}

/** The number of the living process that holds the folder, or undefined. */
export function readHolder(folder: string): number | undefined {
  return parseHolder(readText(join(folder, 'holder.json')));
}

function parseHolder(text: string | undefined): number | undefined {
  // Empty after a power failure: nobody who wrote that still lives.
  if (text === undefined || text === '') return undefined;
  const { pid, startedAt } = JSON.parse(text) as { pid: number; startedAt: string };
  return findProcess(pid)?.startedAt === startedAt ? pid : undefined;
}

function alreadyHeld(folder: string, pid: number): string {
  return (
    `${folder} is in use by process ${pid}. ` +
    'Stop that one first, or give this one another data folder (KASI_DATA_DIR) and another PORT.'
  );
}

function tryLink(from: string, to: string): boolean {
  try {
    linkSync(from, to);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}

/** The text of a file, or undefined when there is none. */
export function readText(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}
