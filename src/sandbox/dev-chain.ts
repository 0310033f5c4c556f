import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { findFreePort } from '../db/daemon.ts';
import { untilUnserved } from '../db/serving.ts';
import { CHAIN_ID, createRpc, endAnvil, findAnvil, launchAnvil, type Rpc, readHead, urlOf } from './anvil.ts';
import { type ChainControl, controlChain, followClock, mineAgain } from './chain-control.ts';
import { holdFolder, readRecord, saveRecord } from './node-process.ts';
import { createSnapshots, type Snapshots } from './snapshots.ts';

export type DevChainOptions = {
  /** The service's data folder; the chain uses its subfolder `chain`. */
  dataDir: string;
  /** The service's business time: the chain's clock follows it. */
  now: Date;
  log: (line: string) => void;
  /** The only web origin that may call the node from a browser. */
  allowOrigin?: string;
  /** How often to check for blocks that are not in the snapshot. */
  snapshotEveryMs?: number;
};

/** A reorganisation reaches back only to the blocks that this node has mined since its start; it can undo no others. */
export type DevChain = ChainControl & {
  readonly chainId: number;
  /** Stores a snapshot of the chain; returns whether there was anything new. */
  readonly snapshot: () => Promise<boolean>;
  /** Stores a snapshot and ends the node. */
  readonly stop: () => Promise<void>;
};

/** A data folder's record of its chain. */
type ChainRecord = {
  port: number;
  /** When block 0 was made, in seconds since 1970. */
  startedAt: number;
  /** The hash of block 0; absent until the first snapshot is on disk. */
  genesis?: string;
  /** The head when the running node was started: a reorganisation can't reach below it. */
  startedAtHeight?: number;
};

type Node = { pid: number; port: number; rpc: Rpc; startedAtHeight: number; savedHash: string | undefined };

const SNAPSHOT_EVERY_MS = 3_000;
const TAKE_OVER_WITHIN_MS = 3_000;

/**
 * Starts the sandbox's EVM node on its own port and resolves when it answers, with the blocks of the last snapshot. It
 * mines on demand and outlives this process unless `stop()` is called; a node that a killed process left is taken over
 * with all its blocks. Throws while another living process uses the folder, and when the folder's chain is another one
 * than before.
 */
export async function startDevChain(options: DevChainOptions): Promise<DevChain> {
  const folder = folderOf(options.dataDir);
  const release = holdFolder(options.dataDir, folder, options.log);
  try {
    const node = (await takeOver(folder, options)) ?? (await start(folder, options));
    await followClock(node.rpc, options.now);
    const snapshots = createSnapshots(node.rpc, statePath(folder), node.savedHash);
    await keepGenesis(folder, node, snapshots);
    return control(folder, node, snapshots, options, release);
  } catch (error) {
    release();
    throw error;
  }
}

/** The URL of the node that runs on a data folder, for scripts beside the service; undefined if none runs. */
export function findDevChain(dataDir: string): string | undefined {
  const folder = folderOf(dataDir);
  const record = readRecord<ChainRecord>(recordPath(folder));
  return record && findAnvil(folder, record.port) !== undefined ? urlOf(record.port) : undefined;
}

/** Ends the node that a killed process left on a data folder, without a snapshot. */
export async function endAbandonedDevChain(dataDir: string): Promise<void> {
  const folder = folderOf(dataDir);
  const record = readRecord<ChainRecord>(recordPath(folder));
  const pid = record && findAnvil(folder, record.port);
  if (record !== undefined && pid !== undefined) await endAnvil(folder, pid, record.port);
}

function control(
  folder: string,
  node: Node,
  snapshots: Snapshots,
  options: DevChainOptions,
  release: () => void,
): DevChain {
  const report = (error: Error) => options.log(`The dev chain could not be kept: ${error.message}`);
  const timer = setInterval(() => {
    snapshots.take({ ifCheap: true }).catch(report);
  }, options.snapshotEveryMs ?? SNAPSHOT_EVERY_MS);
  timer.unref();
  return {
    ...controlChain(urlOf(node.port), node.startedAtHeight),
    chainId: CHAIN_ID,
    snapshot: () => snapshots.take(),
    stop: async () => {
      clearInterval(timer);
      // A dead node cannot answer, and is no reason to fail the stop.
      await snapshots.take().catch(report);
      await endAnvil(folder, node.pid, node.port);
      release();
    },
  };
}

async function takeOver(folder: string, { log }: DevChainOptions): Promise<Node | undefined> {
  const record = readRecord<ChainRecord>(recordPath(folder));
  const pid = record && findAnvil(folder, record.port);
  if (record === undefined || pid === undefined) return undefined;
  const genesis = await readHead(createRpc(urlOf(record.port), TAKE_OVER_WITHIN_MS), 0).catch(() => undefined);
  const { startedAtHeight } = record;
  if (genesis !== undefined && record.genesis !== undefined) {
    // Another sandbox's node has the process id and port that ours once had: leave it, and use another port.
    if (genesis.hash !== record.genesis) return undefined;
    if (startedAtHeight !== undefined) {
      log(`The dev chain still runs on port ${record.port} (process ${pid}): taken over.`);
      const rpc = createRpc(urlOf(record.port));
      await mineAgain(rpc); // Whoever had it before may have died in a reorganisation.
      return { pid, port: record.port, rpc, startedAtHeight, savedHash: undefined };
    }
  }
  // It does not answer, or its start was interrupted: end it and go on from the last snapshot, if there is one.
  await endAnvil(folder, pid, record.port);
  return undefined;
}

async function start(folder: string, { now, allowOrigin, log }: DevChainOptions): Promise<Node> {
  await untilUnserved(folder);
  const before = readRecord<ChainRecord>(recordPath(folder));
  const loadState = existsSync(statePath(folder)) ? statePath(folder) : undefined;
  if (before?.genesis !== undefined && loadState === undefined) throw new Error(otherChain(folder));
  // Always the first start's time: with another one the node makes another block 0, stores both in its snapshots, and
  // comes back with either. Its clock is set afterwards.
  const startedAt = before?.startedAt ?? seconds(now);
  for (let preferred = before?.port; ; preferred = undefined) {
    const port = await findFreePort(preferred);
    // Stored before the node starts: by its port and process id it is found again whatever happens to this process.
    const known = { port, startedAt, ...(before?.genesis === undefined ? {} : { genesis: before.genesis }) };
    saveRecord(recordPath(folder), known);
    const pid = await launchAnvil({ folder, port, timestamp: startedAt, loadState, allowOrigin });
    if (pid === undefined) continue;
    const rpc = createRpc(urlOf(port));
    const [genesis, head] = [await readHead(rpc, 0), await readHead(rpc)];
    if (before?.genesis !== undefined && before.genesis !== genesis.hash) {
      await endAnvil(folder, pid, port);
      throw new Error(otherChain(folder));
    }
    saveRecord(recordPath(folder), { ...known, startedAtHeight: head.height });
    log(`The dev chain listens on port ${port} (process ${pid}), at block ${head.height}.`);
    return { pid, port, rpc, startedAtHeight: head.height, savedHash: loadState && head.hash };
  }
}

function otherChain(folder: string): string {
  return `The dev chain in ${folder} is not the one that the database knows. Delete the data folder to start anew.`;
}

/** Stores the chain's identity after its first snapshot, so that a chain with an identity can always be restored. */
async function keepGenesis(folder: string, { rpc }: Node, snapshots: Snapshots): Promise<void> {
  const record = readRecord<ChainRecord>(recordPath(folder));
  if (record === undefined || record.genesis !== undefined) return;
  await snapshots.take();
  saveRecord(recordPath(folder), { ...record, genesis: (await readHead(rpc, 0)).hash });
}

const folderOf = (dataDir: string): string => join(resolve(dataDir), 'chain');
const recordPath = (folder: string): string => join(folder, 'chain.json');
const statePath = (folder: string): string => join(folder, 'state.json');
const seconds = (date: Date): number => Math.floor(date.getTime() / 1000);
