import { spawnSync } from 'node:child_process';
import { closeSync, constants, lstatSync, openSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { StartError } from '../lib/errors.ts';
import { giveToOwner } from '../lib/folders.ts';

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
    if (waited >= withinMs) {
      throw new StartError(
        `What a Kasi started in ${folder} still runs, and can not be seen from here: perhaps in another container. ` +
          OTHER_FOLDER,
      );
    }
    await sleep(POLL_MS);
  }
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
