import { open, rename } from 'node:fs/promises';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { monotonicMs } from '../lib/clock.ts';
import { type Rpc, readHead } from './anvil.ts';

/** Snapshots take at most this share of the time, however large the chain is. */
const WORK_SHARE = 0.05;

const inflate = promisify(gunzip);

export type Snapshots = {
  /**
   * Writes the chain to its file if its head has moved; returns whether it did. `ifCheap` waits longer after slow
   * snapshots.
   */
  take(options?: { ifCheap?: boolean }): Promise<boolean>;
};

/**
 * Stores a chain's state in a file that is complete at every moment: written to another file, flushed to disk, renamed.
 * The node's own `--state-interval` rewrites the file in place, and a node killed meanwhile never starts again.
 * `savedHash` is the head already in the file. State that changes without a block is stored with the next block.
 */
export function createSnapshots(rpc: Rpc, path: string, savedHash: string | undefined): Snapshots {
  let saved = savedHash;
  let notBefore = 0;
  let queue: Promise<unknown> = Promise.resolve();

  async function save(): Promise<boolean> {
    const { hash } = await readHead(rpc);
    if (hash === saved) return false;
    const startedAt = monotonicMs();
    const dump = await rpc<string>('anvil_dumpState');
    await replaceFile(path, await inflate(Buffer.from(dump.slice(2), 'hex')));
    // A block mined during the dump may be in it or not; either way the next check finds another head.
    saved = hash;
    notBefore = monotonicMs() + (monotonicMs() - startedAt) / WORK_SHARE;
    return true;
  }

  return {
    take: ({ ifCheap = false } = {}) => {
      if (ifCheap && monotonicMs() < notBefore) return Promise.resolve(false);
      const taken = queue.then(save);
      queue = taken.catch(() => undefined);
      return taken;
    },
  };
}

async function replaceFile(path: string, bytes: Buffer): Promise<void> {
  const draft = `${path}.draft`;
  const file = await open(draft, 'w', 0o600);
  try {
    await file.writeFile(bytes);
    await file.sync();
  } finally {
    await file.close();
  }
  await rename(draft, path);
}
