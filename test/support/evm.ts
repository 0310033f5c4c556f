import {
  type Abi,
  type Account,
  type Address,
  type Client,
  createClient,
  encodeDeployData,
  type Hex,
  http,
  type TransactionReceipt,
  type Transport,
} from 'viem';
import { sendTransaction } from 'viem/actions';
import { waitForReceipt } from '../../src/chains/evm/client.ts';
import type { EvmNetwork } from '../../src/chains/evm/network.ts';
import type { Anvil } from './anvil.ts';

/** The node's own unlocked accounts, rich in ether. */
const ALICE: Address = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266';
export const BOB: Address = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8';

export type Wallet = Client<Transport, undefined, Account>;

/** A client that sends from one of the node's unlocked accounts. */
export function walletOf(node: Anvil, account: Address = ALICE): Wallet {
  return createClient({ account, transport: http(node.url), pollingInterval: 10 }) as Wallet;
}

type Transaction = {
  readonly to?: Address;
  readonly value?: bigint;
  readonly data?: Hex;
  readonly gas?: bigint;
};

/** Sends a transaction and returns its receipt, successful or reverted. */
export async function send(wallet: Wallet, transaction: Transaction): Promise<TransactionReceipt> {
  const request = { gas: 16_000_000n, ...transaction };
  const hash = await sendTransaction(wallet, { ...request, account: wallet.account, chain: null });
  return waitForReceipt(wallet, hash);
}

/** Deploys a contract from `wallet` and returns its address. */
export async function deploy(
  wallet: Wallet,
  contract: { readonly abi: Abi | readonly unknown[]; readonly bytecode: Hex },
  args: readonly unknown[] = [],
): Promise<Address> {
  const data = encodeDeployData({ abi: contract.abi as Abi, bytecode: contract.bytecode, args });
  const receipt = await send(wallet, { data });
  if (receipt.status !== 'success' || !receipt.contractAddress) throw new Error('The deployment reverted');
  return receipt.contractAddress;
}

/** A network on this node with two tokens of 6 decimals; `treasury` receives what is swept. */
export const tokenNetwork = (
  node: Anvil,
  { usdt, usdc }: { readonly usdt: Address; readonly usdc: Address },
  treasury: Address,
  pollMs: number,
): EvmNetwork => ({
  kind: 'evm',
  name: 'devnet',
  chainId: node.chainId,
  rpcUrl: node.url,
  tokens: [
    { symbol: 'USDT', contract: usdt.toLowerCase(), decimals: 6 },
    { symbol: 'USDC', contract: usdc.toLowerCase(), decimals: 6 },
  ],
  confirmations: 2,
  pollMs,
  batchMax: 50,
  factory: treasury,
  collector: null,
  treasury,
  gasPriceMaxGwei: 500,
  // Another chain id stands for a chain that makes blocks by itself.
  onDemand: node.chainId === 31_337,
});
