import { type ChildProcess, spawn } from 'node:child_process';
import { chownSync, mkdirSync, openSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { accountFor, asAccount } from '../../src/db/embedded-place.ts';
import { exited } from '../lib/service-process.ts';

/** A program in the foreground, under the account that may run PostgreSQL, whose words go to a file. */
export type Daemon = {
  /** Ends it at once. */
  readonly kill: () => Promise<void>;
  /** Asks it to end. */
  readonly stop: () => Promise<void>;
};

export function startDaemon(program: string, args: readonly string[], logFile: string): Daemon {
  const account = accountFor(undefined);
  const out = openSync(logFile, 'a');
  const child: ChildProcess = spawn(program, args, { ...asAccount(account), stdio: ['ignore', out, out] });
  const end = async (signal: NodeJS.Signals): Promise<void> => {
    child.kill(signal);
    await exited(child);
  };
  return { kill: () => end('SIGKILL'), stop: () => end('SIGTERM') };
}

/** A folder that this account may write in. */
export function makeFolder(...parts: readonly string[]): string {
  const folder = join(...parts);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const account = accountFor(undefined);
  if (account) chownSync(folder, account.uid, account.gid);
  return folder;
}

/** The pid in the first line of a server's file; undefined where none runs. */
export function readPid(file: string): number | undefined {
  try {
    return Number(readFileSync(file, 'utf8').split('\n')[0]);
  } catch {
    return undefined;
  }
}

/** A server and the processes that it has started, all of which are ours. */
export function familyOf(pid: number): number[] {
  const children = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((each) => parentOf(each) === pid);
  return [pid, ...children];
}

function parentOf(pid: number): number | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]);
  } catch {
    return undefined; // It has ended.
  }
}

export function killAll(pids: readonly number[]): void {
  for (const pid of pids) {
    try {
      process.kill(pid, 'SIGKILL');
    } catch {
      // It has ended.
    }
  }
}

/** Looks until it is so. Throws, with `what`, when it does not come true in time. */
export async function until(what: string, withinMs: number, look: () => Promise<boolean>): Promise<void> {
  let cause: unknown;
  const note = (error: unknown): boolean => {
    cause = error;
    return false;
  };
  for (const end = performance.now() + withinMs; ; await sleep(100)) {
    if (await look().catch(note)) return;
    if (performance.now() > end)
      throw new Error(`It did not come true within ${withinMs / 1000} s that ${what}.`, { cause });
  }
}
