import { randomInt } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { AppError } from '../../../src/lib/errors.ts';
import type { Network } from '../../../src/ports/chain.ts';
import { type BitcoinControl, controlBitcoin } from '../../../src/sandbox/bitcoin-control.ts';
import { findBitcoinNode } from '../../../src/sandbox/bitcoin-node.ts';
import { type BitcoinPayment, createBitcoinWallet } from '../../../src/sandbox/bitcoin-wallet.ts';
import { sandboxBitcoinNetwork } from '../../../src/sandbox/network.ts';
import type { Endings } from '../stage.ts';
import type { Plan } from './plan.ts';

/** A sandbox's Bitcoin node, which outlives the service, with a payer and a background miner. */
export type BitcoinMarket = {
  readonly network: Network;
  /** Pays, and replaces what it paid as planned. Resolves when the last transaction is in the pool. */
  readonly pay: (payment: BitcoinPayment, plan: Plan) => Promise<void>;
  /** How many transfers have been replaced. */
  readonly replaced: () => number;
};

const BLOCK_MAX_MS = 2_000;

/** Joins the node that runs on a data folder. Blocks come until the `endings`. Throws if there is none. */
export function openBitcoinMarket(dataDir: string, endings: Endings): BitcoinMarket {
  const rpcUrl = findBitcoinNode(dataDir);
  if (rpcUrl === undefined) throw new Error('the sandbox has no Bitcoin node');
  const control = controlBitcoin(rpcUrl, () => new Date());
  const wallet = createBitcoinWallet(control);
  let [replaced, waiting] = [0, 0];
  endings.push(startMiner(control, () => waiting === 0));

  const replace = async (txid: string, payment: BitcoinPayment, { way, replaceMs }: Plan): Promise<void> => {
    await sleep(replaceMs);
    const redirect = way === 'redirected' ? { from: payment.address, to: wallet.sink } : undefined;
    try {
      await wallet.replace(txid, redirect);
    } catch (error) {
      if (error instanceof AppError) return; // Another wallet's refill mined it first.
      throw error;
    }
    replaced += 1;
    if (redirect === undefined) return;
    await sleep(replaceMs);
    await wallet.pay([payment]);
  };
  return {
    network: sandboxBitcoinNetwork(rpcUrl),
    replaced: () => replaced,
    pay: async (payment, plan) => {
      const isReplaced = plan.way === 'replaced' || plan.way === 'redirected';
      if (isReplaced) waiting += 1; // Before it is in the pool, or a block may take it.
      try {
        const { txid } = await wallet.pay([payment]);
        if (isReplaced) await replace(txid, payment, plan);
      } finally {
        if (isReplaced) waiting -= 1;
      }
    },
  };
}

/** Mines a block now and then while `mayMine`. Returns what ends it. */
function startMiner(control: BitcoinControl, mayMine: () => boolean): () => Promise<void> {
  const ending = new AbortController();
  const mining = (async () => {
    while (!ending.signal.aborted) {
      if (mayMine()) await control.mine(1);
      await sleep(randomInt(BLOCK_MAX_MS), undefined, { signal: ending.signal });
    }
  })();
  mining.catch(() => undefined); // What waits then is never paid, and named for it.
  return async () => {
    ending.abort();
    await mining.catch(() => undefined);
  };
}
