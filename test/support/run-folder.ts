import { spawn, spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdtempSync, readdirSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { removeEmbeddedPostgres } from '../../src/db/embedded.ts';
import { endAbandonedBitcoinNode } from '../../src/sandbox/bitcoin-node.ts';
import { endAbandonedDevChain } from '../../src/sandbox/dev-chain.ts';

/** Linux keeps these files in memory. */
const IN_MEMORY = '/dev/shm';
const ROOM_BYTES = 4 * 1024 ** 3;

/**
 * The folder of one test run, which all accounts may enter: as root, PostgreSQL works in it as another account. It is
 * in memory where there is room: every test file clones a database, and on a disk that costs ten times as much.
 */
export function makeRunFolder(): string {
  const quick = existsSync(IN_MEMORY) ? tryFolder(IN_MEMORY) : undefined;
  const folder = quick ?? mkdtempSync(join(tmpdir(), 'kasi-test-'));
  chmodSync(folder, 0o755);
  return folder;
}

/** A new folder below `parent` with room for a run, in which programs may be started; otherwise undefined. */
function tryFolder(parent: string): string | undefined {
  const { bavail, bsize } = statfsSync(parent);
  if (bavail * bsize < ROOM_BYTES) return undefined;
  const folder = mkdtempSync(join(parent, 'kasi-test-'));
  const probe = join(folder, 'probe');
  writeFileSync(probe, '#!/bin/sh\n', { mode: 0o755 });
  const starts = spawnSync(probe).status === 0;
  rmSync(starts ? probe : folder, { recursive: true });
  return starts ? folder : undefined;
}

/** A folder of its own inside the run's, usable as the service's data folder. */
export function makeTestFolder(runFolder: string): string {
  const folder = mkdtempSync(join(runFolder, 'folder-'));
  chmodSync(folder, 0o755);
  return folder;
}

/** Stops every server left in a run's folder, and deletes it. */
export async function cleanUp(runFolder: string): Promise<void> {
  if (!existsSync(runFolder)) return;
  for (const name of readdirSync(runFolder)) {
    const dataDir = join(runFolder, name);
    await endAbandonedDevChain(dataDir);
    await endAbandonedBitcoinNode(dataDir);
    await removeEmbeddedPostgres(dataDir);
  }
  rmSync(runFolder, { recursive: true, force: true });
}

/**
 * Cleans up after this process, however it ends: Ctrl-C and SIGKILL leave a test runner no time to do so itself. A
 * process in its own session waits for the end of a pipe that only this one holds open.
 */
export function guard(runFolder: string): void {
  const watcher = spawn(process.execPath, [fileURLToPath(import.meta.url), runFolder], {
    stdio: ['pipe', 'ignore', 'inherit'],
    detached: true,
  });
  watcher.unref();
}

async function watch(runFolder: string): Promise<void> {
  await new Promise((resolve) => process.stdin.on('end', resolve).resume());
  // Its workers notice too, and must not start anything after this.
  await sleep(500);
  const attempts = 20;
  for (let attempt = 1; ; attempt += 1) {
    try {
      await cleanUp(runFolder);
      return;
    } catch (error) {
      // A worker that is about to end still has files open.
      if (attempt === attempts) throw error;
      await sleep(500);
    }
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await watch(process.argv[2] as string);
