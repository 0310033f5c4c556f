import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { inject } from 'vitest';
import { MNEMONIC } from '../../src/chains/evm/dev-accounts.ts';
import { prepareTestContracts, TEST_TOKEN_DECIMALS } from '../../src/chains/evm/test-contracts.ts';
import type { TestDatabase } from './database.ts';
import { makeTestFolder } from './run-folder.ts';

/** The chain id of Base: a live network, not the sandbox's. */
export const LIVE_CHAIN_ID = 8453;
export const LIVE_MASTER_KEY = '0f1e2d3c4b5a69788796a5b4c3d2e1f000112233445566778899aabbccddeeff';

export type LiveEntry = {
  readonly name: string;
  readonly tokens: readonly { readonly symbol: string; readonly contract: string; readonly decimals: number }[];
  readonly [field: string]: unknown;
};

/**
 * An entry of KASI_NETWORKS for a node with the chain id of Base, on which our contracts now stand. It has no
 * collector, because the operator of the test contracts is an account that everybody knows, which live refuses.
 */
export async function prepareLiveEntry(rpcUrl: string, chainId = LIVE_CHAIN_ID): Promise<LiveEntry> {
  const contracts = await prepareTestContracts({ rpcUrl, chainId, mnemonic: MNEMONIC });
  const { factory, treasury } = contracts;
  const token = (symbol: 'USDT' | 'USDC', contract: string) => ({ symbol, contract, decimals: TEST_TOKEN_DECIMALS });
  return {
    ...{ name: 'base', chainId, rpcUrl, confirmations: 1, pollMs: 100, factory, treasury },
    tokens: [token('USDT', contracts.usdt), token('USDC', contracts.usdc)],
  };
}

/** A network of which nobody answers: for what ends before a node is needed. */
export const UNREACHED_NETWORK = {
  ...{ name: 'base', chainId: 8453, rpcUrl: 'http://127.0.0.1:1', confirmations: 1 },
  factory: '0x00000000000000000000000000000000000000f0',
  treasury: '0x00000000000000000000000000000000000000f1',
  tokens: [{ symbol: 'USDC', contract: '0x00000000000000000000000000000000000000a2', decimals: 6 }],
};

/** The environment of a live process, as an operator sets it. */
export function liveEnv(
  database: Pick<TestDatabase, 'url' | 'ownerUrl'>,
  networks: readonly object[],
  more: Readonly<Record<string, string>> = {},
): Record<string, string> {
  const folder = makeTestFolder(inject('runFolder'));
  const file = join(folder, 'networks.json');
  writeFileSync(file, JSON.stringify({ networks, rates: [] }));
  return {
    KASI_MODE: 'live',
    DEPLOYMENT_ID: 'shop-production',
    DATABASE_URL: database.url,
    DATABASE_OWNER_URL: database.ownerUrl,
    PUBLIC_URL: 'https://pay.example',
    TRUST_PROXY: '127.0.0.1',
    PORT: '0',
    MASTER_KEY: LIVE_MASTER_KEY,
    KASI_NETWORKS: file,
    KASI_DATA_DIR: folder,
    ...more,
  };
}
