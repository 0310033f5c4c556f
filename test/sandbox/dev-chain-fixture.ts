import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, inject } from 'vitest';
import { createRpc, type Rpc } from '../../src/sandbox/anvil.ts';
import { type DevChain, type DevChainOptions, startDevChain } from '../../src/sandbox/dev-chain.ts';
import { runAndDie } from '../support/orphans.ts';
import { makeTestFolder } from '../support/run-folder.ts';

const project = new URL('../..', import.meta.url).pathname;
export const noon = new Date('2026-03-01T12:00:00.000Z');
export const payee = '0x00000000000000000000000000000000000000aa';

type Receipt = { transactionHash: string; blockHash: string; blockNumber: string };

export const receiptOf = (rpc: Rpc, hash: string) => rpc<Receipt | null>('eth_getTransactionReceipt', [hash]);

/** Sends one wei; returns the receipt once it is mined. */
export async function pay(rpc: Rpc): Promise<Receipt> {
  const [from] = await rpc<string[]>('eth_accounts');
  const hash = await rpc<string>('eth_sendTransaction', [{ from, to: payee, value: '0x1' }]);
  await expect.poll(() => receiptOf(rpc, hash), { interval: 10 }).not.toBeNull();
  return (await receiptOf(rpc, hash)) as Receipt;
}

export const balanceOf = async (rpc: Rpc) => Number(await rpc<string>('eth_getBalance', [payee, 'latest']));
export const pidOf = (folder: string) => Number(readFileSync(join(folder, 'chain/anvil.pid'), 'utf8'));

/** A folder per test in which chains can be started; they are stopped at its end. */
export function useDevChain() {
  let dataDir: string;
  const running: DevChain[] = [];
  beforeEach(() => {
    dataDir = makeTestFolder(inject('runFolder'));
  });
  afterEach(async () => {
    await Promise.all(running.splice(0).map((chain) => chain.stop()));
  });
  return {
    get dataDir() {
      return dataDir;
    },
    running,
    start: async (options: Partial<DevChainOptions> = {}): Promise<DevChain & { rpc: Rpc }> => {
      const chain = await startDevChain({ dataDir, now: noon, log: () => undefined, ...options });
      running.push(chain);
      return { ...chain, rpc: createRpc(chain.rpcUrl) };
    },
    /** A service that starts the chain, runs this, and is killed before it can store or stop anything. */
    dieAfter: (code: string) =>
      runAndDie(`
        const { startDevChain } = await import('${project}/src/sandbox/dev-chain.ts');
        const { createRpc, readHead } = await import('${project}/src/sandbox/anvil.ts');
        const chain = await startDevChain({ dataDir: '${dataDir}', now: new Date(${noon.getTime()}), log: () => {}, snapshotEveryMs: 1e6 });
        const rpc = createRpc(chain.rpcUrl);
        ${code}`),
  };
}
