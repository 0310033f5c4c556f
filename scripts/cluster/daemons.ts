import { type ChildProcess, spawn } from 'node:child_process';
import { chownSync, mkdirSync, openSync } from 'node:fs';
import { join } from 'node:path';
import { readText } from '../../src/db/daemon.ts';
import { accountFor, asAccount } from '../../src/db/embedded-place.ts';
import { end, listChildren } from '../lib/children.ts';

/** A program in the foreground, under the account that may run PostgreSQL, whose words go to a file. */
export type Daemon = {
  /** Ends it at once. */
  readonly kill: () => Promise<void>;
  readonly signal: (signal: NodeJS.Signals) => void;
};

export function startDaemon(program: string, args: readonly string[], logFile: string): Daemon {
  const account = accountFor(undefined);
  const out = openSync(logFile, 'a');
  const child: ChildProcess = spawn(program, args, { ...asAccount(account), stdio: ['ignore', out, out] });
  // Without a listener it would end this process, and leave all that it has started.
  child.on('error', ({ message }) => console.error(message));
  return { kill: () => end(child, 'SIGKILL'), signal: (signal) => void child.kill(signal) };
}

/** A folder that this account may write in. */
export function makeFolder(...parts: readonly string[]): string {
  const folder = join(...parts);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const account = accountFor(undefined);
  if (account) chownSync(folder, account.uid, account.gid);
  return folder;
}

/** A server and the processes that it has started, all of which are ours; `file` has its pid in the first line. */
export function familyOf(file: string): number[] {
  const [line] = readText(file)?.split('\n') ?? [];
  return line === undefined ? [] : [Number(line), ...listChildren(Number(line))];
}

export function signalAll(pids: readonly number[], signal: NodeJS.Signals): void {
  for (const pid of pids) {
    try {
      process.kill(pid, signal);
    } catch {
      // It has ended.
    }
  }
}
