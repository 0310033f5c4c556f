import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { findFreePort } from '../../src/db/daemon.ts';
import { anvilBinary, createRpc, stateFlags, urlOf } from '../../src/sandbox/anvil.ts';

/** A node with the chain id of a live network, and a block each second. */
export type LiveNode = { readonly url: string; readonly stop: () => Promise<void> };

const READY_WITHIN_MS = 20_000;

export async function startLiveNode(chainId: number, folder: string): Promise<LiveNode> {
  const port = await findFreePort();
  const flags = ['--host', '127.0.0.1', '--port', String(port), '--chain-id', String(chainId), '--block-time', '1'];
  const quiet = ['--hardfork', 'osaka', '--slots-in-an-epoch', '1', '--quiet', ...stateFlags(folder)];
  const child = spawn(anvilBinary(), [...flags, ...quiet], { stdio: 'ignore' });
  const rpc = createRpc(urlOf(port));
  const until = performance.now() + READY_WITHIN_MS;
  while ((await rpc('eth_chainId').catch(() => undefined)) === undefined) {
    if (performance.now() > until || child.exitCode !== null) throw new Error('the node did not start');
    await sleep(50);
  }
  return {
    url: urlOf(port),
    stop: async () => {
      const ended = once(child, 'exit');
      child.kill('SIGKILL');
      await ended;
    },
  };
}
