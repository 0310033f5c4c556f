import { type Address, encodeFunctionData, type Hex, parseAbi, parseGwei, toHex } from 'viem';
import { type LocalAccount, privateKeyToAccount } from 'viem/accounts';
import { encodeAuthorize, encodeRevoke, type Mandate } from '../../../src/chains/evm/collector.ts';
import type { EvmNetwork } from '../../../src/chains/evm/network.ts';
import type { Token } from '../../../src/ports/chain.ts';
import { createRpc, type Rpc } from '../../../src/sandbox/anvil.ts';
import type { ChainControl } from '../../../src/sandbox/chain-control.ts';
import { findBreak } from './chain-facts.ts';

/** What customers do with their wallets. Transactions wait in the node's pool; only the campaign makes blocks. */
export type Wallets = {
  readonly account: (wallet: number) => LocalAccount;
  /** Gets enough money for the whole run. */
  readonly fill: (wallet: number, token: Token) => Promise<void>;
  /** Gives away all its money. */
  readonly empty: (wallet: number, token: Token) => Promise<void>;
  readonly allow: (wallet: number, token: Token, units: bigint) => Promise<void>;
  readonly authorize: (wallet: number, mandate: Mandate) => Promise<void>;
  readonly revoke: (wallet: number, mandateId: Hex) => Promise<void>;
  /** Makes a block of all that was sent. */
  readonly mine: () => Promise<void>;
  /**
   * Replaces the newest blocks. Dropped transactions of customers are sent again, as their wallets would; the operator
   * has to do so itself. Throws if the node has lost a block by it.
   */
  readonly reorg: (depth: number, keepTransactions: boolean) => Promise<void>;
};

const token = parseAbi([
  'function mint(address, uint256)',
  'function transfer(address, uint256)',
  'function approve(address, uint256)',
  'function balanceOf(address) view returns (uint256)',
]);
export const UNLIMITED = 2n ** 256n - 1n;
const LIFETIME_UNITS = 10n ** 12n;
const LOOK_BACK = 20;
/** The customers' keys are the numbers from here on. */
const FIRST_KEY = 0xd0000000n;
const COIN = 10n ** 18n;
const GAS = 200_000n;
/** A sink for given-away money. */
const SINK: Address = '0x000000000000000000000000000000000000dEaD';

/** The wallets of `count` customers, with coins for fees. */
export async function openWallets(
  { rpcUrl, collector, chainId }: EvmNetwork,
  chain: ChainControl,
  { count, operator }: { readonly count: number; readonly operator: string },
): Promise<Wallets> {
  const rpc = createRpc(rpcUrl);
  const accounts = Array.from({ length: count }, (_, i) =>
    privateKeyToAccount(toHex(BigInt(i) + FIRST_KEY, { size: 32 })),
  );
  const account = (wallet: number): LocalAccount => accounts[wallet] as LocalAccount;
  await Promise.all(accounts.map(({ address }) => rpc('anvil_setBalance', [address, toHex(COIN)])));
  // A node that makes a block during a replacement loses blocks for good, so make blocks only while nothing else runs.
  await rpc('evm_setAutomine', [false]);
  await chain.mine(1);
  const fees = { maxFeePerGas: parseGwei('1000'), maxPriorityFeePerGas: 0n };
  const send = async (wallet: number, to: Address, data: Hex): Promise<void> => {
    const from = account(wallet);
    const nonce = Number(await rpc('eth_getTransactionCount', [from.address, 'pending']));
    const call = { type: 'eip1559', chainId, nonce, to, data, gas: GAS, ...fees } as const;
    await rpc('eth_sendRawTransaction', [await from.signTransaction(call)]);
  };
  const place = collector as Address;
  const call = (wallet: number, { contract }: Token, data: Hex) => send(wallet, contract as Address, data);
  return {
    account,
    fill: (wallet, of) => call(wallet, of, encodeMint(account(wallet).address)),
    empty: async (wallet, of) => {
      const data = encodeFunctionData({ abi: token, functionName: 'balanceOf', args: [account(wallet).address] });
      const held = BigInt(await rpc<string>('eth_call', [{ to: of.contract, data }, 'latest']));
      await call(wallet, of, encodeFunctionData({ abi: token, functionName: 'transfer', args: [SINK, held] }));
    },
    allow: (wallet, of, units) =>
      call(wallet, of, encodeFunctionData({ abi: token, functionName: 'approve', args: [place, units] })),
    authorize: (wallet, mandate) => send(wallet, place, encodeAuthorize(mandate)),
    revoke: (wallet, mandateId) => send(wallet, place, encodeRevoke(mandateId)),
    mine: () => chain.mine(1),
    reorg: async (depth, keepTransactions) => {
      const sent = await listSent(rpc, depth, operator);
      await chain.reorg(depth, keepTransactions);
      const broken = await findBreak(rpcUrl, LOOK_BACK);
      if (broken) throw new Error(`the node has lost block ${broken.height} of ${broken.head}`);
      if (!keepTransactions) for (const raw of sent) await rpc('eth_sendRawTransaction', [raw]);
      await chain.mine(1);
    },
  };
}

const encodeMint = (to: Address): Hex =>
  encodeFunctionData({ abi: token, functionName: 'mint', args: [to, LIFETIME_UNITS] });

/** The raw transactions of all but the operator in the newest blocks, oldest first. */
async function listSent(rpc: Rpc, depth: number, operator: string): Promise<string[]> {
  const head = Number(await rpc<string>('eth_blockNumber'));
  const found: string[] = [];
  for (let height = head - depth + 1; height <= head; height += 1) {
    const block = await rpc<{ transactions: { from: string; hash: string }[] }>('eth_getBlockByNumber', [
      toHex(height),
      true,
    ]);
    for (const { from, hash } of block.transactions) {
      if (from.toLowerCase() !== operator) found.push(await rpc('eth_getRawTransactionByHash', [hash]));
    }
  }
  return found;
}
