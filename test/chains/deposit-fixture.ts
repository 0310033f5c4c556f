import { type Abi, type Address, encodeFunctionData, type Hex, parseEventLogs, type TransactionReceipt } from 'viem';
import { generatePrivateKey, privateKeyToAddress } from 'viem/accounts';
import { getBalance, getCode, readContract } from 'viem/actions';
import { depositFactory, testUsdc } from '../../generated/contracts.ts';
import { deployDeterministic, factoryInitCode } from '../../src/chains/evm/deploy.ts';
import { depositAddress, depositSalt } from '../../src/chains/evm/deposit-address.ts';
import type { Anvil } from '../support/anvil.ts';
import { send, type Wallet, walletOf } from '../support/evm.ts';

export const NATIVE: Address = '0x0000000000000000000000000000000000000000';

/** One node with a deposit factory, whose treasury is a plain address, and shorthands for tests. */
export type Deposits = Awaited<ReturnType<typeof openDeposits>>;

let made = 0;

/** A payment id that no other test uses. */
export const newPayment = (): string => `pay_test${(made++).toString().padStart(22, '0')}`;

export const newAddress = (): Address => privateKeyToAddress(generatePrivateKey());

/** Deploys the factory of `treasury` on the node. */
export async function openDeposits(node: Anvil, treasury: Address = newAddress()) {
  const wallet = walletOf(node);
  const { address: factory } = await deployDeterministic(wallet, factoryInitCode(treasury));
  return {
    node,
    wallet,
    treasury,
    factory,
    addressOf: (paymentId: string) => depositAddress(factory, paymentId),
    /** Sweeps by calling the contract directly, without src/chains/evm/sweep.ts. */
    sweep: (paymentIds: readonly string[], token: Address, from: Wallet = wallet) =>
      send(from, { to: factory, data: sweepCall(paymentIds, token) }),
    payEther: (to: Address, value: bigint) => send(wallet, { to, value }),
    mint: (token: Address, to: Address, amount: bigint) => send(wallet, { to: token, data: mintCall(to, amount) }),
    tokens: (token: Address, of: Address) =>
      readContract(wallet, { address: token, abi: testUsdc.abi, functionName: 'balanceOf', args: [of] }),
    ether: (of: Address) => getBalance(wallet, { address: of }),
    hasCode: async (at: Address) => (await getCode(wallet, { address: at })) !== undefined,
  };
}

/** Calldata of a sweep. */
export const sweepCall = (paymentIds: readonly string[], token: Address): Hex =>
  encodeFunctionData({ abi: depositFactory.abi, functionName: 'sweep', args: [paymentIds.map(depositSalt), token] });

const mintCall = (to: Address, amount: bigint): Hex =>
  encodeFunctionData({ abi: testUsdc.abi, functionName: 'mint', args: [to, amount] });

/** Calls a contract that only tests use. */
export function invoke(
  wallet: Wallet,
  to: Address,
  abi: readonly unknown[],
  functionName: string,
  args: readonly unknown[],
) {
  return send(wallet, { to, data: encodeFunctionData({ abi: abi as Abi, functionName, args }) });
}

/** The outcome of a sweep from its events: amounts by deposit address, and the addresses that failed. */
export function outcome(receipt: TransactionReceipt): { swept: Record<Address, bigint>; failed: Address[] } {
  const events = parseEventLogs({ abi: depositFactory.abi, logs: receipt.logs });
  const swept: Record<Address, bigint> = {};
  const failed: Address[] = [];
  for (const event of events) {
    if (event.eventName === 'Swept') swept[event.args.deposit] = event.args.amount;
    else failed.push(event.args.deposit);
  }
  return { swept, failed };
}
