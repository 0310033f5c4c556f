import { randomInt } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Address, BaseError, type Hex, keccak256, parseGwei } from 'viem';
import type { LocalAccount } from 'viem/accounts';
import { getTransaction, getTransactionCount, sendRawTransaction } from 'viem/actions';
import { monotonicMs } from '../../lib/clock.ts';
import { createTurns } from '../../lib/turns.ts';
import type { Reader } from './client.ts';

type AccountTransaction = {
  readonly to: Address;
  readonly data?: Hex;
  readonly value?: bigint;
  readonly gas: bigint;
};

type Mined = { readonly hash: Hex; readonly blockNumber: number };

/** Sends transactions of one account, one after the other. */
export type AccountSender = {
  readonly address: Address;
  /** Resolves when the transaction is mined; throws when it reverts, or is not mined after 20 seconds. */
  readonly send: (transaction: AccountTransaction) => Promise<Mined>;
};

/** Far above any price of a development chain; the price paid is the block's. */
const FEE_MAX = parseGwei('1000');
const MINED_WITHIN_MS = 20_000;
/** After this long without a receipt, checks whether one can still come. */
const SUSPICIOUS_AFTER_MS = 500;
const POLL_MAX_MS = 50;
const RETRY_MAX_MS = 25;
/** Makes equal transfers different transactions, so that nodes never take one for the other. */
const GAS_NOISE = 10_000;
/** How nodes say that another transaction of the account came first. */
const NONCE_TAKEN = /nonce too (low|high)|underpriced/i;
const KNOWN_ALREADY = /already (imported|known)/i;

/**
 * A sender for an account that other processes may use at the same time: the nonce is read from the node before every
 * transaction, and one that was taken meanwhile, or whose transaction a reorg threw away, is sent again. Of all that
 * are sent for one call, exactly one is mined, because they have the same nonce or the earlier one can never be mined
 * any more.
 */
export function createAccountSender(client: Reader, account: LocalAccount, chainId: number): AccountSender {
  const inTurn = createTurns();
  return {
    address: account.address,
    send: (transaction) => inTurn(() => sendUntilMined(client, account, { ...transaction, chainId })),
  };
}

type Request = AccountTransaction & { readonly chainId: number };

async function sendUntilMined(client: Reader, account: LocalAccount, request: Request): Promise<Mined> {
  const until = monotonicMs() + MINED_WITHIN_MS;
  for (;;) {
    const nonce = await getTransactionCount(client, { address: account.address, blockTag: 'pending' });
    const raw = await sign(account, request, nonce);
    const hash = keccak256(raw);
    if (await submit(client, raw)) {
      const mined = await waitUntilMined(client, account.address, hash, nonce, until);
      if (mined) return mined;
    }
    if (monotonicMs() > until) throw new Error(`No transaction of ${account.address} is mined: does the node mine?`);
    await sleep(randomInt(RETRY_MAX_MS));
  }
}

function sign(account: LocalAccount, { gas, ...request }: Request, nonce: number): Promise<Hex> {
  return account.signTransaction({
    ...request,
    type: 'eip1559',
    nonce,
    gas: gas + BigInt(randomInt(GAS_NOISE)),
    maxFeePerGas: FEE_MAX,
    maxPriorityFeePerGas: 0n,
  });
}

/** False when another transaction of the account came first. */
async function submit(client: Reader, serializedTransaction: Hex): Promise<boolean> {
  try {
    await sendRawTransaction(client, { serializedTransaction });
    return true;
  } catch (error) {
    const said = error instanceof BaseError ? error.details : String(error);
    if (KNOWN_ALREADY.test(said)) return true; // The answer to our first attempt was lost.
    if (NONCE_TAKEN.test(said)) return false;
    throw error;
  }
}

/** Undefined when the transaction can no longer be mined, or is gone from the node. */
async function waitUntilMined(
  client: Reader,
  from: Address,
  hash: Hex,
  nonce: number,
  until: number,
): Promise<Mined | undefined> {
  const suspiciousAt = monotonicMs() + SUSPICIOUS_AFTER_MS;
  for (let pauseMs = 1; ; pauseMs = Math.min(pauseMs * 2, POLL_MAX_MS)) {
    // Read before the receipt: a receipt that is missing afterwards will never come.
    const passed = monotonicMs() > suspiciousAt && (await isOvertaken(client, from, hash, nonce));
    const mined = await findMined(client, hash);
    if (mined || passed) return mined;
    if (monotonicMs() > until) throw new Error(`Transaction ${hash} is not mined: does the node mine?`);
    await sleep(pauseMs);
  }
}

async function isOvertaken(client: Reader, address: Address, hash: Hex, nonce: number): Promise<boolean> {
  const next = await getTransactionCount(client, { address, blockTag: 'latest' });
  if (next > nonce) return true;
  return getTransaction(client, { hash }).then(
    () => false,
    (error: unknown) => error instanceof BaseError && error.name === 'TransactionNotFoundError',
  );
}

async function findMined(client: Reader, hash: Hex): Promise<Mined | undefined> {
  const receipt = await client.request({ method: 'eth_getTransactionReceipt', params: [hash] });
  if (receipt === null) return undefined;
  if (receipt.status !== '0x1')
    throw new Error(`Transaction ${hash} reverted in block ${Number(receipt.blockNumber)}.`);
  return { hash, blockNumber: Number(receipt.blockNumber) };
}
