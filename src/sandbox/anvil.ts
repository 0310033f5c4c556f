import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { MNEMONIC } from '../chains/evm/dev-accounts.ts';
import { createJsonRpc, NodeRefusal } from '../chains/json-rpc.ts';
import type { LivingProcess } from '../db/daemon.ts';
import { AppError, StartError } from '../lib/errors.ts';
import { endNode, findNode, launchNode, type NodePlace, untilNodeAnswers } from './node-process.ts';

/** The dev chain's process, and calls to it: plain JSON-RPC, because only `chains/evm` may import the EVM library. */

export const CHAIN_ID = 31_337;

export type Rpc = <Result>(method: string, params?: readonly unknown[]) => Promise<Result>;
export type Head = { height: number; hash: string; timestamp: number };

export type LaunchOptions = {
  folder: string;
  port: number;
  /** The time of block 0, in seconds since 1970. */
  timestamp: number;
  /** A snapshot to start from. */
  loadState?: string | undefined;
  allowOrigin?: string | undefined;
};

const CALL_WITHIN_MS = 30_000;
/**
 * The blocks whose states the node keeps: twice the deepest reorganisation that can be asked for.
 * See decision sandbox/states-in-memory.
 */
const STATES_KEPT = 128;

/**
 * Calls to a node. Rejects with the node's message when it refuses, with SERVICE_UNAVAILABLE when it does not answer in
 * time.
 */
export function createRpc(url: string, answerWithinMs = CALL_WITHIN_MS): Rpc {
  const ask = createJsonRpc({ url, name: 'the test chain', batchMax: 1, timeoutMs: answerWithinMs });
  return <Result>(method: string, params: readonly unknown[] = []) =>
    ask<Result>(method, params).catch((cause: unknown) => {
      if (cause instanceof NodeRefusal) throw new Error(`${method}: ${cause.message}`, { cause });
      throw new AppError('SERVICE_UNAVAILABLE', 'The test chain does not answer. Start the sandbox again.', { cause });
    });
}

/** The newest block, or the one of that height. */
export async function readHead(rpc: Rpc, height?: number): Promise<Head> {
  const at = height === undefined ? 'latest' : toHex(height);
  const block = await rpc<{ number: string; hash: string; timestamp: string }>('eth_getBlockByNumber', [at, false]);
  return { height: Number(block.number), hash: block.hash, timestamp: Number(block.timestamp) };
}

/** A number as JSON-RPC writes it. */
export const toHex = (value: number): string => `0x${value.toString(16)}`;
/** Where a node on this machine answers. */
export const urlOf = (port: number): string => `http://127.0.0.1:${port}`;

/** Starts a node and resolves when it answers; undefined when another program took the port first. */
export async function launchAnvil(options: LaunchOptions): Promise<number | undefined> {
  const node = await launchNode(placeIn(options.folder), [anvilBinary(), ...flags(options)]);
  const rpc = createRpc(urlOf(options.port));
  if (await untilNodeAnswers('The dev chain (anvil)', node, () => requireOurs(rpc))) return node.pid;
  const said = node.readOutput();
  if (said.includes('Address already in use')) return undefined;
  throw new Error(`The dev chain (anvil) did not start:\n${said}`);
}

/**
 * Makes a node keep the states of that many blocks in memory. By default it writes every account to the user's home
 * with each block, gigabytes in an hour, and leaves them there when killed.
 */
export const stateFlags = (folder: string, kept = STATES_KEPT): string[] => [
  ...['--prune-history', String(kept)],
  // It still looks there for older ones.
  ...['--cache-path', join(folder, 'states')],
];

function flags({ folder, port, timestamp, loadState, allowOrigin }: LaunchOptions): string[] {
  return [
    ...['--host', '127.0.0.1', '--port', String(port), '--chain-id', String(CHAIN_ID), '--mnemonic', MNEMONIC],
    // Pinned: the default changes with releases.
    ...['--hardfork', 'osaka'],
    // `finalized` is then two blocks behind the head, so that the code for Ethereum's finality runs here too.
    ...['--slots-in-an-epoch', '1'],
    ...['--gas-limit', '60000000', '--enable-tx-gas-limit'],
    ...['--timestamp', String(timestamp)],
    ...stateFlags(folder),
    ...(loadState === undefined ? [] : ['--load-state', loadState]),
    // Any page in the browser could otherwise spend from the unlocked accounts.
    ...['--allow-origin', allowOrigin ?? 'http://localhost:3000'],
    '--quiet',
  ];
}

/** The platform package's own binary: a killed npm wrapper leaves the node running. */
export function anvilBinary(): string {
  const names: Record<string, string> = { x64: 'amd64', arm64: 'arm64' };
  const name = `@foundry-rs/anvil-${process.platform}-${names[process.arch] ?? process.arch}`;
  try {
    const fromPackage = createRequire(createRequire(import.meta.url).resolve('@foundry-rs/anvil/package.json'));
    return join(dirname(fromPackage.resolve(`${name}/package.json`)), 'bin', 'anvil');
  } catch {
    throw new StartError(
      `The sandbox has no chain, because ${name} is not installed: run npm install @foundry-rs/anvil (in a checkout npm ci), or set EVM_RPC_URL.`,
    );
  }
}

/** Another program that took the port first may answer, too. */
async function requireOurs(rpc: Rpc): Promise<void> {
  const id = await rpc<string>('eth_chainId');
  if (id !== toHex(CHAIN_ID)) throw new Error(`it serves chain ${id}`);
}

/** The process id in a folder's file, if that node lives and listens on the port. */
export const findAnvil = (folder: string, port: number): number | undefined =>
  findNode(placeIn(folder), (found) => isAnvil(found, port));

/** Ends a node at once: everything worth keeping is in the snapshot. */
export const endAnvil = (folder: string, pid: number, port: number): Promise<void> =>
  endNode(placeIn(folder), pid, (found) => isAnvil(found, port));

function isAnvil({ args }: LivingProcess, port: number): boolean {
  const line = args.join(' ');
  return line.includes('/anvil ') && line.includes(` --port ${port} `);
}

const placeIn = (folder: string): NodePlace => ({ folder, name: 'anvil' });
