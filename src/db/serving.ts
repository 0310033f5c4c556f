import { spawnSync } from 'node:child_process';
import { closeSync, constants, lstatSync, openSync, readdirSync, readlinkSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { StartError } from '../lib/errors.ts';
import { giveToOwner } from '../lib/folders.ts';
import { findProcess } from './daemon.ts';

/**
 * Whether a process that outlives the service still works on a folder, in another container included, where process
 * ids tell nothing. Each such process, and each that it starts, has inherited the reading end of a pipe in the folder.
 * Nothing is ever written to it. See decision db/locked-by-the-kernel.
 */

const PIPE_NAME = 'serving.fifo';

export const OTHER_FOLDER =
  'Stop that one first, or give this one another data folder (KASI_DATA_DIR) and another PORT.';

const GONE_WITHIN_MS = 10_000;
const POLL_MS = 20;
const COMMAND_SHOWN_MAX = 100;

/** Makes a folder's pipe if it has none. Says so where the file system takes no pipes. */
export function preparePipe(folder: string, warn: (line: string) => void): void {
  const path = join(folder, PIPE_NAME);
  if (isPipe(path)) return;
  rmSync(path, { recursive: true, force: true });
  const { error, stderr } = spawnSync('mkfifo', ['-m', '600', path], { encoding: 'utf8' });
  if (isPipe(path)) {
    giveToOwner(path, folder);
    return;
  }
  warn(
    `${path} can not be made a pipe (${error?.message ?? stderr.trim()}), so what another container has left running ` +
      'here would not be noticed. Let no other container use this folder.',
  );
}

/** Calls `launch` with the file that a process has to inherit; without one where the folder has no pipe. */
export function whileServing<T>(folder: string, launch: (inherited: readonly number[]) => T): T {
  const path = join(folder, PIPE_NAME);
  if (!isPipe(path)) return launch([]);
  const pipe = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  try {
    return launch([pipe]);
  } finally {
    closeSync(pipe);
  }
}

/** Resolves once no process works on a folder; throws if one goes on, because a second one would spoil its files. */
export async function untilUnserved(folder: string, withinMs = GONE_WITHIN_MS): Promise<void> {
  for (let waited = 0; isServed(folder); waited += POLL_MS) {
    // Sessions of a killed server take a moment to notice that it is gone.
    if (waited >= withinMs) throw new StartError(stillServed(folder));
    await sleep(POLL_MS);
  }
}

function stillServed(folder: string): string {
  const pid = findReader(join(folder, PIPE_NAME));
  const command = pid === undefined ? undefined : findProcess(pid)?.args.join(' ').trim();
  if (command === undefined) {
    return (
      `What a Kasi started in ${folder} still runs, and can not be seen from here: perhaps in another container. ` +
      OTHER_FOLDER
    );
  }
  return (
    `Process ${pid} (${command.slice(0, COMMAND_SHOWN_MAX)}) still works on ${folder}, or has its ${PIPE_NAME} open. ` +
    'End it, or wait until it has ended.'
  );
}

/** A process that has the pipe open and can be seen from here. Linux alone tells, and of other users only to root. */
function findReader(path: string): number | undefined {
  const pipe = statSync(path, { throwIfNoEntry: false });
  if (pipe === undefined || process.platform !== 'linux') return undefined;
  const isPipeOf = (file: string): boolean => {
    // By its name first: to look at a file may take for ever where its server is away.
    if (!readlinkSync(file).endsWith(`/${PIPE_NAME}`)) return false;
    const { dev, ino } = statSync(file);
    return dev === pipe.dev && ino === pipe.ino;
  };
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .find((pid) => {
      const files = `/proc/${pid}/fd`;
      try {
        return readdirSync(files).some((name) => isPipeOf(join(files, name)));
      } catch {
        return false; // It has ended meanwhile, or is another user's.
      }
    });
}

function isServed(folder: string): boolean {
  const path = join(folder, PIPE_NAME);
  if (!isPipe(path)) return false;
  try {
    closeSync(openSync(path, constants.O_WRONLY | constants.O_NONBLOCK));
    return true;
  } catch (error) {
    // No process reads.
    if ((error as NodeJS.ErrnoException).code === 'ENXIO') return false;
    throw error;
  }
}

const isPipe = (path: string): boolean => lstatSync(path, { throwIfNoEntry: false })?.isFIFO() === true;
