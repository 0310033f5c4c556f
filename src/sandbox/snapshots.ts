import { open, rename } from 'node:fs/promises';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { monotonicMs } from '../lib/clock.ts';
import { type Rpc, readHead } from './anvil.ts';

/** At most this share of the time goes into snapshots, however large the chain has grown. */
const WORK_SHARE = 0.05;

const inflate = promisify(gunzip);

export type Snapshots = {
  /**
   * Writes the chain to its file if its head has moved; tells whether it did. `ifCheap` waits longer after costly ones.
   */
  take(options?: { ifCheap?: boolean }): Promise<boolean>;
};

/**
 * Keeps a chain's state in a file that is whole at every moment: written beside it, forced to the disk, renamed. The
 * node's own way (`--state-interval`) rewrites the file in place, and a node killed meanwhile never starts again.
 * `savedHash` is the head that the file holds already. State that changes without a block is kept with the next block.
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
    // A block mined during the dump is in it or not; either way the next look finds a head that is not this one.
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
