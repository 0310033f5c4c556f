import { randomBytes } from 'node:crypto';
import { linkSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readText } from '../db/daemon.ts';
import { StartError } from '../lib/errors.ts';
import { makeFolder } from '../lib/folders.ts';

const KEY_BYTES = 32;
const MASTER_KEY = 'master.key';

/**
 * The sandbox's master key, 32 bytes, made at the first start and stored in `master.key` under the data folder,
 * readable by its owner only. Of several processes that start at once one makes it. Throws one sentence with the cure
 * when the file has other content.
 */
export function loadMasterKey(dataDir: string): Buffer {
  const { text } = keepSecret(dataDir, MASTER_KEY, () => randomBytes(KEY_BYTES).toString('hex'));
  return parseMasterKey(dataDir, text);
}

/**
 * The master key that a sandbox made in this data folder; undefined when there is none. Throws like `loadMasterKey`.
 */
export function findMasterKey(dataDir: string): Buffer | undefined {
  const text = readText(join(dataDir, MASTER_KEY));
  return text === undefined ? undefined : parseMasterKey(dataDir, text.trim());
}

function parseMasterKey(dataDir: string, text: string): Buffer {
  if (/^[0-9a-f]{64}$/.test(text)) return Buffer.from(text, 'hex');
  throw new StartError(
    `${join(dataDir, MASTER_KEY)} holds no key of 32 bytes in hex. Put the right one back, or delete the data folder to start anew.`,
  );
}

/**
 * The secret in a file of the data folder; writes `make()` to it when there is none, and `isNew` says so. The file is
 * complete or absent at every moment, and readable by its owner only.
 */
export function keepSecret(dataDir: string, name: string, make: () => string): { text: string; isNew: boolean } {
  const path = join(dataDir, name);
  const found = readText(path);
  if (found !== undefined) return { text: found.trim(), isNew: false };
  makeFolder(dataDir, 0o711);
  const draft = `${path}.${process.pid}`;
  writeFileSync(draft, `${make()}\n`, { mode: 0o600, flush: true });
  try {
    // A link, unlike a rename, does not replace the file that another process put there first.
    linkSync(draft, path);
    return { text: readSecret(path), isNew: true };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return { text: readSecret(path), isNew: false };
    throw error;
  } finally {
    rmSync(draft, { force: true });
  }
}

function readSecret(path: string): string {
  const text = readText(path);
  if (text === undefined) throw new StartError(`${path} was deleted in the middle of the start. Start again.`);
  return text.trim();
}
