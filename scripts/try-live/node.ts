import { spawn } from 'node:child_process';
import { findFreePort } from '../../src/db/daemon.ts';
import { anvilBinary, createRpc, stateFlags, urlOf } from '../../src/sandbox/anvil.ts';
import { end, requireAnswers } from '../lib/children.ts';

/** A node with the chain id of a live network, and a block each second. */
export type LiveNode = { readonly url: string; readonly stop: () => Promise<void> };

export async function startLiveNode(chainId: number, folder: string): Promise<LiveNode> {
  const port = await findFreePort();
  const flags = ['--host', '127.0.0.1', '--port', String(port), '--chain-id', String(chainId), '--block-time', '1'];
  const quiet = ['--hardfork', 'osaka', '--slots-in-an-epoch', '1', '--quiet', ...stateFlags(folder)];
  const child = spawn(anvilBinary(), [...flags, ...quiet], { stdio: 'ignore' });
  const rpc = createRpc(urlOf(port));
  await requireAnswers(
    child,
    () => rpc('eth_chainId'),
    (why) => new Error(`the node ${why}`),
  );
  return {
    url: urlOf(port),
    stop: () => end(child, 'SIGKILL'),
  };
}
