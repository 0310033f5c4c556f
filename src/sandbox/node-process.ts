import { type StdioOptions, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { endProcess, findProcess, type LivingProcess, openLog, readText } from '../db/daemon.ts';
import { lockFolder } from '../db/folder-lock.ts';
import { whileServing } from '../db/serving.ts';
import { messageOf, StartError } from '../lib/errors.ts';
import { makeFolder } from '../lib/folders.ts';
import { untilAnswers } from '../lib/until-answers.ts';

/** What the sandbox's nodes have in common: each is a process that outlives the service and is found again. */

/** A node's folder, and its name there: `<name>.pid`, `<name>.log`. */
export type NodePlace = { readonly folder: string; readonly name: string };

/** Whether a process is the node, and not another one that got its process id later. */
export type IsOurs = (found: LivingProcess) => boolean;

export type LaunchedNode = {
  readonly pid: number;
  readonly hasEnded: () => boolean;
  /** What it has written to its log since it was launched. */
  readonly readOutput: () => string;
};

const ASK_EVERY_MS = 10;

/** Makes a node's folder and locks it; returns what unlocks it. Throws while another living process has it. */
export function holdFolder(dataDir: string, folder: string, warn: (line: string) => void): () => void {
  try {
    // The data folder itself must let PostgreSQL through, which may run as another account.
    makeFolder(dataDir, 0o711);
    makeFolder(folder, 0o700);
  } catch (error) {
    const reason = `${folder} can not be a folder of this process (${messageOf(error)})`;
    throw new StartError(`${reason}: move away what is there, or set KASI_DATA_DIR.`);
  }
  return lockFolder(folder, warn);
}

/**
 * Launches a node in its own session, in its folder. Its process id is in its file before it exists (a shell writes it
 * and becomes the node), so that no node is ever lost.
 */
export async function launchNode(place: NodePlace, command: readonly string[]): Promise<LaunchedNode> {
  const { output, readOutput } = openLog(fileOf(place, 'log'));
  const becomeNode = ['-c', 'echo $$ > "$0" && exec "$@"', fileOf(place, 'pid'), ...command];
  const child = whileServing(place.folder, (inherited) => {
    const stdio: StdioOptions = ['ignore', output, output, ...inherited];
    return spawn('/bin/sh', becomeNode, { cwd: place.folder, stdio, detached: true });
  });
  closeSync(output);
  child.unref();
  let ended = false;
  child.once('exit', () => {
    ended = true;
  });
  await once(child, 'spawn');
  return { pid: child.pid!, hasEnded: () => ended, readOutput };
}

/** Waits for a node's first answer; false when the node ends before. Throws when it lives and does not answer. */
export const untilNodeAnswers = (
  name: string,
  { hasEnded }: LaunchedNode,
  ask: () => Promise<unknown>,
): Promise<boolean> =>
  untilAnswers(hasEnded, { ask, everyMs: ASK_EVERY_MS, failure: (why) => new Error(`${name} ${why}`) });

/** The process id of the living node of a folder, or undefined. */
export function findNode(place: NodePlace, isOurs: IsOurs): number | undefined {
  const pid = Number(readText(fileOf(place, 'pid')));
  const found = findProcess(pid);
  return found !== undefined && isOurs(found) ? pid : undefined;
}

/** Ends a node at once: everything worth keeping is on disk. */
export async function endNode(place: NodePlace, pid: number, isOurs: IsOurs): Promise<void> {
  await endProcess(pid, isOurs, [
    { signal: 'SIGTERM', waitMs: 1_000 },
    { signal: 'SIGKILL', waitMs: 5_000 },
  ]);
  rmSync(fileOf(place, 'pid'), { force: true });
}

/** What was stored about a node; undefined where nothing was. */
export function readRecord<T>(path: string): T | undefined {
  const text = readText(path);
  return text === undefined ? undefined : (JSON.parse(text) as T);
}

/** Stores a record; at every moment the file holds this one or the one before. */
export function saveRecord(path: string, record: object): void {
  writeFileSync(`${path}.draft`, `${JSON.stringify(record)}\n`, { flush: true });
  renameSync(`${path}.draft`, path);
}

const fileOf = ({ folder, name }: NodePlace, kind: 'pid' | 'log'): string => join(folder, `${name}.${kind}`);
