/** Moves the deposits of a network into the treasury. May be interrupted and repeated. */

import { sql } from 'kysely';
import { type Address, BaseError, formatUnits, getAddress } from 'viem';
import { openSender } from '../src/chains/evm/client.ts';
import { type EvmNetwork, isEvmNetwork } from '../src/chains/evm/network.ts';
import { NATIVE, type SweepResult, sweepDeposits } from '../src/chains/evm/sweep.ts';
import type { Config } from '../src/config.ts';
import type { Db } from '../src/lib/db-types.ts';
import { prepareSandboxNetwork } from '../src/sandbox/network.ts';
import { Refusal, runOnDatabase } from './lib/connection.ts';

const USAGE = `Usage: OPERATOR_KEY=0x… npm run sweep -- <network> <USDT | USDC | native>
  OPERATOR_KEY  the private key that pays the gas; it can send the deposits nowhere but to the treasury
  In the sandbox the network is devnet, and EVM_RPC_URL leads to its node (GET /v1/sandbox shows it).`;
const PAGE = 1000;

await runOnDatabase(async ({ db, config, clock }) => {
  const [name = '', symbol = ''] = process.argv.slice(2);
  const network = await findNetwork(config, name);
  const token = network?.tokens.find((listed) => listed.symbol === symbol);
  if (!network || (!token && symbol !== 'native')) throw new Refusal(USAGE);
  const asset = token ? getAddress(token.contract) : NATIVE;
  const show = (units: bigint): string => `${formatUnits(units, token?.decimals ?? 18)} ${symbol}`;
  try {
    const sender = openSender(network.rpcUrl, process.env['OPERATOR_KEY'] ?? '');
    let found = false;
    for await (const { factory, paymentIds } of listPayments(db, asset, clock.now())) {
      const result = await sweepDeposits(sender, getAddress(factory), paymentIds, asset);
      report(result, show);
      found ||= result.transactions.length > 0;
    }
    if (!found) console.log(`no deposit address of ${name} holds any ${symbol} that may be swept`);
  } catch (error) {
    throw new Refusal(error instanceof BaseError ? error.shortMessage : (error as Error).message);
  }
});

async function findNetwork(config: Config, name: string): Promise<EvmNetwork | undefined> {
  if (config.mode === 'live') return config.networks.filter(isEvmNetwork).find((network) => network.name === name);
  if (name !== 'devnet' || config.evmRpcUrl === null) return undefined;
  return await prepareSandboxNetwork({ rpcUrl: config.evmRpcUrl });
}

/**
 * All payments, grouped by the factory of their deposit address, page by page. Ether waits until the payment cannot be
 * paid any more, because what an address received is read from its balance.
 */
async function* listPayments(db: Db, asset: Address, now: Date) {
  let after = '';
  for (;;) {
    let query = db.selectFrom('payments').select(['id', 'factory_address']).where('id', '>', after);
    if (asset === NATIVE) {
      query = query
        .where('status', 'in', ['paid', 'failed', 'expired'])
        .where(sql<boolean>`expires_at + late_window_ms * interval '1 millisecond' <= ${now}`);
    }
    const page = await query.orderBy('id').limit(PAGE).execute();
    for (const factory of new Set(page.map((payment) => payment.factory_address))) {
      yield { factory, paymentIds: page.filter((row) => row.factory_address === factory).map((row) => row.id) };
    }
    after = page.at(-1)?.id ?? '';
    if (page.length < PAGE) return;
  }
}

function report({ swept, failed, transactions }: SweepResult, show: (units: bigint) => string): void {
  for (const { paymentId, address, balance } of swept) console.log(`${paymentId} ${address}: ${show(balance)} swept`);
  for (const { paymentId, address, balance } of failed) {
    console.log(`${paymentId} ${address}: ${show(balance)} refused to move; it stays there for the next time`);
    process.exitCode = 1;
  }
  for (const { hash, gasUsed } of transactions) console.log(`transaction ${hash}: ${gasUsed} gas`);
}
