import { randomBytes } from 'node:crypto';
import { createRequire } from 'node:module';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { findFreePort } from '../db/daemon.ts';
import { untilUnserved } from '../db/serving.ts';
import { StartError } from '../lib/errors.ts';
import { type BitcoinControl, controlBitcoin, followClock, fund } from './bitcoin-control.ts';
import { type BitcoinRpc, createBitcoinRpc, readBitcoinHead } from './bitcoin-rpc.ts';
import {
  endNode,
  findNode,
  holdFolder,
  type IsOurs,
  launchNode,
  type NodePlace,
  readRecord,
  saveRecord,
  untilNodeAnswers,
} from './node-process.ts';
import { keepSecret } from './secrets.ts';

export type BitcoinNodeOptions = {
  /** The service's data folder; the node uses its subfolder `bitcoin`. */
  dataDir: string;
  /** The service's business time: the node's clock follows it. */
  now: Date;
  log: (line: string) => void;
};

export type BitcoinNode = BitcoinControl & {
  /** Ends the node. Everything that it knows is on disk at every moment. */
  readonly stop: () => Promise<void>;
};

/** A data folder's record of its node. */
type NodeRecord = {
  port: number;
  /** The hash of block 1, which tells this chain from others: all have the same block 0. Absent until there is one. */
  first?: string;
};

type Running = { pid: number; port: number; rpc: BitcoinRpc };

const TAKE_OVER_WITHIN_MS = 3_000;
const USER = 'kasi';
const KEY_BYTES = 32;

/**
 * Starts the sandbox's Bitcoin node on its own port, and resolves when it answers with all blocks and waiting
 * transactions that it had, and has coins to pay with. It outlives this process unless `stop()` is called; a node that
 * a killed process left is taken over. Throws while another living process uses the folder, when bcoin is not
 * installed, and when the folder's chain is another one than before.
 */
export async function startBitcoinNode(options: BitcoinNodeOptions): Promise<BitcoinNode> {
  const folder = folderOf(options.dataDir);
  const release = holdFolder(options.dataDir, folder, options.log);
  try {
    const node = (await takeOver(folder, options)) ?? (await start(folder, options));
    await fund(node.rpc, options.now);
    await keepIdentity(folder, node);
    await followClock(node.rpc, options.now);
    return {
      ...controlBitcoin(urlOf(folder, node.port)),
      stop: async () => {
        await endNode(placeIn(folder), node.pid, isOursIn(folder, node.port));
        release();
      },
    };
  } catch (error) {
    release();
    throw error;
  }
}

/** The URL of the node that runs on a data folder, with user and password; undefined if none runs. */
export function findBitcoinNode(dataDir: string): string | undefined {
  const folder = folderOf(dataDir);
  const found = findRunning(folder);
  return found && urlOf(folder, found.port);
}

/** Ends the node that a killed process left on a data folder. */
export async function endAbandonedBitcoinNode(dataDir: string): Promise<void> {
  const folder = folderOf(dataDir);
  const found = findRunning(folder);
  if (found) await endNode(placeIn(folder), found.pid, isOursIn(folder, found.port));
}

function findRunning(folder: string): { pid: number; port: number } | undefined {
  const record = readRecord<NodeRecord>(recordPath(folder));
  if (record === undefined) return undefined;
  const { port } = record;
  const pid = findNode(placeIn(folder), isOursIn(folder, port));
  return pid === undefined ? undefined : { pid, port };
}

async function takeOver(folder: string, { log }: BitcoinNodeOptions): Promise<Running | undefined> {
  const found = findRunning(folder);
  if (found === undefined) return undefined;
  const { pid, port } = found;
  const hurried = createBitcoinRpc(urlOf(folder, port), TAKE_OVER_WITHIN_MS);
  const answers = await readBitcoinHead(hurried).then(
    () => true,
    () => false,
  );
  if (!answers) {
    await endNode(placeIn(folder), pid, isOursIn(folder, port));
    return undefined;
  }
  log(`The Bitcoin node still runs on port ${port} (process ${pid}): taken over.`);
  return { pid, port, rpc: createBitcoinRpc(urlOf(folder, port)) };
}

async function start(folder: string, { log }: BitcoinNodeOptions): Promise<Running> {
  await untilUnserved(folder);
  const before = readRecord<NodeRecord>(recordPath(folder));
  const program = findProgram();
  for (let preferred = before?.port; ; preferred = undefined) {
    const port = await findFreePort(preferred);
    // Stored before the node starts: by its port and process id it is found again whatever happens to this process.
    saveRecord(recordPath(folder), { ...before, port });
    const rpc = createBitcoinRpc(urlOf(folder, port));
    const node = await launchNode(placeIn(folder), [
      ...[process.execPath, '--no-deprecation', program, '--folder', folder, '--port', String(port)],
    ]);
    if (!(await untilNodeAnswers('The Bitcoin node (bcoin)', node, () => readBitcoinHead(rpc)))) {
      const said = node.readOutput();
      if (said.includes('Address already in use')) continue;
      throw new Error(`The Bitcoin node (bcoin) did not start:\n${said}`);
    }
    const { height } = await readBitcoinHead(rpc);
    log(`The Bitcoin node listens on port ${port} (process ${node.pid}), at block ${height}.`);
    return { pid: node.pid, port, rpc };
  }
}

/** Stores the chain's identity once it has one; a folder whose journal was lost or exchanged has another. */
async function keepIdentity(folder: string, { pid, port, rpc }: Running): Promise<void> {
  const record = readRecord<NodeRecord>(recordPath(folder));
  const first = await rpc<string>('getblockhash', [1]);
  if (record?.first === undefined) return saveRecord(recordPath(folder), { port, first });
  if (record.first === first) return;
  await endNode(placeIn(folder), pid, isOursIn(folder, port));
  throw new Error(
    `The Bitcoin chain in ${folder} is not the one that the database knows. Delete the data folder to start anew.`,
  );
}

function findProgram(): string {
  try {
    createRequire(import.meta.url).resolve('bcoin/package.json');
  } catch {
    throw new StartError(
      'bcoin is not installed: run npm install bcoin (in a checkout npm ci), or set BITCOIN_RPC_URL.',
    );
  }
  return fileURLToPath(new URL('./bitcoin-node.cjs', import.meta.url));
}

const isOursIn =
  (folder: string, port: number): IsOurs =>
  ({ args }) =>
    args.join(' ').endsWith(`/bitcoin-node.cjs --folder ${folder} --port ${port}`);

/** With a key: any page in a browser could otherwise call the node. */
function urlOf(folder: string, port: number): string {
  const { text } = keepSecret(folder, 'rpc.key', () => randomBytes(KEY_BYTES).toString('hex'));
  return `http://${USER}:${text}@127.0.0.1:${port}`;
}

const folderOf = (dataDir: string): string => join(resolve(dataDir), 'bitcoin');
const recordPath = (folder: string): string => join(folder, 'node.json');
const placeIn = (folder: string): NodePlace => ({ folder, name: 'bitcoin' });
