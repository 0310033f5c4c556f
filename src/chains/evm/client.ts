import { setTimeout as sleep } from 'node:timers/promises';
import {
  type Account,
  type Address,
  BaseError,
  type Chain,
  type Client,
  ContractFunctionRevertedError,
  type CustomTransport,
  createClient,
  custom,
  type Hash,
  type Hex,
  HttpRequestError,
  isHex,
  RpcRequestError,
  TimeoutError,
  type TransactionReceipt,
  TransactionReceiptNotFoundError,
  type Transport,
} from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { getBlock, getCode, getTransactionReceipt } from 'viem/actions';
import { SECOND_MS } from '../../lib/clock.ts';
import { authorizationOf } from '../authorization.ts';
import { createStickyRequest, hostOf } from '../endpoints.ts';
import { CALL_WITHIN_MS, createJsonRpc, NodeRefusal, type RpcRequest } from '../json-rpc.ts';
import type { EvmNetwork } from './network.ts';

/** A client that reads one chain. */
export type Reader = Client<Transport, Chain | undefined>;
/** A client that reads one chain and sends transactions as its account. */
export type Sender = Client<Transport, Chain | undefined, Account>;

/** A contract may ask who reads it to fetch a URL (ERC-3668). We fetch nothing for strangers: the URL may be inside. */
const NO_ERRANDS = { ccipRead: false } as const;

const POLL_FIRST_MS = 10;
const POLL_GROWTH = 1.3;
const POLL_MAX_MS = 4_000;
const GIVE_UP_AFTER_POLLS = 170;

/**
 * Resolves with the receipt of a transaction once it is mined, whether it succeeded or reverted. Rejects after about
 * ten minutes; the transaction may be mined later all the same. It only ever asks for the receipt: viem's own waiting
 * also watches block numbers, and on a chain that rests after the transaction that can wait for a block that never
 * comes.
 */
export async function waitForReceipt(reader: Reader, hash: Hash): Promise<TransactionReceipt> {
  for (let poll = 0; poll < GIVE_UP_AFTER_POLLS; poll += 1) {
    try {
      return await getTransactionReceipt(reader, { hash });
    } catch (error) {
      if (!(error instanceof TransactionReceiptNotFoundError)) throw error;
    }
    await sleep(Math.min(POLL_MAX_MS, POLL_FIRST_MS * POLL_GROWTH ** poll));
  }
  throw new Error(`Transaction ${hash} was not mined in time; look it up before you send it again.`);
}

/** Whether the node did not answer, whatever it was asked. */
export const isUnanswered = (error: BaseError): boolean =>
  error.walk((each) => each instanceof HttpRequestError || each instanceof TimeoutError) !== null;

/** The revert that an error tells of, if it tells of one. */
export function findRevert(error: unknown): ContractFunctionRevertedError | undefined {
  if (!(error instanceof BaseError)) return undefined;
  const found = error.walk((cause) => cause instanceof ContractFunctionRevertedError);
  return found instanceof ContractFunctionRevertedError ? found : undefined;
}

/** Codes that mean a revert by themselves; and those that some nodes have for it, and for other trouble, too. */
const REVERT_CODES = new Set([3, -32_015]);
const MANIFOLD_CODES = new Set([-32_000, -32_603]);
const REVERT_WORDS = /revert|invalid (opcode|jump)|out\s?of\s?gas|bad instruction|(vm|evm) (execution )?error/i;

/**
 * Whether the chain would not carry out a call. Nodes agree neither on a code nor on words for it: geth says 3, others
 * -32000, -32015 or -32603.
 */
export function isReverted(error: unknown): boolean {
  if (!(error instanceof BaseError)) return false;
  const refusal = error.walk((cause) => cause instanceof RpcRequestError);
  if (!(refusal instanceof RpcRequestError)) return findRevert(error) !== undefined || REVERT_WORDS.test(error.details);
  const { code, data, details } = refusal;
  if (REVERT_CODES.has(code) || REVERT_WORDS.test(details)) return true;
  return MANIFOLD_CODES.has(code) && isHex(Object(data).data ?? data);
}

/** Reads the chain behind an RPC URL. */
export const openReader = (rpcUrl: string): Reader => createClient({ ...NO_ERRANDS, transport: transportTo(rpcUrl) });

/** Reads a network through its endpoints: when one fails, the next try asks another. */
export const openNetworkReader = (network: EvmNetwork): Reader =>
  createClient({ ...NO_ERRANDS, transport: transportOf(createStickyRequest(network, { batchMax: 1 }), network.name) });

/**
 * The way to one node. That of viem would have each process load the HTTP client that is built into Node.js, beside the
 * one that all else goes by: 10 MB.
 */
export const transportTo = (url: string): CustomTransport => {
  const name = hostOf(url);
  const authorize = authorizationOf(url, undefined);
  return transportOf(createJsonRpc({ url, name, batchMax: 1, timeoutMs: CALL_WITHIN_MS, authorize }), name);
};

/** Calls, with their failures as viem knows them. */
function transportOf(ask: RpcRequest, url: string): CustomTransport {
  const request = async ({ method, params }: { method: string; params?: unknown }): Promise<unknown> => {
    try {
      return await ask(method, (params ?? []) as readonly unknown[]);
    } catch (error) {
      const body = { method, params: [] };
      if (!(error instanceof NodeRefusal)) throw new HttpRequestError({ url, details: (error as Error).message });
      const { code, data, message } = error;
      throw new RpcRequestError({ body, url, error: { code, message, data } });
    }
  };
  return custom({ request });
}

/** Whether an account has code: that of a contract, or what a key has delegated to (EIP-7702). */
export async function hasCode(reader: Reader, address: Address): Promise<boolean> {
  const code = await getCode(reader, { address });
  return code !== undefined && code !== '0x';
}

/** Sends as the account of a private key. Throws a sentence when the key is none. */
export function openSender(rpcUrl: string, privateKey: string): Sender {
  if (!/^0x[0-9a-fA-F]{64}$/.test(privateKey)) throw new Error('A private key is 0x and 64 hexadecimal digits.');
  return createClient({
    ...NO_ERRANDS,
    account: privateKeyToAccount(privateKey as Hex),
    transport: transportTo(rpcUrl),
  });
}

/** The time of the newest block. Rejects when the node does not answer. */
export async function readHeadTime(reader: Reader): Promise<Date> {
  const { timestamp } = await getBlock(reader, { blockTag: 'latest' });
  return new Date(Number(timestamp) * SECOND_MS);
}
