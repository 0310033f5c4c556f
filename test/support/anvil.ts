import { type ChildProcess, spawn } from 'node:child_process';
import { inject } from 'vitest';
import { anvilBinary, stateFlags } from '../../src/sandbox/anvil.ts';

/** A real EVM node for one test file. */
export interface Anvil {
  readonly url: string;
  readonly chainId: number;
  /** Calls one JSON-RPC method; an error response throws with its message. */
  rpc<T = unknown>(method: string, params?: readonly unknown[]): Promise<T>;
  stop(): Promise<void>;
}

export interface AnvilOptions {
  readonly chainId?: number;
  readonly hardfork?: string;
  /** The time of the genesis block, in seconds. */
  readonly timestamp?: number;
  /** How many blocks back it knows balances and can reorg. */
  readonly statesKept?: number;
}

const START_TIMEOUT_MS = 20_000;
const STOP_TIMEOUT_MS = 5_000;

/**
 * Starts anvil on a free port with the flags of the sandbox chain and resolves when it listens. The binary of the
 * platform's package is spawned, not its npm wrapper: a killed wrapper leaves the node running.
 */
export async function startAnvil(options: AnvilOptions = {}): Promise<Anvil> {
  const chainId = options.chainId ?? 31_337;
  const child = spawn(
    anvilBinary(),
    [
      ...['--host', '127.0.0.1', '-p', '0', '--chain-id', String(chainId)],
      ...['--hardfork', options.hardfork ?? 'osaka', '--slots-in-an-epoch', '1'],
      ...['--gas-limit', '60000000', '--enable-tx-gas-limit', '--no-request-size-limit'],
      ...(options.timestamp === undefined ? [] : ['--timestamp', String(options.timestamp)]),
      ...stateFlags(inject('runFolder'), options.statesKept),
    ],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  );
  const killWithUs = () => child.kill('SIGKILL');
  process.once('exit', killWithUs);
  const port = await listeningPort(child);
  const url = `http://127.0.0.1:${port}`;
  return {
    url,
    chainId,
    rpc: (method, params = []) => call(url, method, params),
    stop: async () => {
      process.off('exit', killWithUs);
      await stop(child);
    },
  };
}

/** Port 0 takes any free port, so that concurrent test files never race for one; anvil prints it. */
function listeningPort(child: ChildProcess): Promise<number> {
  return new Promise((resolve, reject) => {
    let printed = '';
    const timer = setTimeout(() => finish(new Error(`anvil did not listen in time: ${printed}`)), START_TIMEOUT_MS);
    const onData = (chunk: Buffer) => {
      printed += chunk.toString();
      const port = /Listening on [\d.]+:(\d+)/.exec(printed)?.[1];
      if (port !== undefined) finish(Number(port));
    };
    const onExit = (code: number | null) => finish(new Error(`anvil ended with ${code}: ${printed}`));
    const finish = (result: number | Error) => {
      clearTimeout(timer);
      child.stdout?.off('data', onData);
      child.off('exit', onExit);
      child.stdout?.resume(); // It prints every call: without a reader it would block on a full pipe.
      if (typeof result === 'number') resolve(result);
      else reject(result);
    };
    child.stdout?.on('data', onData);
    child.once('exit', onExit);
    child.once('error', finish);
  });
}

async function call<T>(url: string, method: string, params: readonly unknown[]): Promise<T> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
  });
  const answer = (await response.json()) as { result?: T; error?: { message: string } };
  if (answer.error !== undefined) throw new Error(`${method}: ${answer.error.message}`);
  return answer.result as T;
}

function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return Promise.resolve();
  return new Promise((resolve) => {
    const timer = setTimeout(() => child.kill('SIGKILL'), STOP_TIMEOUT_MS);
    child.once('exit', () => {
      clearTimeout(timer);
      resolve();
    });
    child.kill('SIGTERM');
  });
}
