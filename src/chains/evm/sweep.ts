import { type Address, type Hex, isAddressEqual, parseEventLogs, type TransactionReceipt } from 'viem';
import { estimateContractGas, readContract, writeContract } from 'viem/actions';
import { depositFactory } from '../../../generated/contracts.ts';
import { type Reader, type Sender, waitForReceipt } from './client.ts';
import { depositAddress, depositSalt } from './deposit-address.ts';
import { batchGas } from './gas.ts';

/** Stands for the chain's own coin where a token's address is expected. */
export const NATIVE: Address = '0x0000000000000000000000000000000000000000';

/** First-time items cost up to 66k gas; EIP-7825 allows a transaction 16.7M, which 240 of them nearly fill. */
export const SWEEP_BATCH_MAX = 200;
const GAS_OF_BATCH = 200_000n;
const GAS_OF_ITEM = 80_000n;
const BALANCES_BATCH_MAX = 1000;

export type DepositBalance = { readonly paymentId: string; readonly address: Address; readonly balance: bigint };

export type SweepResult = {
  /** The amount that left each deposit address, in base units. */
  readonly swept: readonly DepositBalance[];
  /** Addresses that keep their money, because the token or the treasury refused; a later sweep can retry them. */
  readonly failed: readonly DepositBalance[];
  readonly transactions: readonly { readonly hash: Hex; readonly gasUsed: bigint }[];
};

/**
 * The deposit addresses of these payments that hold any of `token` (or of the chain's coin) at the head, and how much.
 */
export async function listDepositBalances(
  reader: Reader,
  factory: Address,
  paymentIds: readonly string[],
  token: Address,
): Promise<DepositBalance[]> {
  const found: DepositBalance[] = [];
  for (const ids of inChunks(paymentIds, BALANCES_BATCH_MAX)) {
    const addresses = ids.map((id) => depositAddress(factory, id));
    const balances = await readContract(reader, {
      address: factory,
      abi: depositFactory.abi,
      functionName: 'balancesOf',
      args: [addresses, token],
    });
    for (const { index, balance } of balances) {
      const at = Number(index);
      found.push({ paymentId: ids[at]!, address: addresses[at]!, balance });
    }
  }
  return found;
}

/**
 * Sends all of `token` (or of the chain's coin) at the deposit addresses of these payments to the factory's treasury,
 * in transactions of at most 200, and waits for each. Empty addresses cost nothing. Safe to repeat and to interrupt:
 * the next sweep finds what this one left. Throws when a transaction cannot be sent or reverts.
 */
export async function sweepDeposits(
  sender: Sender,
  factory: Address,
  paymentIds: readonly string[],
  token: Address,
): Promise<SweepResult> {
  const swept: DepositBalance[] = [];
  const failed: DepositBalance[] = [];
  const transactions: { hash: Hex; gasUsed: bigint }[] = [];
  const holding = await listDepositBalances(sender, factory, [...new Set(paymentIds)], token);
  for (const batch of inChunks(holding, SWEEP_BATCH_MAX)) {
    const receipt = await sendSweep(sender, factory, batch, token);
    const amounts = sweptAmounts(receipt, factory);
    for (const deposit of batch) {
      const amount = amounts.get(deposit.address.toLowerCase());
      if (amount === undefined) failed.push(deposit);
      else swept.push({ ...deposit, balance: amount });
    }
    transactions.push({ hash: receipt.transactionHash, gasUsed: receipt.gasUsed });
  }
  return { swept, failed, transactions };
}

async function sendSweep(
  sender: Sender,
  factory: Address,
  batch: readonly DepositBalance[],
  token: Address,
): Promise<TransactionReceipt> {
  const request = {
    account: sender.account,
    address: factory,
    abi: depositFactory.abi,
    functionName: 'sweep',
    args: [batch.map((deposit) => depositSalt(deposit.paymentId)), token],
  } as const;
  const hash = await writeContract(sender, {
    ...request,
    chain: null,
    gas: batchGas(GAS_OF_BATCH + GAS_OF_ITEM * BigInt(batch.length), await estimateContractGas(sender, request)),
  });
  const receipt = await waitForReceipt(sender, hash);
  if (receipt.status !== 'success') throw new Error(`Sweep ${hash} reverted; nothing moved, it can be tried again.`);
  return receipt;
}

function sweptAmounts(receipt: TransactionReceipt, factory: Address): Map<string, bigint> {
  const events = parseEventLogs({ abi: depositFactory.abi, logs: receipt.logs, eventName: 'Swept' });
  return new Map(
    events
      .filter((event) => isAddressEqual(event.address, factory))
      .map(({ args }) => [args.deposit.toLowerCase(), args.amount]),
  );
}

function inChunks<T>(items: readonly T[], size: number): T[][] {
  return Array.from({ length: Math.ceil(items.length / size) }, (_, i) => items.slice(i * size, (i + 1) * size));
}
