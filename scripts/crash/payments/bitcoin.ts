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
  const miner = startMiner(control, () => waiting === 0);
  endings.push(miner.end);

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
        if (isReplaced) await miner.block(); // Nor may one that is being mined just now.
        // The sandbox mines whatever is not patient.
        const { txid } = await wallet.pay([payment], { patient: isReplaced });
        if (isReplaced) await replace(txid, payment, plan);
      } finally {
        if (isReplaced) waiting -= 1;
      }
    },
  };
}

type Miner = {
  /** Resolves when the block that is being mined, if any, is there. */
  readonly block: () => Promise<unknown>;
  readonly end: () => Promise<void>;
};

/** Mines a block now and then while `mayMine`. */
function startMiner(control: BitcoinControl, mayMine: () => boolean): Miner {
  const ending = new AbortController();
  let block: Promise<unknown> = Promise.resolve();
  const mining = (async () => {
    while (!ending.signal.aborted) {
      if (mayMine()) {
        block = control.mine(1);
        await block;
      }
      await sleep(randomInt(BLOCK_MAX_MS), undefined, { signal: ending.signal });
    }
  })();
  mining.catch(() => undefined); // What waits then is never paid, and named for it.
  return {
    block: () => block.catch(() => undefined),
    end: async () => {
      ending.abort();
      await mining.catch(() => undefined);
    },
  };
}
