import type { components } from '../../generated/api.ts';
import type { FundedWallet } from '../chains/evm/faucet.ts';
import { openPlayWallet, type PlayWallet } from '../chains/evm/play-wallet.ts';
import { AppError } from '../lib/errors.ts';
import { formatToken } from '../lib/money.ts';
import type { Token } from '../ports/chain.ts';
import { findPlayMoney, parseAmount } from './play-money.ts';
import type { Sandbox } from './sandbox.ts';
import { waitUntilQuiet } from './sync.ts';

type Schemas = components['schemas'];

/**
 * Makes a wallet with `amount` of every token, 10,000 by default, and stores its key.
 * See decision sandbox/remembers-wallet-keys. Throws VALIDATION_ERROR for the amount.
 */
export async function createSandboxWallet(sandbox: Sandbox, amount: string | undefined): Promise<FundedWallet> {
  const { db, clock, faucet, network } = sandbox;
  const units = new Map(
    network.tokens.map((token) => [token, amount === undefined ? null : parseAmount(amount, token)]),
  );
  const wallet = await faucet.createWallet(amount === undefined ? undefined : (token) => units.get(token) ?? 0n);
  await db
    .insertInto('sandbox_wallets')
    .values({ address: wallet.address.toLowerCase(), private_key: wallet.privateKey, created_at: clock.now() })
    .execute();
  return wallet;
}

/** The sandbox's wallet with this address; undefined when it made none. */
export async function findSandboxWallet({ db, network }: Sandbox, address: string): Promise<PlayWallet | undefined> {
  const row = await db
    .selectFrom('sandbox_wallets')
    .select('private_key')
    .where('address', '=', address.toLowerCase())
    .executeTakeFirst();
  return row && openPlayWallet(network, row.private_key);
}

export type WalletChange = Schemas['UpdateSandboxWalletRequest'] & { readonly address: string };

/**
 * Brings a wallet's balance and allowance to the requested values by real transactions, and waits some seconds until
 * the service has seen them. Of two calls for one wallet the second starts when the first is done. Throws NOT_FOUND and
 * VALIDATION_ERROR.
 */
export function changeSandboxWallet(sandbox: Sandbox, change: WalletChange): Promise<Schemas['SandboxWalletState']> {
  return sandbox.inTurn(change.address.toLowerCase(), () => changeWallet(sandbox, change));
}

async function changeWallet(sandbox: Sandbox, change: WalletChange): Promise<Schemas['SandboxWalletState']> {
  const { network } = sandbox;
  const wallet = await findSandboxWallet(sandbox, change.address);
  if (!wallet) {
    const cure = 'Make one with POST /v1/sandbox/wallets.';
    throw new AppError('NOT_FOUND', `The sandbox has made no wallet with this address. ${cure}`);
  }
  const token = findPlayMoney(network, change.token ?? 'USDT');
  const balance = change.balance === undefined ? undefined : parseAmount(change.balance, token, 'balance');
  const allowance = change.allowance === undefined ? undefined : parseAmount(change.allowance, token, 'allowance');
  const spender = collectorOf(sandbox);
  if (balance !== undefined) await bringTo(sandbox, wallet, token, balance);
  if (allowance !== undefined) await wallet.approve(token.contract, spender, allowance);
  if (balance !== undefined || allowance !== undefined) await waitUntilQuiet(sandbox);
  const now = await wallet.look(token.contract, spender);
  const show = (units: bigint): string => formatToken(units, token.decimals);
  return {
    address: wallet.address,
    network: network.name,
    token: token.symbol,
    balance: show(now.units),
    allowance: show(now.allowance),
  };
}

async function bringTo(sandbox: Sandbox, wallet: PlayWallet, token: Token, wanted: bigint): Promise<void> {
  const { units } = await wallet.look(token.contract, collectorOf(sandbox));
  if (units < wanted) await sandbox.faucet.give(token, wallet.address, wanted - units);
  if (units > wanted) await wallet.send(token.contract, sandbox.faucet.sink(), units - wanted);
}

/** The contract that collects on the sandbox's chain. */
function collectorOf({ network }: Sandbox): string {
  if (network.collector) return network.collector;
  throw new Error('the network of the sandbox has no collector');
}
