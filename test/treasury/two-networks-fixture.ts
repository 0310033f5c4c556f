import { type Address, getAddress } from 'viem';
import { MNEMONIC } from '../../src/chains/evm/dev-accounts.ts';
import { createFaucet, type Faucet } from '../../src/chains/evm/faucet.ts';
import { ETHER, type EvmNetwork } from '../../src/chains/evm/network.ts';
import { operatorOfKey } from '../../src/chains/evm/operator-account.ts';
import { createEvmReader } from '../../src/chains/evm/rpc.ts';
import { prepareTestContracts, TEST_TOKEN_DECIMALS } from '../../src/chains/evm/test-contracts.ts';
import { createWatcher, type Watcher } from '../../src/chains/watcher.ts';
import type { Db } from '../../src/lib/db-types.ts';
import { paymentMatcher } from '../../src/payments/observe.ts';
import type { Network, Token } from '../../src/ports/chain.ts';
import { allFindings, reconcileChains } from '../../src/reconcile/chains.ts';
import { sandboxSweepKey } from '../../src/sandbox/network.ts';
import { treasuryMatcher } from '../../src/treasury/reorg.ts';
import { planSweep, storeSweeps } from '../../src/treasury/sweep.ts';
import type { TestService } from '../harness.ts';
import { type Anvil, startAnvil } from '../support/anvil.ts';
import { chainsOf } from '../support/chains.ts';
import { settlerOf } from './fixture.ts';

/** A node of its own with our contracts, and its network as a service watches it. */
export type WatchedNode = {
  readonly node: Anvil;
  readonly network: EvmNetwork;
  readonly faucet: Faucet;
  /** From now on its blocks are read for this service. */
  readonly watch: (service: Watched, networks: readonly Network[]) => Promise<void>;
  readonly scan: () => Promise<void>;
  readonly close: () => Promise<void>;
};

type Watched = Pick<TestService, 'db'> & { readonly clock: Pick<TestService['clock'], 'now'> };

const CONFIRMATIONS = 2;

export async function openNode(name: string, chainId: number): Promise<WatchedNode> {
  const node = await startAnvil({ chainId });
  const contracts = await prepareTestContracts({ rpcUrl: node.url, chainId, mnemonic: MNEMONIC });
  const token = (symbol: 'USDT' | 'USDC', contract: string) => ({
    ...{ symbol, contract: contract.toLowerCase(), decimals: TEST_TOKEN_DECIMALS },
  });
  const network: EvmNetwork = {
    ...{ kind: 'evm', name, chainId, onDemand: true, rpcUrl: node.url, confirmations: CONFIRMATIONS },
    ...{ pollMs: 200, batchMax: 50, gasPriceMaxGwei: 500, coin: 'ETH', native: ETHER },
    tokens: [token('USDT', contracts.usdt), token('USDC', contracts.usdc)],
    factory: contracts.factory.toLowerCase(),
    collector: null,
    treasury: contracts.treasury.toLowerCase(),
  };
  const faucet = createFaucet(network, MNEMONIC);
  let watcher: Watcher | undefined;
  const scan = async (): Promise<void> => {
    let seen: string | undefined;
    for (let looks = 0; watcher && seen !== 'level' && looks < 100; looks += 1) seen = await watcher.look();
    if (watcher && seen !== 'level') throw new Error(`${name} is ${seen}`);
  };
  return {
    ...{ node, network, faucet, scan },
    watch: async ({ db, clock }, networks) => {
      const reader = createEvmReader(network);
      const matchers = [treasuryMatcher(networks), paymentMatcher];
      const rest = { now: clock.now, confirmationsOn: async () => CONFIRMATIONS, log: () => undefined };
      watcher = createWatcher({ ...{ db, network, reader, matchers, worker: `test ${name}` }, ...rest });
      await scan();
    },
    close: async () => {
      await watcher?.release();
      await node.stop();
    },
  };
}

/** Sweeps a token on a network, as the service's jobs do, and returns what became of each deposit. */
export async function sweepTo(
  db: Db,
  { node, network, scan }: WatchedNode,
  symbol: Token['symbol'],
  now: Date,
): Promise<{ readonly payment_id: string; readonly outcome: string | null }[]> {
  const chains = chainsOf(network);
  const sweeper = operatorOfKey(sandboxSweepKey());
  const asset = network.tokens.find((token) => token.symbol === symbol)!;
  const deps = { db, chains, coinWorth: async () => null };
  const plan = await planSweep(deps, network, asset, { from: sweeper.address, now, settledFor: 0 });
  if (plan) await storeSweeps({ db, chains, sweeper }, plan, now);
  await settlerOf({ node, network, db, scan })(now);
  return await db
    .selectFrom('sweep_items')
    .select(['payment_id', 'outcome'])
    .where('network', '=', network.name)
    .execute();
}

/** What an account holds of a token, asked of the node itself. */
export async function heldOn({ node }: WatchedNode, token: Token, account: string): Promise<bigint> {
  const data = `0x70a08231${'0'.repeat(24)}${getAddress(account as Address)
    .slice(2)
    .toLowerCase()}`;
  return BigInt(await node.rpc<string>('eth_call', [{ to: token.contract, data }, 'latest']));
}

/** What the comparison of ledger and chain finds on a network, in words. */
export async function compareOn(db: Db, { network }: WatchedNode, now: Date): Promise<string[]> {
  const chains = await reconcileChains({ db, networks: [network], chains: chainsOf(network) }, { now });
  for (const outcome of chains.outcomes.values()) if (outcome.kind === 'failed') throw outcome.error;
  return allFindings(chains).map(({ rule, subject, message }) => `${rule}: ${subject}: ${message}`);
}
