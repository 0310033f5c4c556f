import { execFileSync } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { fstatSync, ftruncateSync, openSync, readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

/**
 * Processes that outlive the service: finds one again, tells it from an unrelated process that got the same pid later,
 * and ends it.
 */

/** A living process: its arguments and its start. A pid together with its start is never reused. */
export type LivingProcess = { args: readonly string[]; startedAt: string };

/** The signals to send, and how long to wait for the end after each. */
export type Ending = readonly { signal: NodeJS.Signals; waitMs: number }[];

const POLL_MS = 20;
const LOG_MAX_BYTES = 5_000_000;
/**
 * Below those that a system gives by itself, which begin at 32768 on Linux and at 49152 elsewhere, and above 10080,
 * which browsers refuse to open. The end is not among them.
 */
const PORTS = { from: 20_000, to: 32_768 };
const PORT_ATTEMPTS = 100;

/**
 * The process with this pid, or undefined. A zombie counts as none: it has no port and no file open. Throws where that
 * can not be told, such as in a process that may open no more files.
 */
export function findProcess(pid: number): LivingProcess | undefined {
  if (!Number.isSafeInteger(pid) || pid <= 0) return undefined;
  try {
    return process.platform === 'linux' ? readProc(pid) : askPs(pid);
  } catch (error) {
    const { code, status } = error as { readonly code?: string; readonly status?: number | null };
    // `ps` ends with 1 where there is none.
    if (code === 'ENOENT' || code === 'ESRCH' || status === 1) return undefined;
    throw error;
  }
}

function readProc(pid: number): LivingProcess | undefined {
  const command = readFileSync(`/proc/${pid}/cmdline`, 'utf8');
  if (command === '') return undefined;
  // The second field is the name in brackets and may contain anything. The 20th field after it is the start, in ticks
  // since boot.
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
 * Ends a process and resolves once it is gone. Calls `isOurs` again before each signal, so that a pid that the system
 * has reused is never signalled. Throws if the process survives all signals.
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

/** The log that a process appends to, emptied when it is large, and what is written there from now on. */
export function openLog(path: string): { readonly output: number; readonly readOutput: () => string } {
  const output = openSync(path, 'a', 0o600);
  if (fstatSync(output).size > LOG_MAX_BYTES) ftruncateSync(output);
  const startedAtByte = fstatSync(output).size;
  return { output, readOutput: () => readFileSync(path).subarray(startedAtByte).toString('utf8').trim() };
}

/**
 * A free TCP port of 127.0.0.1: the preferred one if it is free. Another program may take it before its use, so it is
 * one that the system gives to no connection and no server that asks for any.
 */
export async function findFreePort(preferred?: number): Promise<number> {
  if (preferred !== undefined && (await isFree(preferred))) return preferred;
  for (let attempt = 0; attempt < PORT_ATTEMPTS; attempt += 1) {
    const port = randomInt(PORTS.from, PORTS.to);
    if (await isFree(port)) return port;
  }
  throw new Error(`No free TCP port on 127.0.0.1 between ${PORTS.from} and ${PORTS.to}.`);
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(false));
    server.listen({ port, host: '127.0.0.1', exclusive: true }, () => server.close(() => resolve(true)));
  });
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
