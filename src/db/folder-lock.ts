import { randomBytes } from 'node:crypto';
import { accessSync, constants, existsSync, linkSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { messageOf, StartError } from '../lib/errors.ts';
import { giveToOwner } from '../lib/folders.ts';
import { findProcess, readText } from './daemon.ts';
import { OTHER_FOLDER, preparePipe } from './serving.ts';

/** Locks a folder against a second service, one in another container included. See decision db/locked-by-the-kernel. */

/** An empty file that stays: its lock is one of the kernel's, and ends with the process, however that ends. */
const LOCK_NAME = 'holder.lock';
/** Tells who has the lock, and is the lock itself where the file system has none. */
const HOLDER_NAME = 'holder.json';
const NOTE = /^\{"pid":(\d+),"startedAt":"([^"]+)"\}$/;
/** Of two that take the lock at once, each is in the other's way for a moment. Then the one tells who it is. */
const TURN = { attempts: 20, eachMs: 100 };
const SQLITE_BUSY = 5;

/** Locks that are held. What nothing refers to is closed, and a closed file has no lock. */
const held = new Set<DatabaseSync>();

/**
 * Locks a folder for this process and returns the function that unlocks it. A dead process has no lock, so SIGKILL
 * needs no clean-up. Throws while another living process has the lock: two services would stop each other's servers,
 * or serve the same files twice.
 */
export function lockFolder(folder: string, warn: (line: string) => void): () => void {
  // First, because it names the process and waits for nothing.
  refuseHeld(folder);
  const unlock = takeLock(folder, warn);
  try {
    const forget = noteHolder(folder);
    preparePipe(folder, warn);
    return () => {
      forget();
      unlock();
    };
  } catch (error) {
    unlock();
    throw error;
  }
}

function refuseHeld(folder: string): void {
  const pid = parseHolder(readText(join(folder, HOLDER_NAME)));
  if (pid !== undefined) throw new StartError(`${folder} is in use by process ${pid}. ${OTHER_FOLDER}`);
}

function takeLock(folder: string, warn: (line: string) => void): () => void {
  const path = join(folder, LOCK_NAME);
  if (!existsSync(path)) makeLockFile(folder, path);
  accessSync(path, constants.R_OK | constants.W_OK);
  try {
    const lock = awaitTurn(folder, path);
    held.add(lock);
    return () => {
      if (held.delete(lock)) lock.close();
    };
  } catch (error) {
    // Of what SQLite says, only that it is busy is about another process.
    if (sqliteCode(error) === undefined) throw error;
    warn(
      `${path} can not be locked (${messageOf(error)}), so a Kasi in another container would not be noticed. ` +
        'Let no other container use this folder.',
    );
    return () => undefined;
  }
}

/** Never opens one that is there: closing it again would end the lock that this process may have. */
function makeLockFile(folder: string, path: string): void {
  inDraft(path, '', (draft) => {
    giveToOwner(draft, folder);
    tryLink(draft, path);
  });
}

function awaitTurn(folder: string, path: string): DatabaseSync {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return lockFile(path, TURN.eachMs);
    } catch (error) {
      if (sqliteCode(error) !== SQLITE_BUSY || !inDraft(path, '', canLock)) throw error;
    }
    refuseHeld(folder);
    if (attempt === TURN.attempts) {
      throw new StartError(
        `${folder} is in use by a process that can not be seen from here, perhaps by a Kasi in another container. ` +
          OTHER_FOLDER,
      );
    }
  }
}

/** SQLite is what Node.js has that asks the kernel for a lock of a file. Nothing is ever written. */
function lockFile(path: string, timeout: number): DatabaseSync {
  // A service that locks no folder does without it: Node.js 24.11 prints a warning where it is loaded.
  const sqlite = process.getBuiltinModule('node:sqlite');
  const file = new sqlite.DatabaseSync(path, { timeout });
  try {
    file.exec('pragma journal_mode = memory; begin exclusive');
    return file;
  } catch (error) {
    file.close();
    throw error;
  }
}

/** Whether the file system has locks: where it has none, SQLite calls a file busy that no other process knows. */
function canLock(unused: string): boolean {
  try {
    lockFile(unused, 0).close();
    return true;
  } catch (error) {
    return sqliteCode(error) !== SQLITE_BUSY;
  }
}

const sqliteCode = (error: unknown): number | undefined => (error as { readonly errcode?: number }).errcode;

/** Notes this process, and returns what takes the note back. */
function noteHolder(folder: string): () => void {
  const path = join(folder, HOLDER_NAME);
  const mine = JSON.stringify({ pid: process.pid, startedAt: findProcess(process.pid)?.startedAt });
  inDraft(path, mine, (draft) => {
    giveToOwner(draft, folder);
    while (!tryLink(draft, path)) {
      refuseHeld(folder);
      removeDead(path);
    }
  });
  return () => {
    if (readText(path) === mine) rmSync(path, { force: true });
  };
}

/**
 * Moves the note aside before judging it: of two processes that find the same dead one, neither removes the other's
 * new one.
 */
function removeDead(path: string): void {
  const aside = besides(path);
  try {
    renameSync(path, aside);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return;
    throw error;
  }
  if (parseHolder(readText(aside)) !== undefined) tryLink(aside, path);
  rmSync(aside, { force: true });
}

/**
 * The process that a note is of, if it lives and can be seen from here. A note is whole from the beginning: what is
 * none, such as an empty file or zeros, is of before a power failure, which no process survived.
 */
function parseHolder(text = ''): number | undefined {
  const [, pid, startedAt] = NOTE.exec(text) ?? [];
  return pid !== undefined && findProcess(Number(pid))?.startedAt === startedAt ? Number(pid) : undefined;
}

function inDraft<T>(path: string, text: string, work: (draft: string) => T): T {
  const draft = besides(path);
  writeFileSync(draft, text, { mode: 0o600 });
  try {
    return work(draft);
  } finally {
    rmSync(draft, { force: true });
  }
}

/** Two containers may both have a process of this number. */
const besides = (path: string): string => `${path}.${process.pid}-${randomBytes(4).toString('hex')}`;

function tryLink(from: string, to: string): boolean {
  try {
    linkSync(from, to);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}
